// Rows to coefficients, and what the user should know of them.
#include <algorithm>
#include <cmath>
#include <optional>

#include "logodds/error.hpp"
#include "models/linear/far_values.hpp"
#include "models/linear/fit_trace.hpp"
#include "models/linear/small_classes.hpp"
#include "models/softmax/inference.hpp"
#include "models/softmax/inner.hpp"
#include "models/softmax/notes.hpp"
#include "models/softmax/path.hpp"
#include "models/softmax/rows.hpp"
#include "models/softmax/separation.hpp"
#include "models/softmax/softmax.hpp"
#include "models/softmax/warm_start.hpp"
#include "models/softmax/wish.hpp"

namespace logodds::models::softmax {

namespace {

using linear::Identifiability;

/// D values a column, for the columns kept: those of D' x `width` become D x `width`, with zeros.
std::vector<double> spread(const std::vector<double>& values, const std::vector<std::size_t>& kept,
                           std::size_t columns, std::size_t width) {
  std::vector<double> result(columns * width, 0.0);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    std::copy_n(values.data() + i * width, width, result.data() + kept[i] * width);
  }
  return result;
}

std::vector<double> gathered(const std::vector<double>& values,
                             const std::vector<std::size_t>& kept, std::size_t width) {
  std::vector<double> result;
  for (std::size_t i = 0; i < kept.size() && !values.empty(); ++i) {
    const double* const from = values.data() + kept[i] * width;
    result.insert(result.end(), from, from + width);
  }
  return result;
}

/// No column tells anything: the shares of the classes.
Solution of_shares(const FitRows& rows, const Wish& wish) {
  Solution solution{.center = std::vector<double>(rows.columns, 0.0),
                    .coefficients = std::vector<double>(rows.columns * rows.classes, 0.0),
                    .bias = std::vector<double>(rows.classes, 0.0),
                    .converged = true,
                    .optimizer = "none"};
  if (!wish.intercept) {
    solution.objective = rows.weight * std::log(static_cast<double>(rows.classes));
    return solution;
  }
  const auto priors = log_priors(rows);
  std::ranges::copy(priors, solution.bias.end() - static_cast<std::ptrdiff_t>(priors.size()));
  double sum = 0.0;
  for (const double bias : solution.bias) { sum += std::exp(bias); }
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const double bias = solution.bias[static_cast<std::size_t>(rows.labels[r])];
    solution.objective += rows.weight_of(r) * (std::log(sum) - bias);
  }
  return solution;
}

/// Without the columns that the rows tell nothing about; their coefficients are 0.
Solution solve_kept(const FitRows& rows, const Wish& wish, const Start& start,
                    const Identifiability& columns, linear::FitTrace& trace) {
  if (columns.kept.empty()) { return of_shares(rows, wish); }
  if (columns.kept.size() == rows.columns) { return solve(rows, wish, start, trace); }
  Copied copied;
  copy_columns(rows, columns.kept, copied);
  const Start from{.coefficients = gathered(start.coefficients, columns.kept, rows.classes),
                   .intercepts = start.intercepts};
  Solution solution = solve(copied.rows, wish, from, trace);
  solution.center = spread(solution.center, columns.kept, rows.columns, 1);
  solution.coefficients = spread(solution.coefficients, columns.kept, rows.columns, rows.classes);
  return solution;
}

/// One class: it has every posterior.
Solution of_one_class(const FitRows& rows) {
  return {.center = std::vector<double>(rows.columns, 0.0),
          .coefficients = std::vector<double>(rows.columns, 0.0),
          .bias = {0.0},
          .converged = true,
          .optimizer = "none"};
}

/// One fit, step by step.
class Fitting {
 public:
  Fitting(const FitRows& rows, const Wish& wish, const linear::Features& features,
          EstimatorInput input)
      : rows_(rows),
        wish_(wish),
        bare_(wish.decay == 0.0 && wish.l1 == 0.0),
        features_(features),
        input_(input) {}

  [[nodiscard]] Solution run(linear::Inference& inference) {
    const bool informed = wants_information(rows_, wish_);
    columns_ = informed ? linear::identify(view_of(rows_), wish_.intercept)
                        : linear::identify_constants(view_of(rows_), wish_.intercept);
    check_range();
    look_for_far_values();
    for (auto& note : linear::identifiability_notes(columns_, features_.names(), bare_)) {
      notes().push_back(std::move(note));
    }
    linear::FitTrace trace(input_.context);
    const Start start = warm_start(input_.context, input_.schema, features_.names());
    Solution solution = bare_ ? solve_kept(rows_, wish_, start, columns_, trace)
                              : solve(rows_, wish_, start, trace);
    trace.report_to(input_.report);
    const Scores at{solution.center, solution.coefficients, solution.bias};
    std::optional<Curvature> around;
    if (informed) { around = curvature(rows_, at, columns_, wish_.intercept); }
    if (bare_) { check_separation(at, solution, around); }
    note_outcome(solution, wish_, rows_, notes());
    const bool told = around && solution.converged && (bare_ || !nearly_separable(solution, rows_));
    inference = softmax::inference(rows_, wish_, at, columns_, told ? &*around : nullptr);
    if (around && solution.converged && !told) { inference.state = linear::ErrorsAre::penalized; }
    return solution;
  }

 private:
  [[nodiscard]] std::vector<std::string>& notes() { return input_.report.notes; }

  /// Squares that overflow, or are all 0, would pass for no variance at all.
  void check_range() const {
    for (std::size_t i = 0; i < columns_.overflows.size(); ++i) {
      if (!columns_.overflows[i] && !columns_.underflows[i]) { continue; }
      throw Error(ErrorCode::input,
                  "the values of '" + features_.names()[i] +
                      (columns_.overflows[i]
                           ? "' are so large that their squares are no numbers; divide"
                           : "' are so close to each other that their squares are 0; multiply") +
                      " the column by a power of 10");
    }
  }

  /// Where the standard deviations are known.
  [[nodiscard]] std::optional<linear::FarValue> far_value(double limit) const {
    if (rows_.is_sparse() || columns_.scale.empty()) { return {}; }
    std::vector<double> deviations;
    for (const double scale : columns_.scale) { deviations.push_back(1.0 / scale); }
    return linear::find_far_value(rows_.x, deviations, limit);
  }

  void look_for_far_values() {
    far_ = far_value(linear::kFar);
    if (far_) {
      notes().push_back(
          linear::far_value_text(*far_, features_.names(), "coefficients may be far off"));
    }
  }

  /// In the column that a direction goes along. Beside a value that is 1 / kLevel times as far as
  /// the others, all of these lie on any boundary that it tells apart; of n rows it makes a
  /// standard deviation of its distance over the root of n.
  [[nodiscard]] std::optional<linear::FarValue> far_along(
      const std::vector<double>& weights) const {
    const auto n = static_cast<double>(rows_.rows);
    const auto far = far_value(std::min(linear::kFar, 1.0 / (kLevel * std::sqrt(n))));
    if (!far) { return {}; }
    const double own = std::abs(weights[far->column]);
    const bool along =
        std::ranges::none_of(weights, [own](double other) { return std::abs(other) > own; });
    return along ? far : std::nullopt;
  }

  void check_separation(const Scores& at, const Solution& solution,
                        const std::optional<Curvature>& around) {
    if (!around) {
      const auto complete = complete_separation(rows_, at, input_.schema.labels);
      if (complete) { throw linear::separation_error(*complete, features_.names()); }
      notes().push_back("there are more than " + std::to_string(linear::kMostWithErrors) +
                        " coefficients, so it was not looked for directions along which some rows "
                        "are separable and others level, and coefficients grow without end; a "
                        "--decay bounds them");
      return;
    }
    const auto found = find_separation(rows_, at, columns_, wish_.intercept, solution.converged,
                                       *around, input_.schema.labels);
    if (!found) { return; }
    const auto far = far_ ? far_ : far_along(found->weights);
    if (far) {
      throw Error(ErrorCode::numeric,
                  linear::far_value_text(*far, features_.names(),
                                         "without a --decay no coefficients are found"));
    }
    throw linear::separation_error(*found, features_.names());
  }

  const FitRows& rows_;
  const Wish& wish_;
  bool bare_;  ///< no penalty
  const linear::Features& features_;
  EstimatorInput input_;
  Identifiability columns_;
  std::optional<linear::FarValue> far_;
};

}  // namespace

SoftmaxDiscriminant SoftmaxFamily::estimate(const TrainingRows& rows, EstimatorInput input) {
  const RowBlock all = rows.view();
  const Wish wish = wish_of(input.options, input.context);
  auto features = linear::Features::fitted(input.schema, one_hot_of(input.options),
                                           input.options.text("basis"), all);
  if (const auto note = features.design().one_hot_note(); !note.empty()) {
    input.report.notes.push_back(note);
  }
  linear::note_small_classes(all, input.schema.labels, input.report.notes);
  const Encoded encoded = encode_rows(features, all, input.schema, rows.weight(), input.context);
  check_features(encoded.rows, features);
  linear::Inference inference;
  inference.identifiable.assign(features.size(), 1);
  Solution solution = encoded.rows.classes < 2
                          ? of_one_class(encoded.rows)
                          : Fitting(encoded.rows, wish, features, input).run(inference);
  const auto deviance = deviance_of(solution.objective, solution.coefficients, input.options);
  return {linear::LinearScores(input.schema.labels, std::move(features), std::move(solution.center),
                               std::move(solution.coefficients), std::move(solution.bias)),
          {solution.objective, solution.gradient_norm, static_cast<double>(solution.iterations),
           solution.optimizer, deviance},
          std::move(inference)};
}

void SoftmaxFamily::settle(const TrainingRows& rows, Options& options, const Schema& schema,
                           const Context& context, FitReport& report) {
  if (wants_decay_chosen(options)) { settle_decay(rows, options, schema, context, report); }
}

}  // namespace logodds::models::softmax
