// BFGS with the whole matrix: for functions of up to some hundred variables.
#pragma once

#include <cstddef>
#include <vector>

#include "logodds/optimize/objective.hpp"

namespace logodds::optimize {

struct BfgsSettings {
  std::size_t max_iterations = 10000;
  /// Done when the largest absolute component of the gradient is at most this.
  double gradient_tolerance = 1e-8;
  Observer trace{};
};

/// Minimises from `start` (Nocedal and Wright, algorithm 6.1); holds n x n doubles. The first
/// inverse Hessian is s.y / y.y times the identity. Where no step is accepted any more, the matrix
/// is dropped once; then the work ends, and has converged if the gradient is at most 1e-10 of that
/// at the start.
[[nodiscard]] Result minimize_bfgs(const ObjectiveFunction& objective, std::vector<double> start,
                                   const BfgsSettings& settings = {});

}  // namespace logodds::optimize
