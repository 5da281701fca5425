// Rows to a net: standardized, fitted from every start, the best put into the user's units.
#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "logodds/error.hpp"
#include "models/linear/small_classes.hpp"
#include "models/neural/neural.hpp"
#include "models/neural/start.hpp"
#include "models/neural/training.hpp"

namespace logodds::models::neural {

namespace {

/// With more rows a pass over all of them costs more than the many small steps of Adam gain.
constexpr std::size_t kManyRows = 10'000;

/// For sentences: six digits.
std::string brief(double value) {
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 6);
  return {text.data(), end.ptr};
}

/// W x_std = (W scale) (x - center): weights of inputs in the user's units.
std::vector<double> in_user_units(const NetPlan& plan, const std::vector<double>& theta,
                                  const std::vector<double>& scale) {
  std::vector<double> full = expanded(plan, theta);
  const Layout at = plan.full_layout();
  const auto stretch = [&](double* weights, std::size_t columns) {
    for (std::size_t i = 0; i < plan.inputs * columns; ++i) { weights[i] *= scale[i / columns]; }
  };
  stretch(full.data(), at.hidden);
  if (at.skip) { stretch(full.data() + at.skip_weights(), at.outputs); }
  return full;
}

void report_restarts(const std::vector<Outcome>& outcomes, std::size_t best, FitReport& report) {
  const bool watched = outcomes.front().held_out_loss >= 0.0;
  DescriptionTable table{"restarts", {"restart", "objective", "gradient norm", "iterations"}, {}};
  if (watched) { table.columns.emplace_back("held-out log loss"); }
  table.columns.emplace_back("kept");
  double lowest = outcomes.front().objective;
  double highest = lowest;
  for (std::size_t r = 0; r < outcomes.size(); ++r) {
    const Outcome& outcome = outcomes[r];
    lowest = std::min(lowest, outcome.objective);
    highest = std::max(highest, outcome.objective);
    std::vector<Cell> row{static_cast<std::int64_t>(r + 1), outcome.objective,
                          outcome.gradient_norm, static_cast<std::int64_t>(outcome.iterations)};
    if (watched) { row.emplace_back(outcome.held_out_loss); }
    row.emplace_back(std::string(r == best ? "yes" : "no"));
    table.rows.push_back(std::move(row));
  }
  report.tables.push_back(std::move(table));
  report.notes.push_back("the objective is not convex: " + std::to_string(outcomes.size()) +
                         " restarts ended at objectives from " + brief(lowest) + " to " +
                         brief(highest) + "; the one with the lowest " +
                         (watched ? "held-out log loss" : "objective") + " is kept");
}

void note_end(const Outcome& outcome, const TrainingSettings& settings, bool kinked,
              FitReport& report) {
  if (outcome.converged) { return; }
  const std::string count = std::to_string(outcome.iterations);
  if (settings.adam) {
    report.notes.push_back(
        "adam ended after " + count +
        " passes while the objective still fell; more --passes may lower it further");
    return;
  }
  const bool cut = outcome.iterations >= settings.max_iterations;
  const std::string stuck =
      kinked ? ", because no step made the objective smaller: relu has kinks, and large weights "
               "leave no digits; more --restarts, a larger --decay or --activation tanh may end "
               "lower"
             : ", because no step made the objective smaller: large weights leave no digits; more "
               "--restarts or a larger --decay may end lower";
  report.notes.push_back("lbfgs ended after " + count + " iterations with a gradient of " +
                         brief(outcome.gradient_norm) +
                         (cut ? "; more --max-iterations may lower the objective further" : stuck));
}

NetPlan plan_of(const Options& options, std::size_t inputs, std::size_t classes) {
  return {.inputs = inputs,
          .hidden = static_cast<std::size_t>(options.integer("hidden")),
          .classes = classes,
          .activation = activation_named(options.choice("activation")),
          .skip = options.flag("skip"),
          .decay = options.real("decay")};
}

}  // namespace

void NeuralFamily::settle(const TrainingRows& rows, Options& options, const Schema& /*schema*/,
                          const Context& /*context*/, FitReport& report) {
  if (options.choice("optimizer") != "auto") { return; }
  const bool many = rows.rows() > kManyRows;
  options.replace("optimizer", many ? "adam" : "lbfgs");
  report.notes.push_back("--optimizer auto: " + options.choice("optimizer") + ", as there are " +
                         (many ? "more than " : "at most ") + std::to_string(kManyRows) + " rows");
}

NeuralDiscriminant NeuralFamily::estimate(const TrainingRows& rows, EstimatorInput input) {
  const RowBlock all = rows.view();
  const Options& options = input.options;
  auto features = linear::Features::fitted(input.schema, OneHot::full, options.text("basis"), all);
  if (const auto note = features.design().one_hot_note(); !note.empty()) {
    input.report.notes.push_back(note);
  }
  linear::note_small_classes(all, input.schema.labels, input.report.notes);
  std::vector<double> scratch;
  const DesignRows x = features.encode(all, scratch);
  const std::size_t classes = input.schema.labels.size();
  const auto split = split_rows(all, classes, options.real("validation"), input.context.seed);
  const auto units = standardization(x, all, split.training, features.names());
  const NetRows training = standardized(x, all, split.training, units);
  const NetRows held_out = standardized(x, all, split.held_out, units);
  scratch = {};
  const NetPlan plan = plan_of(options, features.size(), classes);
  const TrainingSettings settings = training_settings(options, input.context);
  linear::FitTrace trace(input.context);
  const Classifier* const warm = input.context.warm_start;
  std::vector<Outcome> outcomes;
  for (std::int64_t r = 0; r < options.integer("restarts"); ++r) {
    auto start = r == 0 && warm != nullptr ? start_from(*warm, plan, input.schema, options, units)
                                           : random_start(plan, training, input.context.seed,
                                                          static_cast<std::uint64_t>(r));
    outcomes.push_back(trained(training, held_out.rows > 0 ? &held_out : nullptr, plan,
                               std::move(start), settings, trace));
    trace.next_optimizer();
  }
  trace.report_to(input.report);
  const auto best = std::ranges::min_element(outcomes, {}, &Outcome::merit);
  if (outcomes.size() > 1) {
    report_restarts(outcomes, static_cast<std::size_t>(best - outcomes.begin()), input.report);
  }
  note_end(*best, settings, options.choice("activation") == "relu", input.report);
  if (best->objective >
      training.weight * std::log(static_cast<double>(std::max<std::size_t>(classes, 2)))) {
    input.report.notes.emplace_back(
        settings.adam
            ? "the objective ended above that of equal posteriors, so the net has learnt nothing: "
              "the steps were too long, or the decay is too large; give a smaller --step or --decay"
            : "the objective ended above that of equal posteriors, so the net has learnt nothing: "
              "there were too few steps, or the decay is too large; give more --max-iterations or "
              "a smaller --decay");
  }
  return {std::move(features),
          plan.full_layout(),
          options.choice("activation"),
          units.center,
          in_user_units(plan, best->theta, units.scale),
          {best->objective, best->gradient_norm, static_cast<double>(best->iterations),
           best->held_out_loss}};
}

}  // namespace logodds::models::neural
