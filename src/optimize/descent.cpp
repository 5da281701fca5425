#include "logodds/optimize/descent.hpp"

#include <cmath>
#include <optional>

#include "logodds/error.hpp"
#include "optimize/lbfgs_history.hpp"
#include "optimize/line_search.hpp"
#include "optimize/point.hpp"

namespace logodds::optimize {
namespace {

constexpr double kNoise = 1e-10;  // share of |f| below which differences of values mean nothing
constexpr double kSmall = 1e-10;  // of the first gradient: what counts as small at a standstill

/// trial = at - step g, evaluated.
void take_step(const ObjectiveFunction& objective, const Point& at, double step, Point& trial) {
  trial = at;
  for (std::size_t i = 0; i < at.theta.size(); ++i) { trial.theta[i] -= step * at.gradient[i]; }
  trial.value = objective(trial.theta, trial.gradient);
  trial.norm = largest(trial.gradient);
}

std::optional<double> searched(const ObjectiveFunction& objective, const Point& at, double first,
                               Point& trial) {
  const auto line = [&](double step) {
    take_step(objective, at, step, trial);
    return LinePoint{step, trial.value, -dot(trial.gradient, at.gradient)};
  };
  const LinePoint start{0.0, at.value, -dot(at.gradient, at.gradient)};
  const auto found = search_line(line, start, first, kNoise * std::abs(at.value));
  if (!found) { return std::nullopt; }
  return found->step;
}

}  // namespace

Result minimize_descent(const ObjectiveFunction& objective, std::vector<double> start,
                        const DescentSettings& settings) {
  Point at = first_point(objective, std::move(start));
  Point trial;
  const double first_norm = at.norm;
  std::size_t iterations = 0;
  const auto tell = [&](double step) {
    if (settings.trace) { settings.trace({iterations, at.value, at.norm, step}); }
  };
  tell(0.0);
  double first = 1.0 / std::sqrt(std::max(1.0, dot(at.gradient, at.gradient)));
  bool progress = true;
  while (at.norm > settings.gradient_tolerance && progress &&
         iterations < settings.max_iterations) {
    double step = settings.step;
    if (step > 0.0) {
      take_step(objective, at, step, trial);
      if (!std::isfinite(trial.value) || !std::isfinite(trial.norm)) {
        throw Error(ErrorCode::numeric,
                    "gradient descent left the domain of the objective in "
                    "iteration " +
                        std::to_string(iterations + 1) +
                        "; give a smaller --step, or --optimizer lbfgs");
      }
    } else {
      const auto found = searched(objective, at, first, trial);
      progress = found.has_value();
      if (!progress) { break; }
      step = *found;
      first = step * dot(at.gradient, at.gradient) / dot(trial.gradient, trial.gradient);
      if (!std::isfinite(first)) { first = step; }
    }
    std::swap(at, trial);
    ++iterations;
    tell(step);
  }
  const bool converged = at.norm <= settings.gradient_tolerance || at.norm <= kSmall * first_norm;
  return {std::move(at.theta), at.value, at.norm, iterations, converged};
}

}  // namespace logodds::optimize
