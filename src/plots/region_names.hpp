// Names of regions, in places where they cover little.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "draw/partition.hpp"
#include "logodds/draw/panel.hpp"

namespace logodds::plots {

/// Writes names[k] into region k, far from its border and from the points, where there is room.
void name_regions(draw::Drawing& drawing, const draw::Panel& panel, const draw::Partition& regions,
                  const std::vector<std::string>& names, std::span<const draw::Point> points);

}  // namespace logodds::plots
