// Where the columns of a schema stand in a block of rows.
#pragma once

#include <cstddef>
#include <vector>

#include "logodds/data/schema.hpp"

namespace logodds {

/// Of every column its position among the columns of its kind, which RowBlock keeps apart: in a row
/// of RowBlock::numeric, in RowBlock::codes or in RowBlock::texts.
[[nodiscard]] std::vector<std::size_t> positions_of(const Schema& schema);

}  // namespace logodds
