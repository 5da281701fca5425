// Lines of equal height of a function on the plane, and their labels.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "draw/partition.hpp"
#include "logodds/draw/panel.hpp"

namespace logodds::plots {

/// Values at places of the unit square; NaN counts as lower than every level.
using Field = std::function<void(std::span<const draw::Point>, std::span<double>)>;

struct LevelLine {
  std::size_t level = 0;            ///< which of them
  std::vector<draw::Point> points;  ///< in the unit square
};

/// The lines of all levels, which rise, each through places refined like those of a partition.
[[nodiscard]] std::vector<LevelLine> level_lines(const Field& field,
                                                 const std::vector<double>& levels,
                                                 std::size_t columns, std::size_t rows);

/// A line of the unit square on the page, without what nobody sees.
[[nodiscard]] std::vector<draw::Point> square_on_page(const draw::Panel& panel,
                                                      const std::vector<draw::Point>& line);

/// Writes names[level] on the longest line of each level, away from those written before.
void name_lines(draw::Layer& layer, const draw::Panel& panel, const std::vector<LevelLine>& lines,
                const std::vector<std::string>& names);

}  // namespace logodds::plots
