// Newton's method, for the last digits of a smooth convex function of few variables.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "logodds/optimize/lbfgs.hpp"
#include "logodds/optimize/objective.hpp"

namespace logodds::optimize {

/// The Hessian at theta, n x n row-major, of which the lower triangle is read.
using HessianFunction = std::function<void(std::span<const double>, std::span<double>)>;

struct NewtonSettings {
  std::size_t max_iterations = 50;
  /// Done when the largest absolute component of the gradient is at most this ...
  double gradient_tolerance = 1e-8;
  /// ... or when a step no longer makes it smaller. Told about every step; may throw.
  std::function<void(const Step&)> trace{};
};

/// Minimises from `start` by full steps, halved while they do not help. A singular Hessian is taken
/// with 1e-14 of its largest diagonal element added, which only matters in directions in which the
/// function is flat. Result.converged: the tolerance was met, or the last step promised, by the
/// quadratic model, a decrease of at most 1e-10 of the value.
[[nodiscard]] Result minimize_newton(const ObjectiveFunction& objective,
                                     const HessianFunction& hessian, std::vector<double> start,
                                     const NewtonSettings& settings = {});

}  // namespace logodds::optimize
