// When a variance is none.
#pragma once

#include <limits>

namespace logodds {

/// A mean of size `magnitude` is rounded by about epsilon times that, so a variance below the
/// square of a few such units says nothing; neither does one that is subnormal or not a number.
[[nodiscard]] inline bool has_no_variance(double variance, double magnitude) {
  const double unit = 16.0 * std::numeric_limits<double>::epsilon() * magnitude;
  return !(variance > unit * unit) || variance < std::numeric_limits<double>::min();
}

}  // namespace logodds
