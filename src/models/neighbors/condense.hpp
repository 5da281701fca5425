// --condense: rows that no decision on a training row needs.
#pragma once

#include <cstdint>
#include <vector>

#include "models/neighbors/comparison.hpp"

namespace logodds::models::neighbors {

/// Rows, ascending, by which every training row is decided as by all of them (with itself among
/// them), found as by Angiulli's fast condensing rule (2005): begin with the row nearest to the
/// mean of each class; then, as long as rows are decided otherwise, add for each row that is kept
/// the nearest of those whose nearest kept row it is; for a row that does not vote as it should be
/// decided, or is kept already, the nearest that does. Rows that are equal in all columns and in
/// their class are kept or dropped together.
[[nodiscard]] std::vector<std::uint32_t> condensed(const Comparison& comparison,
                                                   std::size_t classes, const Wish& wish,
                                                   const Context& context);

}  // namespace logodds::models::neighbors
