// Where three regions meet.
#pragma once

#include <array>
#include <vector>

#include "draw/partition.hpp"

namespace logodds::draw {

/// A triangle whose corners have three labels, and the place in it where these meet.
struct Junction {
  std::array<Point, 3> corners;
  std::array<std::int32_t, 3> labels{};
  Point at{};
};

/// By halving the triangles, then, where margins are smooth, by Newton's method on
/// a_1 - a_2 = 0 = a_1 - a_3 with differences for derivatives.
void find_meetings(const Labeling& labeling, std::vector<Junction>& junctions);

}  // namespace logodds::draw
