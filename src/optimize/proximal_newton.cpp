#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "logodds/optimize/lasso.hpp"
#include "optimize/lasso_point.hpp"

namespace logodds::optimize {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kDecrease = 1e-4;
constexpr int kMostHalvings = 40;
// As in newton.cpp: where values are this close their rounding may decide, and the gradient must
// fall by this much.
constexpr double kClose = 1e-9;
constexpr double kProgress = 0.9;
constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon();

/// The minimum over d of a/2 d^2 + g d + c |t + d|, as d.
double soft_step(double a, double g, double c, double t) {
  const double goal = a * t - g;
  return std::copysign(std::max(0.0, std::abs(goal) - c), goal) / a - t;
}

/// argmin_d g.d + d.H d / 2 + sum c |theta + d| by coordinate descent.
std::vector<double> model_step(const Matrix& h, const Point& at, std::span<const double> costs) {
  constexpr int kMostSweeps = 1000;
  constexpr double kEnough = 1e-12;  // of the largest move of a sweep against the largest so far
  const std::size_t n = costs.size();
  std::vector<double> step(n, 0.0);
  std::vector<double> slope = at.gradient;  // g + H d
  const double floor = 1e-14 * h.diagonal().maxCoeff();
  double longest = 0.0;
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double moved = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      const double a = h(row, row) + floor;
      if (!(a > 0.0)) { continue; }
      const double change = soft_step(a, slope[i], costs[i], at.theta[i] + step[i]);
      if (change == 0.0) { continue; }
      step[i] += change;
      // Ends exactly at 0, not within rounding of it.
      if (std::abs(at.theta[i] + step[i]) < 1e-15 * std::abs(at.theta[i])) {
        step[i] = -at.theta[i];
      }
      const double* const across = h.data() + i * n;
      for (std::size_t j = 0; j < n; ++j) { slope[j] += across[j] * change; }
      moved = std::max(moved, std::abs(change) * std::sqrt(a));
    }
    longest = std::max(longest, moved);
    if (moved <= kEnough * longest) { break; }
  }
  return step;
}

}  // namespace

Result minimize_proximal_newton(const ObjectiveFunction& objective, const HessianFunction& hessian,
                                std::span<const double> costs, std::vector<double> start,
                                const LassoSettings& settings) {
  Point at = first_point(objective, std::move(start));
  std::vector<double> pseudo;
  add_absolutes(costs, at.value, at, pseudo);
  const auto n = static_cast<Eigen::Index>(at.theta.size());
  Matrix h(n, n);
  std::size_t iterations = 0;
  if (settings.trace) { settings.trace({0, at.value, at.norm, 0.0}); }
  while (at.norm > settings.gradient_tolerance && iterations < settings.max_iterations) {
    hessian(at.theta, {h.data(), static_cast<std::size_t>(n * n)});
    h.triangularView<Eigen::StrictlyUpper>() = h.transpose();
    const auto step = model_step(h, at, costs);
    Point trial = at;
    bool moved = false;
    double length = 1.0;
    for (int halving = 0; halving < kMostHalvings && !moved; ++halving, length *= 0.5) {
      double slope = -absolute_cost(costs, at.theta);
      for (std::size_t i = 0; i < step.size(); ++i) {
        trial.theta[i] = at.theta[i] + length * step[i];
        slope += at.gradient[i] * (trial.theta[i] - at.theta[i]);
      }
      slope += absolute_cost(costs, trial.theta);
      const double smooth = objective(trial.theta, trial.gradient);
      if (!std::isfinite(smooth)) { continue; }
      add_absolutes(costs, smooth, trial, pseudo);
      const double slack = kRounding * std::abs(at.value);
      moved = trial.value <= at.value + kDecrease * slope - slack ||
              (trial.value <= at.value + kClose * std::abs(at.value) &&
               trial.norm < kProgress * at.norm);
      if (moved) { break; }
    }
    if (!moved) { break; }
    std::swap(at, trial);
    ++iterations;
    if (settings.trace) { settings.trace({iterations, at.value, at.norm, length}); }
  }
  return {std::move(at.theta), at.value, at.norm, iterations,
          at.norm <= settings.gradient_tolerance};
}

}  // namespace logodds::optimize
