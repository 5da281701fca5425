// A point on the way of an optimiser, and what all of them ask of one.
#pragma once

#include <span>
#include <vector>

#include "logodds/optimize/objective.hpp"

namespace logodds::optimize {

struct Point {
  std::vector<double> theta;
  std::vector<double> gradient;
  double value = 0.0;
  double norm = 0.0;  ///< largest absolute component of the gradient
};

/// The largest absolute value; infinity when one is not finite.
[[nodiscard]] double largest(std::span<const double> values);

/// Value and gradient at `theta`. Throws Error(numeric) when they are not finite.
[[nodiscard]] Point first_point(const ObjectiveFunction& objective, std::vector<double> theta);

}  // namespace logodds::optimize
