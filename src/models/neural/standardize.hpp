// Columns around their mean in units of their deviation, and which rows are held out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "logodds/data/design.hpp"
#include "logodds/data/row_block.hpp"
#include "models/neural/objective.hpp"

namespace logodds::models::neural {

struct Standardization {
  std::vector<double> center;
  std::vector<double> scale;  ///< 1 / deviation; 0 for a column that does not vary
};

/// Of the rows with these numbers, weighted. Throws Error(numeric) naming the column when its
/// squares overflow.
[[nodiscard]] Standardization standardization(const DesignRows& x, const RowBlock& block,
                                              const std::vector<std::uint32_t>& members,
                                              const std::vector<std::string>& names);

[[nodiscard]] NetRows standardized(const DesignRows& x, const RowBlock& block,
                                   const std::vector<std::uint32_t>& members,
                                   const Standardization& standardization);

struct Split {
  std::vector<std::uint32_t> training;
  std::vector<std::uint32_t> held_out;
};

/// Holds out `share` of the rows of every class, to the nearest whole number but never all of
/// them; which ones depends on the seed. Throws Error(usage) when share > 0 holds out none.
[[nodiscard]] Split split_rows(const RowBlock& block, std::size_t classes, double share,
                               std::uint64_t seed);

}  // namespace logodds::models::neural
