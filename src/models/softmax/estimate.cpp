// Rows to coefficients: L-BFGS on the whitened problem, then back to the user's units.
#include <algorithm>
#include <cmath>

#include "logodds/optimize/lbfgs.hpp"
#include "logodds/optimize/newton.hpp"
#include "models/linear/fit_trace.hpp"
#include "models/softmax/objective.hpp"
#include "models/softmax/softmax.hpp"
#include "models/softmax/whitening.hpp"

namespace logodds::models::softmax {

namespace {

/// Largest component of the gradient at which the optimiser stops, as a share of the total weight.
constexpr double kGradientShare = 1e-11;
/// What Newton's method, which has quadratic convergence, makes of that.
constexpr double kFinalShare = 1e-4;
/// Second derivative of a row's loss along one class's score, p (1 - p), at a typical p.
constexpr double kCurvature = 0.1;
/// Mean loss below which classes are called separable, and the decay below which that is a worry.
constexpr double kSeparableLoss = 0.01;
constexpr double kSmallDecay = 1e-3;

std::vector<double> class_weights(const RowBlock& rows, std::size_t classes) {
  std::vector<double> weights(classes, 0.0);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    weights[static_cast<std::size_t>(rows.labels[r])] += rows.weight(r);
  }
  return weights;
}

/// All coefficients 0, biases the log priors.
std::vector<double> prior_only(const SoftmaxObjective& objective,
                               const std::vector<double>& weights) {
  std::vector<double> theta(objective.dimension(), 0.0);
  const std::size_t free = objective.free_classes();
  const std::size_t skipped = weights.size() - free;
  const double reference = skipped > 0 ? weights.front() : 1.0;
  for (std::size_t k = 0; k < free; ++k) {
    theta[theta.size() - free + k] = std::log(weights[skipped + k] / reference);
  }
  return theta;
}

/// A number added to a coefficient in every class changes no posterior; of all such, these sum to
/// 0.
void remove_class_means(std::vector<double>& coefficients, std::size_t classes) {
  for (std::size_t row = 0; row < coefficients.size(); row += classes) {
    double mean = 0.0;
    for (std::size_t k = 0; k < classes; ++k) {
      mean += coefficients[row + k] / static_cast<double>(classes);
    }
    for (std::size_t k = 0; k < classes; ++k) { coefficients[row + k] -= mean; }
  }
}

/// L-BFGS, and Newton's method for the last digits where its matrix is small: near-separable
/// classes leave directions of almost no curvature, along which L-BFGS creeps.
optimize::Result minimized(SoftmaxObjective& objective, const Problem& problem,
                           std::vector<double> start, optimize::LbfgsSettings settings) {
  constexpr std::size_t kMostParameters = 500;
  constexpr std::size_t kEnoughForNewton = 200;  // iterations of L-BFGS before it
  constexpr double kMostWork = 4e9;              // multiply-adds of one Hessian
  const auto n = static_cast<double>(objective.dimension());
  const bool small = objective.dimension() <= kMostParameters &&
                     static_cast<double>(problem.rows) * n * n / 4.0 <= kMostWork;
  if (small) { settings.max_iterations = kEnoughForNewton; }
  auto result = optimize::minimize_lbfgs(objective, std::move(start), settings);
  if (!small) { return result; }
  const std::size_t before = result.iterations;
  result = optimize::minimize_newton(
      [&](std::span<const double> theta, std::span<double> gradient) {
        return objective.evaluate(theta, gradient);
      },
      [&](std::span<const double> theta, std::span<double> out) { objective.hessian(theta, out); },
      std::move(result.theta),
      {.gradient_tolerance = kFinalShare * settings.gradient_tolerance, .trace = settings.trace});
  result.iterations += before;
  return result;
}

void note_outcome(const optimize::Result& result, double decay, double weight,
                  std::vector<std::string>& notes) {
  if (decay < kSmallDecay && result.value < kSeparableLoss * weight) {
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
  const DesignRows x = features.encode(all, scratch);
  const double decay = input.options.real("decay");
  const std::size_t d = features.size();
  const Whitening whitening =
      whiten(x.data, x.rows, d, all.weights, 2.0 * decay / (kCurvature * rows.weight()));
  Problem problem{.rows = x.rows,
                  .columns = d,
                  .classes = input.schema.labels.size(),
                  .z = whitening.apply(x.data, x.rows, x.stride),
                  .labels = all.labels,
                  .weights = all.weights,
                  .decay = whitening.decay(decay),
                  .threads = x.rows > kBlockRows * 4 ? input.context.threads : 1};
  scratch = {};
  SoftmaxObjective objective(problem);
  const auto weights = class_weights(all, problem.classes);
  linear::FitTrace trace(input.context);
  const optimize::LbfgsSettings settings{.gradient_tolerance = kGradientShare * rows.weight(),
                                         .trace = trace.observer()};
  auto result = minimized(objective, problem, prior_only(objective, weights), settings);
  trace.report_to(input.report);
  note_outcome(result, decay, rows.weight(), input.report.notes);
  std::vector<double> beta;
  std::vector<double> bias;
  objective.expand(result.theta, beta, bias);
  if (problem.classes > 2) {
    remove_class_means(beta, problem.classes);
    remove_class_means(bias, problem.classes);
  }
  return {linear::LinearScores(input.schema.labels, std::move(features), whitening.center,
                               whitening.in_user_units(beta, problem.classes), std::move(bias)),
          {result.value, result.gradient_norm, static_cast<double>(result.iterations)}};
}

}  // namespace logodds::models::softmax
