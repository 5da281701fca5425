// Rows to theta: EM, projected Newton, or some of the one and then the other.
#include <algorithm>
#include <cmath>

#include "logodds/error.hpp"
#include "models/linear/fit_trace.hpp"
#include "models/linear/identifiability.hpp"
#include "models/linear/small_classes.hpp"
#include "models/noisy_or/objective.hpp"

namespace logodds::models::noisy_or {

namespace {

void check_classes(const std::vector<std::string>& labels) {
  if (labels.size() == 2) { return; }
  if (labels.size() == 1) {
    throw Error(ErrorCode::input, "every row is of class '" + labels.front() +
                                      "', and a noisy-or needs rows of two: one on, one off; add "
                                      "rows of the other class");
  }
  throw Error(ErrorCode::usage, "a noisy-or takes two classes, one on and one off, and there are " +
                                    std::to_string(labels.size()) +
                                    "; join classes to two, or take --model softmax");
}

void check_possible(const CauseRows& rows, const std::string& on, bool leak) {
  if (leak || rows.without_cause == 0) { return; }
  const bool one = rows.without_cause == 1;
  throw Error(ErrorCode::input, std::to_string(rows.without_cause) +
                                    (one ? " row is '" : " rows are '") + on + "' although all " +
                                    (one ? "its" : "their") +
                                    " causes are 0, which cannot be without a leak; give --leak "
                                    "on, or correct the " +
                                    (one ? "row" : "rows"));
}

/// Every cause alike, so strong that the mean of z is -ln of the share of rows that are off.
std::vector<double> plain_start(const CauseRows& rows, bool leak) {
  const double total = std::log(rows.weight / rows.off_weight);
  const double each = total / (rows.mean_causes + (leak ? 1.0 : 0.0));
  std::vector<double> theta(rows.causes, 0.0);
  for (std::size_t i = 0; i < rows.causes; ++i) {
    if (rows.known[i] == Known::fitted) { theta[i] = each / rows.largest[i]; }
  }
  if (leak) { theta.push_back(each); }
  return theta;
}

/// From the model given, if it fits. EM never leaves 0 and a row must not become impossible, so
/// that a small part of the plain start is kept.
std::vector<double> started(const CauseRows& rows, bool leak, const Schema& schema,
                            const Classifier* model) {
  constexpr double kKept = 1e-6;
  std::vector<double> start = plain_start(rows, leak);
  if (model == nullptr) { return start; }
  std::vector<double> given = model->array("theta").values;
  if (model->family() != "noisy-or" || !(model->schema() == schema) ||
      given.size() != rows.causes) {
    throw Error(ErrorCode::usage,
                "--warm-start: the model is of family " + model->family() +
                    ", or has other columns or classes than the rows; give a noisy-or model of the "
                    "same columns and classes, or none");
  }
  if (leak) { given.push_back(model->array("leak").values.front()); }
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (start[i] > 0.0) { start[i] = std::max(given[i], kKept * start[i]); }
  }
  return start;
}

optimize::Result newton(NoisyOrObjective& objective, std::vector<double> start,
                        const optimize::ProjectedNewtonSettings& settings) {
  const optimize::NonnegativeProblem problem{
      .evaluate = [&](auto theta, auto gradient) { return objective.evaluate(theta, gradient); },
      .curve = [&](auto theta, auto diagonal) { objective.curve(theta, diagonal); },
      .hessian_times = [&](auto v, auto out) { objective.hessian_times(v, out); }};
  return optimize::minimize_projected_newton(problem, objective.optimality(), std::move(start),
                                             settings);
}

/// `auto`: some steps of EM, which cannot go astray, and projected Newton from there.
optimize::Result minimized(NoisyOrObjective& objective, std::vector<double> start,
                           const Options& options, linear::FitTrace& trace) {
  constexpr std::size_t kStepsOfEm = 10;
  const std::string& optimizer = options.choice("optimizer");
  optimize::ProjectedNewtonSettings settings{
      .max_iterations = static_cast<std::size_t>(options.integer("max-iterations")),
      .tolerance = options.real("tolerance"),
      .trace = trace.observer()};
  if (optimizer == "em") { return minimize_em(objective, std::move(start), settings); }
  if (optimizer == "newton") { return newton(objective, std::move(start), settings); }
  const std::size_t most = settings.max_iterations;
  settings.max_iterations = std::min(kStepsOfEm, most);
  auto first = minimize_em(objective, std::move(start), settings);
  if (first.converged || first.iterations == most) { return first; }
  trace.next_optimizer();
  settings.max_iterations = most - first.iterations;
  auto result = newton(objective, std::move(first.theta), settings);
  result.iterations += first.iterations;
  return result;
}

/// Each row has one level of a column: a number added to theta of all its indicators and taken off
/// the leak changes nothing. Of these, the largest leak is kept.
void settle_indicators(const linear::Features& features, NoisyOrParameters& parameters) {
  const auto& columns = features.design().columns();
  if (!features.plain()) { return; }
  for (std::size_t begin = 0, end = 0; begin < columns.size(); begin = end) {
    end = begin + 1;
    if (columns[begin].level < 0) { continue; }
    while (end < columns.size() && columns[end].level >= 0 &&
           columns[end].position == columns[begin].position) {
      ++end;
    }
    if (end - begin < 3) { continue; }  // two levels have one indicator
    const std::span<double> theta(parameters.theta.data() + begin, end - begin);
    const double common = *std::ranges::min_element(theta);
    for (double& value : theta) { value -= common; }
    parameters.leak += common;
  }
}

NoisyOrParameters in_user_units(const CauseRows& rows, std::vector<double> theta, bool leak) {
  NoisyOrParameters parameters{.theta = std::move(theta), .known = rows.known};
  if (leak) {
    parameters.leak = parameters.theta.back();
    parameters.theta.pop_back();
  }
  for (std::size_t i = 0; i < rows.causes; ++i) {
    if (rows.known[i] == Known::certain) {
      parameters.theta[i] = -std::log(kLeastAlpha) / rows.smallest[i];
    }
  }
  return parameters;
}

std::string listed(const CauseRows& rows, const linear::Features& features, Known known,
                   std::size_t& count) {
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < rows.causes; ++i) {
    if (rows.known[i] == known) { which.push_back(i); }
  }
  count = which.size();
  return linear::quoted_names(features.names(), which);
}

void note_causes(const CauseRows& rows, const linear::Features& features,
                 const std::vector<std::string>& labels, std::vector<std::string>& notes) {
  std::size_t count = 0;
  const std::string certain = listed(rows, features, Known::certain, count);
  if (count > 0) {
    notes.push_back("no row with " + certain + " is '" + labels[0] + "': " +
                    (count == 1 ? "its alpha is 0, and is" : "their alphas are 0, and are") +
                    " taken as 2e-16 at the smallest value met, so that theta stays finite");
  }
  const std::string unseen = listed(rows, features, Known::unseen, count);
  if (count > 0) {
    notes.push_back(unseen +
                    (count == 1 ? " is 0 in every row, so that its alpha is"
                                : " are 0 in every row, so that their alphas are") +
                    " not known: taken as 1, no cause");
  }
}

void note_outcome(const optimize::Result& result, std::vector<std::string>& notes) {
  if (result.converged) { return; }
  notes.push_back("the optimizer stopped after " + std::to_string(result.iterations) +
                  " iterations short of the optimum, with a gradient of " +
                  format_number(result.gradient_norm) +
                  " per unit of weight; give a larger --max-iterations or --optimizer auto");
}

}  // namespace

NoisyOrDiscriminant NoisyOrFamily::estimate(const NoisyOrRows& rows, EstimatorInput input) {
  const auto& labels = input.schema.labels;
  check_classes(labels);
  const RowBlock all = rows.view();
  auto features = linear::Features::fitted(input.schema, OneHot::full, input.options.text("basis"),
                                           all, linear::Centering::none);
  auto& notes = input.report.notes;
  if (const auto note = features.design().one_hot_note(); !note.empty()) { notes.push_back(note); }
  linear::note_small_classes(all, input.schema.labels, notes);
  const bool leak = input.options.choice("leak") == "on";
  const CauseRows causes = gather_causes(all, features);
  check_possible(causes, labels[1], leak);
  note_causes(causes, features, labels, notes);
  NoisyOrObjective objective(causes, leak, input.context.threads);
  linear::FitTrace trace(input.context);
  auto result = minimized(objective, started(causes, leak, input.schema, input.context.warm_start),
                          input.options, trace);
  trace.report_to(input.report);
  note_outcome(result, notes);
  auto parameters = in_user_units(causes, std::move(result.theta), leak);
  if (leak) { settle_indicators(features, parameters); }
  return {input.schema,
          std::move(features),
          std::move(parameters),
          leak,
          {result.value, result.gradient_norm, static_cast<double>(result.iterations)}};
}

}  // namespace logodds::models::noisy_or
