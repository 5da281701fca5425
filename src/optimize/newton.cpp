#include "logodds/optimize/newton.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "optimize/lbfgs_history.hpp"
#include "optimize/point.hpp"

namespace logodds::optimize {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// H^-1 g.
std::vector<double> newton_step(const HessianFunction& hessian, const std::vector<double>& theta,
                                const std::vector<double>& gradient) {
  const auto n = static_cast<Eigen::Index>(theta.size());
  Matrix h(n, n);
  hessian(theta, {h.data(), theta.size() * theta.size()});
  h.diagonal().array() += 1e-14 * h.diagonal().maxCoeff();
  const Eigen::LDLT<Matrix> factor(h);
  const Eigen::Map<const Eigen::VectorXd> g(gradient.data(), n);
  const Eigen::VectorXd step = factor.solve(g);
  return {step.data(), step.data() + n};
}

/// The better of two points: by value, and by gradient where the values are so close that their own
/// rounding may decide (that of a sum of small terms, each the difference of large ones, is far
/// above that of the sum). There a gradient that hardly falls is no progress: it would creep on.
bool better(double value, double norm, const Result& so_far) {
  constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon();
  constexpr double kClose = 1e-9;
  constexpr double kProgress = 0.9;
  if (!std::isfinite(value) || !std::isfinite(norm)) { return false; }
  const double slack = kRounding * std::abs(so_far.value);
  return value < so_far.value - slack || (value <= so_far.value + kClose * std::abs(so_far.value) &&
                                          norm < kProgress * so_far.gradient_norm);
}

}  // namespace

Result minimize_newton(const ObjectiveFunction& objective, const HessianFunction& hessian,
                       std::vector<double> start, const NewtonSettings& settings) {
  constexpr int kMostHalvings = 30;
  constexpr double kNegligible = 1e-10;
  const std::size_t n = start.size();
  std::vector<double> gradient(n);
  std::vector<double> trial(n);
  std::vector<double> trial_gradient(n);
  Result result;
  result.theta = std::move(start);
  result.value = objective(result.theta, gradient);
  result.gradient_norm = largest(gradient);
  while (result.iterations < settings.max_iterations) {
    if (result.gradient_norm <= settings.gradient_tolerance) { break; }
    const auto step = newton_step(hessian, result.theta, gradient);
    const double promised = 0.5 * dot(step, gradient);
    bool moved = false;
    double length = 1.0;
    for (int halving = 0; halving < kMostHalvings; ++halving, length *= 0.5) {
      for (std::size_t i = 0; i < n; ++i) { trial[i] = result.theta[i] - length * step[i]; }
      const double value = objective(trial, trial_gradient);
      const double norm = largest(trial_gradient);
      if (!better(value, norm, result)) { continue; }
      std::swap(result.theta, trial);
      std::swap(gradient, trial_gradient);
      result.value = value;
      result.gradient_norm = norm;
      moved = true;
      break;
    }
    result.converged = promised <= kNegligible * std::abs(result.value);
    if (!moved) { return result; }
    ++result.iterations;
    if (settings.trace) {
      settings.trace({result.iterations, result.value, result.gradient_norm, length});
    }
  }
  result.converged = result.converged || result.gradient_norm <= settings.gradient_tolerance;
  return result;
}

}  // namespace logodds::optimize
