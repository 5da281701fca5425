// Links put one after the other.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace logodds::draw {

/// From one point to another, by their numbers.
using Link = std::pair<std::uint32_t, std::uint32_t>;

/// Lines of links that follow each other; of a closed one the first point comes again at the end.
/// At most one link begins at a point, and at most one ends there.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> chains(const std::vector<Link>& links);

}  // namespace logodds::draw
