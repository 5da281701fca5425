// Rows as points of a picture, and names of regions in places where they cover little.
#pragma once

#include "draw/partition.hpp"
#include "plots/class_marks.hpp"
#include "plots/plane.hpp"

namespace logodds::plots {

/// Whether a row of known class is decided for another.
[[nodiscard]] bool is_wrong(const PlaneRows& rows, std::size_t r);
/// How many rows, drawn or not, are.
[[nodiscard]] std::size_t wrong_rows(const PlaneRows& rows);
/// On rows that are left out, or decided for no class, and points that are not drawn: too many, or
/// without a place on the axes.
void add_point_notes(std::vector<std::string>& notes, const Plane& plane, const PlaneRows& rows);

/// Points in the color and shape of their class, gray without one; where classes are the truth,
/// those that are decided otherwise have a black rim. Returns where they are on the page.
std::vector<draw::Point> draw_points(draw::Drawing& drawing, const draw::Panel& panel,
                                     const Plane& plane, const PlaneRows& rows);

/// Writes names[k] into region k, far from its border and from the points, where there is room.
void name_regions(draw::Drawing& drawing, const draw::Panel& panel, const draw::Partition& regions,
                  const std::vector<std::string>& names, std::span<const draw::Point> points);

}  // namespace logodds::plots
