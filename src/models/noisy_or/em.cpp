// Expectation-maximisation. Hidden is how often each cause fires; y is on when any does.
//
// Whole x_i are trials that fire with probability 1 - alpha_i each. Given y = on, the expected
// number is x_i (1 - alpha_i) / (1 - e^-z), and given y = off it is 0, so that
//   1 - alpha_i <- (1 - alpha_i) rho_i,  rho_i = sum_on w x_i / (1 - e^-z) / sum w x_i.
// Other x_i are lengths of time in which a cause fires at rate theta_i (a Poisson process), which
// gives theta_i <- theta_i rho_i. In both, rho_i = 1 - g_i / sum w x_i, where g is the gradient.
#include <algorithm>
#include <cmath>

#include "models/noisy_or/objective.hpp"

namespace logodds::models::noisy_or {

namespace {

double fires_less(double theta, double rho, bool whole) {
  if (!whole) { return theta * rho; }
  return -std::log1p(std::max(std::expm1(-theta) * rho, -1.0 + 0x1p-53));  // rounding
}

/// Causes that vanish do so for ever more slowly: what is left of one below the tolerance goes.
void drop_vanishing(const NoisyOrObjective& objective, double tolerance, optimize::Result& result,
                    std::vector<double>& gradient) {
  std::vector<double> theta = result.theta;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    if (objective.optimality().scale[i] * theta[i] <= tolerance && gradient[i] > 0.0) {
      theta[i] = 0.0;
    }
  }
  const double value = objective.evaluate(theta, gradient);
  if (!std::isfinite(value)) { return; }
  result.theta = std::move(theta);
  result.value = value;
  result.gradient_norm = objective.optimality().residual(result.theta, gradient);
}

}  // namespace

optimize::Result minimize_em(const NoisyOrObjective& objective, std::vector<double> start,
                             const optimize::ProjectedNewtonSettings& settings) {
  optimize::Result result;
  result.theta = std::move(start);
  std::vector<double> gradient(result.theta.size());
  const auto look = [&](double step) {
    result.value = objective.evaluate(result.theta, gradient);
    result.gradient_norm = objective.optimality().residual(result.theta, gradient);
    if (settings.trace) {
      settings.trace({result.iterations, result.value, result.gradient_norm, step});
    }
  };
  look(0.0);
  while (result.gradient_norm > settings.tolerance && result.iterations < settings.max_iterations) {
    for (std::size_t i = 0; i < result.theta.size(); ++i) {
      if (objective.sums()[i] == 0.0) { continue; }
      const double rho = std::max(0.0, 1.0 - gradient[i] / objective.sums()[i]);
      result.theta[i] = fires_less(result.theta[i], rho, objective.whole());
    }
    ++result.iterations;
    look(1.0);
  }
  result.converged = result.gradient_norm <= settings.tolerance;
  if (result.converged) { drop_vanishing(objective, settings.tolerance, result, gradient); }
  return result;
}

}  // namespace logodds::models::noisy_or
