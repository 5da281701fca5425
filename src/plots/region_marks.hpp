// Regions of a plane as marks: areas, boundaries, and the same as numbers.
#pragma once

#include "draw/partition.hpp"
#include "plots/plane_model.hpp"

namespace logodds::plots {

/// Cells of a grid along so many page units.
[[nodiscard]] std::size_t grid_cells(double length);
/// The decisions on the plane, by a grid that is fine enough for a panel of about this size.
[[nodiscard]] draw::Partition cut_regions(const PlaneModel& model, const draw::Rect& room);

/// Areas in the classes' colors, `share` of them, the rest white.
void draw_region_fill(draw::Drawing& drawing, const draw::Panel& panel,
                      const draw::Partition& regions, double share);
/// Boundaries, each with its two classes and its kind as a tip.
void draw_region_lines(draw::Drawing& drawing, const draw::Panel& panel,
                       const draw::Partition& regions, const PlaneModel& model,
                       const std::vector<std::string>& labels);
/// A line of the unit square in the units of the data (points x 2); from the second on, lines of
/// the same name have their number behind it.
void add_line_array(Plot& plot, const std::string& name, std::size_t number,
                    const std::vector<draw::Point>& line, const Plane& plane);
/// "boundary A|B" (points x 2), in the units of the data; further lines of the same pair are
/// "boundary A|B (2)", ...
void add_boundary_arrays(Plot& plot, const draw::Partition& regions, const Plane& plane,
                         const std::vector<std::string>& labels);

/// The classes that have points.
[[nodiscard]] std::vector<bool> present_classes(const PlaneRows& rows, const Classifier& model);
/// A key for the classes that have points, but no region that can hold a name; returns the room
/// that is left.
[[nodiscard]] draw::Rect draw_keys_of(draw::Drawing& drawing,
                                      const std::vector<std::string>& labels,
                                      const draw::Partition& regions,
                                      const std::vector<bool>& present, const draw::Rect& room);

/// Sentences on where the other columns stand, and on what is blank.
[[nodiscard]] std::vector<std::string> plane_notes(const Plane& plane, const PlaneModel& model,
                                                   const PlaneRows& rows);

}  // namespace logodds::plots
