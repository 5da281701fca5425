#include "models/binary/fitting.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "logodds/optimize/lbfgs.hpp"
#include "logodds/optimize/newton.hpp"

namespace logodds::models::binary {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// What Newton's method makes of the tolerance in passing. It ends where rounding begins.
constexpr double kFinalShare = 1e-7;

double largest(const std::vector<double>& values) {
  double result = 0.0;
  for (const double value : values) { result = std::max(result, std::abs(value)); }
  return result;
}

}  // namespace

Fitting::Fitting(BinaryObjective& objective, const Options& options, double weight,
                 linear::FitTrace& trace)
    : objective_(objective),
      tolerance_(options.real("tolerance") * weight),
      most_(static_cast<std::size_t>(options.integer("max-iterations"))),
      trace_(trace) {}

optimize::Result Fitting::minimized(std::vector<double> start) {
  std::vector<double> gradient(start.size());
  const double value = objective_.evaluate(start, gradient);
  trace_.add({.iteration = 0, .value = value, .gradient_norm = largest(gradient), .step = 0.0});
  if (start.size() > kMostForNewton) {
    auto result = optimize::minimize_lbfgs(
        objective_, std::move(start),
        {.max_iterations = most_, .gradient_tolerance = 1e-3 * tolerance_, .trace = later_steps()});
    result.converged = result.converged || result.gradient_norm <= tolerance_;
    return result;
  }
  auto result = newton(std::move(start), most_, tolerance_);
  if (!result.converged || result.iterations >= most_) { return result; }
  const std::size_t left = most_ - result.iterations;
  return further(std::move(result), left, kFinalShare * tolerance_);
}

std::vector<double> Fitting::better(std::vector<double> first, std::vector<double> second) {
  std::vector<double> gradient(first.size());
  const double of_first = objective_.evaluate(first, gradient);
  return objective_.evaluate(second, gradient) < of_first ? second : first;
}

optimize::Result Fitting::further(optimize::Result before, std::size_t iterations,
                                  double tolerance) {
  trace_.next_optimizer();
  auto result = newton(std::move(before.theta), iterations, tolerance);
  result.iterations += before.iterations;
  result.converged = result.converged || before.converged;
  return result;
}

std::vector<double> Fitting::step(const std::vector<double>& beta) {
  const auto n = static_cast<Eigen::Index>(beta.size());
  Eigen::VectorXd gradient(n);
  objective_.evaluate(beta, {gradient.data(), beta.size()});
  Matrix h(n, n);
  objective_.hessian(beta, {h.data(), beta.size() * beta.size()});
  const Eigen::VectorXd found = -h.selfadjointView<Eigen::Lower>().ldlt().solve(gradient);
  return {found.data(), found.data() + n};
}

std::function<void(const optimize::Step&)> Fitting::later_steps() {
  return [this](const optimize::Step& step) {
    if (step.iteration > 0) { trace_.add(step); }
  };
}

optimize::Result Fitting::newton(std::vector<double> start, std::size_t iterations,
                                 double tolerance) {
  return optimize::minimize_newton(
      [this](std::span<const double> beta, std::span<double> gradient) {
        return objective_.evaluate(beta, gradient);
      },
      [this](std::span<const double> beta, std::span<double> out) {
        objective_.hessian(beta, out);
      },
      std::move(start),
      {.max_iterations = iterations, .gradient_tolerance = tolerance, .trace = later_steps()});
}

}  // namespace logodds::models::binary
