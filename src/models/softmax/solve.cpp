#include "models/softmax/solve.hpp"

#include <algorithm>
#include <cmath>

#include "logodds/optimize/lbfgs.hpp"
#include "logodds/optimize/newton.hpp"
#include "models/softmax/objective.hpp"
#include "models/softmax/whitening.hpp"

namespace logodds::models::softmax {

namespace {

/// Largest component of the gradient at which the optimiser stops, as a share of the total weight.
constexpr double kGradientShare = 1e-11;
/// What Newton's method, which has quadratic convergence, makes of that.
constexpr double kFinalShare = 1e-4;
/// Second derivative of a row's loss along one class's score, p (1 - p), at a typical p.
constexpr double kCurvature = 0.1;

std::vector<double> class_weights(const FitRows& rows) {
  std::vector<double> weights(rows.classes, 0.0);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    weights[static_cast<std::size_t>(rows.labels[r])] += rows.weight_of(r);
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

/// Sparse rows spread out.
DesignRows dense(const FitRows& rows, std::vector<double>& scratch) {
  if (!rows.is_sparse()) { return rows.x; }
  scratch.assign(rows.rows * rows.columns, 0.0);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    double* const row = scratch.data() + r * rows.columns;
    for (std::size_t i = rows.sparse.starts[r]; i < rows.sparse.starts[r + 1]; ++i) {
      row[rows.sparse.indices[i]] = rows.sparse.values[i];
    }
  }
  return {scratch.data(), rows.rows, rows.columns, rows.columns};
}

}  // namespace

Solution solve(const FitRows& rows, const Wish& wish, const Start& /*start*/,
               linear::FitTrace& trace) {
  std::vector<double> scratch;
  const DesignRows x = dense(rows, scratch);
  Whitening whitening = whiten(x.data, x.rows, rows.columns, rows.weights,
                               2.0 * wish.decay / (kCurvature * rows.weight));
  const Problem problem{.rows = x.rows,
                        .columns = rows.columns,
                        .classes = rows.classes,
                        .z = whitening.apply(x.data, x.rows, x.stride),
                        .labels = rows.labels,
                        .weights = rows.weights,
                        .decay = whitening.decay(wish.decay),
                        .threads = rows.threads};
  SoftmaxObjective objective(problem);
  const optimize::LbfgsSettings settings{.gradient_tolerance = kGradientShare * rows.weight,
                                         .trace = trace.observer()};
  auto result = minimized(objective, problem, prior_only(objective, class_weights(rows)), settings);
  std::vector<double> beta;
  std::vector<double> bias;
  objective.expand(result.theta, beta, bias);
  if (problem.classes > 2) {
    remove_class_means(beta, problem.classes);
    remove_class_means(bias, problem.classes);
  }
  auto coefficients = whitening.in_user_units(beta, problem.classes);
  return {.center = std::move(whitening.center),
          .coefficients = std::move(coefficients),
          .bias = std::move(bias),
          .objective = result.value,
          .gradient_norm = result.gradient_norm,
          .iterations = result.iterations,
          .converged = result.converged,
          .optimizer = "lbfgs"};
}

}  // namespace logodds::models::softmax
