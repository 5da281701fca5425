// Boundaries made of what is known at a point between the classes.
#pragma once

#include "logodds/models/geometry.hpp"

namespace logodds::geometry {

/// 0 for a sum that is 0 to rounding: below 64 epsilon of the sum of its terms' magnitudes.
[[nodiscard]] double without_rounding(double sum, double magnitude);

/// Sets w = v - 2 Q m and w_0 = v_0 - v . m + m . Q m from Q, m, v and v_0.
void expand_at_origin(Boundary& boundary);

}  // namespace logodds::geometry
