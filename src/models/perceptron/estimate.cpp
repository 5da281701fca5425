// Rows to weights, and weights to scores in the user's units.
#include <algorithm>
#include <cmath>

#include "logodds/error.hpp"
#include "models/linear/fit_trace.hpp"
#include "models/linear/small_classes.hpp"
#include "models/perceptron/calibration.hpp"
#include "models/perceptron/perceptron.hpp"

namespace logodds::models::perceptron {

namespace {

Outcome outcome_of(const std::vector<std::size_t>& mistakes, double scale) {
  return {static_cast<double>(mistakes.size()), static_cast<double>(mistakes.back()), scale};
}

std::vector<double> scores_of(const InnerRows& rows, std::span<const double> weights,
                              std::size_t classes) {
  std::vector<double> scores(rows.rows() * classes);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    linear_scores(rows.row(r), weights, {scores.data() + r * classes, classes});
  }
  return scores;
}

/// a_k = b (sum_i W_ik (x_i - center_i) / unit_i + W_dk)
linear::LinearScores in_user_units(const Schema& schema, linear::Features features,
                                   const InnerUnits& units, std::span<const double> weights,
                                   double scale) {
  const std::size_t classes = schema.labels.size();
  const std::size_t d = units.center.size();
  std::vector<double> coefficients(d * classes);
  std::vector<double> bias(classes);
  for (std::size_t k = 0; k < classes; ++k) {
    for (std::size_t i = 0; i < d; ++i) {
      coefficients[i * classes + k] = scale * weights[i * classes + k] / units.unit[i];
      if (std::isfinite(coefficients[i * classes + k])) { continue; }
      throw Error(ErrorCode::numeric, "column '" + features.names()[i] +
                                          "': the values are so small that the coefficient "
                                          "overflows; give it in smaller units");
    }
    bias[k] = scale * weights[d * classes + k];
  }
  return {schema.labels, std::move(features), units.center, std::move(coefficients),
          std::move(bias)};
}

/// One fit: what its parts share.
struct Fitting {
  EstimatorInput& input;
  const Wish& wish;
  const InnerRows& rows;
  const Learning& learning;
  std::vector<std::size_t> mistakes;

  PerceptronDiscriminant linear(linear::Features features) {
    auto weights = learn_linear(rows, learning);
    mistakes = weights.mistakes;
    const auto& taken = wish.variant == Wish::Variant::plain ? weights.last : weights.mean;
    const double scale =
        fitted_scale(scores_of(rows, taken, learning.classes), learning.classes, rows);
    return {in_user_units(input.schema, std::move(features), rows.units(), taken, scale), wish,
            outcome_of(mistakes, scale)};
  }

  /// With the linear kernel the weights themselves learn, and only the votes need the rows.
  [[nodiscard]] KernelWeights voters() const {
    KernelWeights weights;
    weights.mistakes = learn_linear(rows, learning, &weights.changes).mistakes;
    weights.supports = number_supports(weights.changes);
    return weights;
  }

  PerceptronDiscriminant kernel(linear::Features features) {
    Kernel kernel = wish.kernel;
    if (wish.gamma_is_auto) {
      const double variance = rows.total_variance();
      kernel.gamma = variance > 0.0 ? 1.0 / variance : 1.0;
    }
    auto weights =
        kernel.kind == KernelKind::linear ? voters() : learn_kernel(rows, kernel, learning);
    mistakes = weights.mistakes;
    Supports supports(rows, weights.supports);
    if (wish.variant == Wish::Variant::voted) {
      return {KernelScores(std::move(features), rows.units(), kernel, std::move(supports),
                           std::move(weights.changes), learning.classes),
              wish, outcome_of(mistakes, 1.0)};
    }
    const bool plain = wish.variant == Wish::Variant::plain;
    const double scale =
        fitted_scale(plain ? weights.last_scores : weights.mean_scores, learning.classes, rows);
    auto coefficients = plain ? std::move(weights.last) : std::move(weights.mean);
    for (double& coefficient : coefficients) { coefficient *= scale; }
    return {KernelScores(std::move(features), rows.units(), kernel, std::move(supports),
                         std::move(coefficients), learning.classes),
            wish, outcome_of(mistakes, scale)};
  }
};

void report_mistakes(const std::vector<std::size_t>& mistakes, const InnerRows& rows,
                     FitReport& report) {
  DescriptionTable table{"mistakes", {"pass", "mistakes"}, {}};
  for (std::size_t pass = 0; pass < mistakes.size(); ++pass) {
    table.rows.push_back(
        {static_cast<std::int64_t>(pass + 1), static_cast<std::int64_t>(mistakes[pass])});
  }
  report.tables.push_back(std::move(table));
  const std::string last = "pass " + std::to_string(mistakes.size());
  if (mistakes.back() == 0) {
    report.notes.push_back(last + " made no mistake, so that learning ended there");
    return;
  }
  report.notes.push_back(last + ", the last, made " + std::to_string(mistakes.back()) +
                         (mistakes.back() == 1 ? " mistake in " : " mistakes in ") +
                         std::to_string(rows.rows()) +
                         " rows; more --passes help only if the classes can be separated");
}

void note_variant(const Wish& wish, std::vector<std::string>& notes) {
  const bool voted = wish.variant == Wish::Variant::voted;
  std::string note;
  if (wish.variant_is_auto) {
    note = std::string("--variant auto is ") +
           (voted ? "voted with this kernel" : "averaged with the linear kernel") + "; ";
  }
  note += voted ? "posteriors are shares of votes"
                : "posteriors are the softmax of the scores times one number fitted by likelihood "
                  "on the training rows: scores of a perceptron are no log odds";
  notes.push_back(std::move(note));
}

}  // namespace

PerceptronDiscriminant PerceptronFamily::estimate(const SparseTrainingRows& rows,
                                                  EstimatorInput input) {
  const RowBlock all = rows.view();
  const Wish wish(input.options);
  auto features =
      linear::Features::fitted(input.schema, OneHot::full, input.options.text("basis"), all);
  auto& notes = input.report.notes;
  if (const auto note = features.design().one_hot_note(); !note.empty()) { notes.push_back(note); }
  linear::note_small_classes(all, input.schema.labels, notes);
  if (input.context.warm_start != nullptr) {
    notes.emplace_back("--warm-start changed nothing: a perceptron learns from its own mistakes");
  }
  const InnerRows inner(all, features);
  linear::FitTrace trace(input.context);
  const Learning learning{.classes = input.schema.labels.size(),
                          .passes = static_cast<std::size_t>(input.options.integer("passes")),
                          .seed = input.context.seed,
                          .threads = input.context.threads,
                          .told = [&](std::size_t pass, std::size_t mistakes) {
                            trace.add({pass, static_cast<double>(mistakes), 0.0, 1.0});
                          }};
  Fitting fitting{input, wish, inner, learning, {}};
  auto fitted =
      wish.is_linear() ? fitting.linear(std::move(features)) : fitting.kernel(std::move(features));
  note_variant(wish, notes);
  report_mistakes(fitting.mistakes, inner, input.report);
  trace.report_to(input.report);
  return fitted;
}

}  // namespace logodds::models::perceptron
