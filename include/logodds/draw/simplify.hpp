// Curves with fewer points that look the same.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "logodds/draw/drawing.hpp"

namespace logodds::draw {

/// Less than the eye or a printer tells apart, in page units.
inline constexpr double kUnseen = 0.05;

/// Indices of points, ascending, the first and the last among them, such that the line through
/// these is nowhere farther than `tolerance` from the points left out (Douglas & Peucker,
/// Cartographica 10, 1973). Of points within tolerance / 4 of each other one is looked at, so that
/// the work is bounded by what a page holds.
[[nodiscard]] std::vector<std::size_t> kept_points(std::span<const Point> points,
                                                   double tolerance = kUnseen);

/// The points that are left when all are looked at, for tolerances that are next to nothing.
[[nodiscard]] std::vector<Point> simplified(std::span<const Point> line, double tolerance);

}  // namespace logodds::draw
