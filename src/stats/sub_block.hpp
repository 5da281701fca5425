// Parts of a block: the rows that lack nothing, the columns that a row has.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "logodds/data/row_block.hpp"

namespace logodds {

/// '1' for each column that the row has, '0' for each that it lacks: numbers, then coded columns.
[[nodiscard]] std::string pattern_of(const RowBlock& block, std::size_t r);
[[nodiscard]] inline bool observed(const std::string& pattern, std::size_t column) {
  return pattern[column] == '1';
}
/// One flag a row that lacks a value; empty when none does.
[[nodiscard]] std::vector<std::uint8_t> incomplete_rows(const RowBlock& block);

/// Some rows and columns of a block, copied.
struct SubBlock {
  SubBlock(const RowBlock& block, const std::string& pattern, std::span<const std::size_t> members);
  [[nodiscard]] RowBlock view() const;

  std::size_t columns = 0;
  std::vector<double> numeric;
  std::vector<std::vector<std::int32_t>> codes;
  std::vector<const std::int32_t*> pointers;
  std::vector<std::int32_t> labels;
  std::vector<double> weights;
};

/// The rows whose flag is 0, with all their columns.
[[nodiscard]] SubBlock complete_rows(const RowBlock& block, std::span<const std::uint8_t> flags);

}  // namespace logodds
