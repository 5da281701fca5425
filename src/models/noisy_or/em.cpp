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

/// A point, and what the objective says there.
struct Place {
  std::vector<double> theta;
  std::vector<double> gradient;
  double value = 0.0;
};

Place look_at(const NoisyOrObjective& objective, std::vector<double> theta) {
  Place place{std::move(theta), {}, 0.0};
  place.gradient.resize(place.theta.size());
  place.value = objective.evaluate(place.theta, place.gradient);
  return place;
}

Place em_step(const NoisyOrObjective& objective, const Place& from) {
  std::vector<double> theta = from.theta;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    if (objective.sums()[i] == 0.0) { continue; }
    const double rho = std::max(0.0, 1.0 - from.gradient[i] / objective.sums()[i]);
    theta[i] = fires_less(theta[i], rho, objective.whole());
  }
  return look_at(objective, std::move(theta));
}

/// From three points of EM to where they seem to lead: theta - 2 a r + a^2 v with r the first step,
/// v the change of it, a = -|r| / |v| (scheme S3 of Varadhan & Roland, "Simple and globally
/// convergent methods for accelerating the convergence of any EM algorithm", 2008). EM does not
/// leave 0, so that no component goes beyond a tenth of its last value at once.
std::vector<double> extrapolated(const NoisyOrObjective& objective, const Place& zero,
                                 const Place& one, const Place& two) {
  const auto& scale = objective.optimality().scale;
  double rr = 0.0;
  double vv = 0.0;
  for (std::size_t i = 0; i < zero.theta.size(); ++i) {
    const double r = one.theta[i] - zero.theta[i];
    const double v = two.theta[i] - one.theta[i] - r;
    rr += scale[i] * scale[i] * r * r;
    vv += scale[i] * scale[i] * v * v;
  }
  const double a = vv > 0.0 ? std::max(1.0, std::sqrt(rr / vv)) : 1.0;
  std::vector<double> theta = two.theta;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const double r = one.theta[i] - zero.theta[i];
    const double v = two.theta[i] - one.theta[i] - r;
    theta[i] = std::max(0.1 * two.theta[i], zero.theta[i] + 2.0 * a * r + a * a * v);
  }
  return theta;
}

}  // namespace

optimize::Result minimize_em(const NoisyOrObjective& objective, std::vector<double> start,
                             const optimize::ProjectedNewtonSettings& settings) {
  optimize::Result result;
  Place now = look_at(objective, std::move(start));
  const auto tell = [&](double step) {
    result.gradient_norm = objective.optimality().residual(now.theta, now.gradient);
    if (settings.trace) {
      settings.trace({result.iterations, now.value, result.gradient_norm, step});
    }
    return result.gradient_norm > settings.tolerance && result.iterations < settings.max_iterations;
  };
  bool more = tell(0.0);
  while (more) {
    const Place zero = now;
    const auto step = [&] {
      now = em_step(objective, now);
      ++result.iterations;
      more = tell(1.0);
    };
    step();
    if (!more) { break; }
    const Place one = now;
    step();
    if (!more) { break; }
    Place far = look_at(objective, extrapolated(objective, zero, one, now));
    if (far.value <= now.value) { now = std::move(far); }
  }
  result.converged = result.gradient_norm <= settings.tolerance;
  result.theta = std::move(now.theta);
  result.value = now.value;
  if (result.converged) { drop_vanishing(objective, settings.tolerance, result, now.gradient); }
  return result;
}

}  // namespace logodds::models::noisy_or
