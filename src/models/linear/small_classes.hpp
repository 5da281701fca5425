// What is said about classes of which there is next to nothing to learn from.
#pragma once

#include <string>
#include <vector>

#include "logodds/data/row_block.hpp"

namespace logodds::models::linear {

/// Classes of one row: nothing tells how such a class spreads.
void note_small_classes(const RowBlock& rows, const std::vector<std::string>& labels,
                        std::vector<std::string>& notes);

}  // namespace logodds::models::linear
