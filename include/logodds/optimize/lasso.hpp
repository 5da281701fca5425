// A smooth convex function plus a sum of absolute values, f(theta) + sum_i c_i |theta_i|.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "logodds/optimize/newton.hpp"
#include "logodds/optimize/objective.hpp"

namespace logodds::optimize {

struct LassoSettings {
  std::size_t max_iterations = 10000;
  std::size_t memory = 15;  ///< of OWL-QN, as in L-BFGS
  /// Done when the largest absolute component of the pseudo-gradient, the element of the
  /// subdifferential that is nearest to 0, is at most this.
  double gradient_tolerance = 1e-8;
  Observer trace{};  ///< values with the absolute values in them, norms of the pseudo-gradient
};

/// OWL-QN: Andrew and Gao, "Scalable training of L1-regularized log-linear models" (ICML 2007).
/// `costs` (c, one a variable) are not negative. Result.value has the absolute values in it.
[[nodiscard]] Result minimize_owlqn(const ObjectiveFunction& objective,
                                    std::span<const double> costs, std::vector<double> start,
                                    const LassoSettings& settings = {});

/// Newton's method, whose quadratic model plus absolute values is minimised by coordinate descent
/// (Friedman, Hastie and Tibshirani 2010; Yuan, Ho and Lin 2012), then a backtracking line search:
/// exact zeros, and quadratic convergence once these are found.
[[nodiscard]] Result minimize_proximal_newton(const ObjectiveFunction& objective,
                                              const HessianFunction& hessian,
                                              std::span<const double> costs,
                                              std::vector<double> start,
                                              const LassoSettings& settings = {});

}  // namespace logodds::optimize
