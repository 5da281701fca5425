// Labels and weights that stand beside rows in the caller's memory, one a row.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "logodds/data/row_block.hpp"

namespace logodds {

/// What can be done about a row without a label, besides correcting it.
inline constexpr std::string_view kUseUnlabeled =
    ", or let EM use it with --unlabeled em (models gaussian and naive-bayes)";

/// Sets the weights of a block to those of its rows, or to none when `weights` is null. One flag a
/// row that says whether its weight is 0; no flags when there is no such row. Throws Error(input)
/// for a weight that is negative or not finite.
[[nodiscard]] std::vector<std::uint8_t> read_weights(RowBuffer& buffer, const double* weights);

/// Sets the labels of a block, and what its codes mean, for the rows that are not flagged. A label
/// is the index of one of `names`, or itself the label when there are none; kNoLabel becomes
/// kMissingCode. Null: no labels.
void read_labels(RowBuffer& buffer, const std::int64_t* labels,
                 const std::vector<std::string>& names, const std::vector<std::uint8_t>& flags);

}  // namespace logodds
