// Voronoi cells of points in a polygon, by clipping with the bisectors of near points.
//
// Exact to rounding: a cell is cut until every point that is left is too far away to cut it more
// (outside of the circles around its corners through its site). Points are looked for in a tree, so
// about n log n for n of them, though they lie on a line or far apart.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "logodds/draw/drawing.hpp"

namespace logodds::plots {

/// Corners counterclockwise; the side from corner i to the next is shared with the cell across[i],
/// -1: with the outline.
struct VoronoiCell {
  std::vector<draw::Point> corners;
  std::vector<std::int64_t> across;
};

/// One for each of the points, which are all different. `outline` is convex and counterclockwise;
/// points outside of it may have empty cells.
[[nodiscard]] std::vector<VoronoiCell> voronoi_cells(std::span<const draw::Point> points,
                                                     const std::vector<draw::Point>& outline);

}  // namespace logodds::plots
