#include "optimize/point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "logodds/error.hpp"

namespace logodds::optimize {

double largest(std::span<const double> values) {
  double norm = 0.0;
  for (const double value : values) {
    norm = std::isfinite(value) ? std::max(norm, std::abs(value))
                                : std::numeric_limits<double>::infinity();
    if (!std::isfinite(norm)) { break; }
  }
  return norm;
}

Point first_point(const ObjectiveFunction& objective, std::vector<double> theta) {
  Point point{.theta = std::move(theta), .gradient = {}};
  point.gradient.resize(point.theta.size());
  point.value = objective(point.theta, point.gradient);
  point.norm = largest(point.gradient);
  if (!std::isfinite(point.value) || !std::isfinite(point.norm)) {
    throw Error(ErrorCode::numeric,
                "the objective or its gradient is not finite at the starting point of the "
                "optimizer; scale the columns or look for very large values in them");
  }
  return point;
}

}  // namespace logodds::optimize
