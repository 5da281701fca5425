// Signs as outlines.
#pragma once

#include <vector>

#include "logodds/draw/drawing.hpp"

namespace logodds::draw {

/// The outline of a sign `size` across; of cross and plus, which are lines, two of two points each.
/// Empty for a circle.
[[nodiscard]] std::vector<std::vector<Point>> outline_of(Shape shape, Point at, double size);
/// Cross and plus are painted along their lines, the others inside of them.
[[nodiscard]] inline bool is_lines(Shape shape) {
  return shape == Shape::cross || shape == Shape::plus;
}
/// How wide the lines of cross and plus are.
[[nodiscard]] inline double line_width_of(double size) {
  return size / 4.0 > 1.2 ? size / 4.0 : 1.2;
}

}  // namespace logodds::draw
