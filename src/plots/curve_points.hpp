// Curves in the units of the data: as arrays, on the page, and without what nobody sees.
#pragma once

#include <string>
#include <vector>

#include "logodds/draw/panel.hpp"
#include "logodds/models/model.hpp"

namespace logodds::plots {

/// x and y of every point, row-major.
[[nodiscard]] NamedArray points_array(std::string name, const std::vector<draw::Point>& points);
/// The points at their places on the page.
[[nodiscard]] std::vector<draw::Point> values_on_page(const draw::Panel& panel,
                                                      std::vector<draw::Point> points);
/// Without those that nobody would miss on the page; in the units of the data, as they were.
[[nodiscard]] std::vector<draw::Point> thinned(const draw::Panel& panel,
                                               const std::vector<draw::Point>& line);

}  // namespace logodds::plots
