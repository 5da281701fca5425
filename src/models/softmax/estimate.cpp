// Rows to coefficients, and what the user should know of them.
#include "models/linear/fit_trace.hpp"
#include "models/softmax/softmax.hpp"
#include "models/softmax/solve.hpp"

namespace logodds::models::softmax {

namespace {

/// Mean loss below which classes are called separable, and the decay below which that is a worry.
constexpr double kSeparableLoss = 0.01;
constexpr double kSmallDecay = 1e-3;

void note_outcome(const Solution& result, double decay, double weight,
                  std::vector<std::string>& notes) {
  if (decay < kSmallDecay && result.objective < kSeparableLoss * weight) {
    notes.emplace_back(
        "the classes are separable, or nearly so: only the decay bounds the coefficients, and "
        "posteriors lie close to 0 and 1; a larger --decay, such as 0.1, makes them more cautious");
  }
  if (!result.converged) {
    notes.push_back("the optimizer stopped after " + std::to_string(result.iterations) +
                    " iterations short of the optimum, with a gradient of " +
                    format_number(result.gradient_norm) +
                    "; posteriors may be off; bring the columns to like scales");
  }
}

}  // namespace

SoftmaxDiscriminant SoftmaxFamily::estimate(const TrainingRows& rows, EstimatorInput input) {
  const RowBlock all = rows.view();
  auto features =
      linear::Features::fitted(input.schema, OneHot::full, input.options.text("basis"), all);
  if (const auto note = features.design().one_hot_note(); !note.empty()) {
    input.report.notes.push_back(note);
  }
  std::vector<double> scratch;
  const FitRows fit{.x = features.encode(all, scratch),
                    .rows = all.rows,
                    .columns = features.size(),
                    .classes = input.schema.labels.size(),
                    .labels = all.labels,
                    .weights = all.weights,
                    .weight = rows.weight(),
                    .threads = all.rows > kBlockRows * 4 ? input.context.threads : 1};
  linear::FitTrace trace(input.context);
  const double decay = input.options.real("decay");
  auto solution = solve(fit, {.decay = decay}, {}, trace);
  trace.report_to(input.report);
  note_outcome(solution, decay, rows.weight(), input.report.notes);
  return {linear::LinearScores(input.schema.labels, std::move(features), std::move(solution.center),
                               std::move(solution.coefficients), std::move(solution.bias)),
          {solution.objective, solution.gradient_norm, static_cast<double>(solution.iterations)}};
}

}  // namespace logodds::models::softmax
