// Projected Newton for smooth convex functions of theta >= 0: Bertsekas, "Projected Newton methods
// for optimization problems with simple constraints", SIAM J. Control 20 (1982).
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "logodds/optimize/lbfgs.hpp"
#include "logodds/optimize/objective.hpp"

namespace logodds::optimize {

/// The Hessian is never formed: steps come from conjugate gradients, so that many variables cost no
/// more than passes over the rows.
struct NonnegativeProblem {
  /// Infinite outside of the domain.
  ObjectiveFunction evaluate;
  /// Fixes the point at which hessian_times() multiplies, and writes the diagonal of the Hessian.
  std::function<void(std::span<const double> theta, std::span<double> diagonal)> curve;
  std::function<void(std::span<const double> v, std::span<double> out)> hessian_times;
};

/// How far theta is from optimal: the largest |u_i - max(0, u_i - g_i / (s_i weight))| with
/// u_i = s_i theta_i, which is 0 exactly where the conditions of Kuhn and Tucker hold. Variables of
/// scale 0 play no part.
struct Optimality {
  std::vector<double> scale;
  double weight = 1.0;

  [[nodiscard]] double residual(std::span<const double> theta,
                                std::span<const double> gradient) const;
};

struct ProjectedNewtonSettings {
  std::size_t max_iterations = 200;
  double tolerance = 1e-8;  ///< of Optimality::residual()
  std::function<void(const Step&)> trace{};
};

/// Minimises from `start`, at which the function must be finite. Result.gradient_norm is the
/// residual. Result.converged: the tolerance was met, or no step helps any more and the last one
/// promised a decrease of at most 1e-10 of the value.
[[nodiscard]] Result minimize_projected_newton(const NonnegativeProblem& problem,
                                               const Optimality& optimality,
                                               std::vector<double> start,
                                               const ProjectedNewtonSettings& settings);

}  // namespace logodds::optimize
