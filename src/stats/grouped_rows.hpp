// The rows of a block, class by class.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "logodds/data/row_block.hpp"

namespace logodds {

/// Row numbers of a block, grouped by class: members of class k stand in [begin[k], begin[k + 1]).
struct Grouped {
  std::vector<std::uint32_t> begin;
  std::vector<std::uint32_t> members;

  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t k) const {
    return {members.data() + begin[k], begin[k + 1] - begin[k]};
  }
};

/// Rows without labels are all of the last class: of the one that there is.
[[nodiscard]] Grouped group_by_class(const RowBlock& block, std::size_t classes);
[[nodiscard]] double weight_of(const RowBlock& block, std::span<const std::uint32_t> members);

}  // namespace logodds
