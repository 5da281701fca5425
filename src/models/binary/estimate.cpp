// Rows to coefficients: Newton's method in whitened coordinates, then back to the user's units.
#include <algorithm>
#include <cmath>
#include <optional>

#include "logodds/error.hpp"
#include "models/binary/binary.hpp"
#include "models/binary/coordinates.hpp"
#include "models/binary/fitting.hpp"
#include "models/binary/inference.hpp"
#include "models/binary/objective.hpp"
#include "models/binary/separation.hpp"
#include "models/binary/warm_start.hpp"
#include "models/linear/far_values.hpp"
#include "models/linear/identifiability.hpp"
#include "models/linear/separation.hpp"
#include "models/linear/small_classes.hpp"

namespace logodds::models::binary {

namespace {

/// Rows from which on threads are worth their start.
constexpr std::size_t kRowsForThreads = 4 * kBlockRows;

void check_classes(const Schema& schema) {
  const std::size_t classes = schema.labels.size();
  if (classes == 2) { return; }
  if (classes == 1) {
    throw Error(ErrorCode::numeric, "there is one class only, '" + schema.labels.front() +
                                        "', and --model binary needs two; add rows of another");
  }
  throw Error(ErrorCode::usage, "--model binary takes two classes, and there are " +
                                    std::to_string(classes) + "; use --model softmax");
}

void check_finite(const Coordinates& coordinates, const linear::Features& features) {
  for (std::size_t i = 0; i < coordinates.columns; ++i) {
    if (!std::isfinite(coordinates.center[i]) || !std::isfinite(coordinates.spread[i])) {
      throw Error(ErrorCode::numeric, "the values of '" + features.names()[i] +
                                          "' are too large to compute with; give the column in "
                                          "another unit");
    }
  }
}

/// No coefficients, and the intercept that gives the shares of the classes.
std::vector<double> prior_only(const Problem& problem, bool intercept) {
  std::vector<double> beta(problem.columns, 0.0);
  if (!intercept) { return beta; }
  double both = 0.0;
  double second = 0.0;
  for (std::size_t r = 0; r < problem.rows; ++r) {
    const double w = problem.weights == nullptr ? 1.0 : problem.weights[r];
    both += w;
    second += problem.labels[r] == 1 ? w : 0.0;
  }
  beta.back() = link_of(problem.link, second / both);
  return beta;
}

[[noreturn]] void refuse_far_value(const linear::FarValue& far,
                                   const std::vector<std::string>& names) {
  throw Error(ErrorCode::numeric,
              linear::far_value_text(far, names, "without a --decay no coefficients are found"));
}

/// Without a decay: throws when the classes are separable.
void check_separation(const BinaryObjective& objective, const Problem& problem,
                      const Coordinates& coordinates, Fitting& fitting, optimize::Result& result,
                      const EstimatorInput& input, const std::vector<std::string>& names,
                      const std::optional<linear::FarValue>& far) {
  constexpr double kSmallStep = 1e-6;
  constexpr std::size_t kFurther = 40;
  auto step = fitting.step(result.theta);
  const auto moves = objective.linear(step);
  if (std::ranges::any_of(moves, [](double m) { return !(std::abs(m) <= kSmallStep); })) {
    result = fitting.further(std::move(result), kFurther, 1e-6 * fitting.tolerance());
    step = fitting.step(result.theta);
  }
  const auto found = separation(objective, problem, coordinates.intercept, result.theta, step);
  if (!found) { return; }
  if (far) { refuse_far_value(*far, names); }  // beside it all other rows lie on any boundary
  const auto& labels = input.schema.labels;
  throw Error(ErrorCode::numeric,
              "the classes '" + labels[0] + "' and '" + labels[1] + "' are separable" +
                  (found->complete ? "" : " but for rows on the boundary") + ": " +
                  direction_text(coordinates, names, found->direction) +
                  " (in standardized columns) is larger for '" + labels[1] +
                  "', so that without a decay the coefficients grow for ever; give --decay 0.01");
}

void note_columns(const Coordinates& coordinates, const std::vector<std::string>& names,
                  std::vector<std::string>& notes) {
  constexpr std::size_t kShown = 3;
  std::vector<std::size_t> constant;
  std::size_t dependent = 0;
  for (std::size_t i = 0; i < coordinates.columns; ++i) {
    if (coordinates.identifiable[i] != 0) { continue; }
    const auto& parts = coordinates.made_of[i];
    if (parts.empty()) {
      constant.push_back(i);
    } else if (++dependent <= kShown) {
      notes.push_back("'" + names[i] + "' is a linear function of " +
                      linear::quoted_names(names, parts) +
                      ", so its coefficient is not identifiable and is taken as 0");
    }
  }
  if (dependent > kShown) {
    notes.push_back("so are " + std::to_string(dependent - kShown) +
                    " further columns; inspect --coefficients marks them");
  }
  if (constant.empty()) { return; }
  const bool one = constant.size() == 1;
  notes.push_back(
      linear::quoted_names(names, constant) +
      (one ? " is constant, so its coefficient is not identifiable and is taken as 0"
           : " are constant, so their coefficients are not identifiable and are taken as 0"));
}

void note_outcome(const optimize::Result& result, const Options& options, bool separable,
                  std::vector<std::string>& notes) {
  constexpr double kSmallDecay = 1e-3;
  if (separable && options.real("decay") < kSmallDecay) {
    notes.emplace_back(
        "the classes are separable, or nearly so: only the decay bounds the coefficients, and "
        "posteriors lie close to 0 and 1; a larger --decay, such as 0.1, makes them more cautious");
  }
  if (!result.converged) {
    notes.push_back("the optimizer stopped after " + std::to_string(result.iterations) +
                    " iterations short of the optimum, with a gradient of " +
                    format_number(result.gradient_norm) +
                    "; give a larger --max-iterations or a larger --decay");
  }
}

/// The coefficients in the form of LinearScores: those of the first class are 0.
std::vector<double> beside_zeros(const std::vector<double>& values) {
  std::vector<double> result;
  for (const double value : values) {
    result.push_back(0.0);
    result.push_back(value);
  }
  return result;
}

}  // namespace

BinaryDiscriminant BinaryFamily::estimate(const TrainingRows& rows, EstimatorInput input) {
  check_classes(input.schema);
  const Options& options = input.options;
  const double decay = options.real("decay");
  const bool intercept = options.choice("intercept") == "on";
  const RowBlock all = rows.view();
  auto features =
      linear::Features::fitted(input.schema, one_hot_for(options), options.text("basis"), all);
  linear::check_matrix_fits(features, "binary");
  if (const auto note = features.design().one_hot_note(); !note.empty()) {
    input.report.notes.push_back(note);
  }
  linear::note_small_classes(all, input.schema.labels, input.report.notes);
  const int threads = all.rows > kRowsForThreads ? input.context.threads : 1;
  std::vector<double> scratch;
  const DesignRows x = features.encode(all, scratch);
  const auto coordinates = coordinates_for(x, all.weights,
                                           {.intercept = intercept,
                                            .decay = decay,
                                            .standardize = options.flag("standardize"),
                                            .threads = threads});
  check_finite(coordinates, features);
  note_columns(coordinates, features.names(), input.report.notes);
  const auto far = linear::find_far_value(x, coordinates.spread);
  if (far) {
    input.report.notes.push_back(
        linear::far_value_text(*far, features.names(), "coefficients may be far off"));
  }
  const Problem problem{.link = parse_link(options.choice("link")),
                        .rows = x.rows,
                        .columns = coordinates.size,
                        .z = coordinates.apply(x),
                        .labels = all.labels,
                        .weights = all.weights,
                        .penalty = coordinates.penalty,
                        .threads = threads};
  scratch = {};
  BinaryObjective objective(problem);
  linear::FitTrace trace(input.context);
  Fitting fitting(objective, options, rows.weight(), trace);
  auto start = prior_only(problem, intercept);
  if (input.context.warm_start != nullptr) {
    start =
        fitting.better(std::move(start), warm_start(*input.context.warm_start, input, coordinates));
  }
  auto result = fitting.minimized(std::move(start));
  if (decay == 0.0 && !fitting.cut_short(result)) {
    check_separation(objective, problem, coordinates, fitting, result, input, features.names(),
                     far);
  }
  trace.report_to(input.report);
  const bool separable =
      decay > 0.0 && linear::nearly_separable(result.value, {all.labels, all.rows}, all.weights);
  note_outcome(result, options, separable, input.report.notes);

  auto inference = inference_of(objective, problem, coordinates, result, decay);
  // Rows that hardly differ beside the far one do not tell the coefficients to any digit.
  if (far && decay == 0.0 && inference.state == linear::ErrorsAre::singular) {
    refuse_far_value(*far, features.names());
  }
  if (separable && inference.given()) {
    inference.errors.clear();
    inference.state = linear::ErrorsAre::penalized;
  }
  double penalty = 0.0;
  for (std::size_t i = 0; i < problem.columns; ++i) {
    for (std::size_t j = 0; j < problem.columns; ++j) {
      penalty += result.theta[i] * problem.penalty[i * problem.columns + j] * result.theta[j];
    }
  }
  const FitEnd end{result.value, result.gradient_norm, static_cast<double>(result.iterations),
                   2.0 * (result.value - penalty)};
  return {problem.link,
          linear::LinearScores(input.schema.labels, std::move(features), coordinates.center,
                               beside_zeros(coordinates.in_user_units(result.theta)),
                               {0.0, intercept ? result.theta.back() : 0.0}),
          std::move(inference), end};
}

}  // namespace logodds::models::binary
