// Gradient descent: with a fixed step, and with a line search.
#pragma once

#include <cstddef>
#include <vector>

#include "logodds/optimize/objective.hpp"

namespace logodds::optimize {

struct DescentSettings {
  /// The next point is theta - step g. 0: a line search finds the step.
  double step = 0.1;
  std::size_t max_iterations = 10000;
  /// Done when the largest absolute component of the gradient is at most this.
  double gradient_tolerance = 1e-8;
  Observer trace{};
};

/// Minimises from `start`. A fixed step converges when it is below 2 / (largest curvature); one
/// that leads out of the domain is an Error(numeric) that says so. With a line search the first
/// trial has the decrease of the step before, to first order (Nocedal and Wright, section 3.5), and
/// the work also ends where no step is accepted any more; it has then converged if the gradient is
/// at most 1e-10 of that at the start.
[[nodiscard]] Result minimize_descent(const ObjectiveFunction& objective, std::vector<double> start,
                                      const DescentSettings& settings = {});

}  // namespace logodds::optimize
