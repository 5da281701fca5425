#include "stats/sub_block.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/kernels.hpp"

namespace logodds {

std::string pattern_of(const RowBlock& block, std::size_t r) {
  std::string pattern;
  const double* row = block.numeric + r * block.numeric_stride;
  for (std::size_t i = 0; i < block.numeric_columns; ++i) {
    pattern += std::isnan(row[i]) ? '0' : '1';
  }
  for (const auto* codes : block.codes) { pattern += codes[r] == kMissingCode ? '0' : '1'; }
  return pattern;
}

/// One flag a row that lacks a value; empty when none does.
std::vector<std::uint8_t> incomplete_rows(const RowBlock& block) {
  if (block.complete) { return {}; }
  bool any =
      !kernels::all_finite(block.numeric, block.rows, block.numeric_columns, block.numeric_stride);
  for (const auto* codes : block.codes) {
    any = any || std::find(codes, codes + block.rows, kMissingCode) != codes + block.rows;
  }
  std::vector<std::uint8_t> flags(any ? block.rows : 0, 0);
  for (std::size_t r = 0; r < flags.size(); ++r) {
    const double* const row = block.numeric + r * block.numeric_stride;
    bool missing = false;
    for (std::size_t i = 0; i < block.numeric_columns; ++i) { missing |= row[i] != row[i]; }
    flags[r] = missing ? 1 : 0;
  }
  for (const auto* codes : block.codes) {
    for (std::size_t r = 0; r < flags.size(); ++r) {
      flags[r] |= codes[r] == kMissingCode ? std::uint8_t{1} : std::uint8_t{0};
    }
  }
  return flags;
}

SubBlock::SubBlock(const RowBlock& block, const std::string& pattern,
                   std::span<const std::size_t> members) {
  for (const std::size_t r : members) {
    for (std::size_t i = 0; i < block.numeric_columns; ++i) {
      if (observed(pattern, i)) { numeric.push_back(block.numeric[r * block.numeric_stride + i]); }
    }
    labels.push_back(block.labels[r]);
    if (block.weights != nullptr) { weights.push_back(block.weights[r]); }
  }
  columns = members.empty() ? 0 : numeric.size() / members.size();
  for (std::size_t c = 0; c < block.codes.size(); ++c) {
    if (!observed(pattern, block.numeric_columns + c)) { continue; }
    codes.emplace_back();
    for (const std::size_t r : members) { codes.back().push_back(block.codes[c][r]); }
  }
  for (const auto& column : codes) { pointers.push_back(column.data()); }
}

RowBlock SubBlock::view() const {
  RowBlock block;
  block.rows = labels.size();
  block.numeric = numeric.data();
  block.numeric_columns = block.numeric_stride = columns;
  block.codes = pointers;
  block.labels = labels.data();
  block.weights = weights.empty() ? nullptr : weights.data();
  return block;
}

SubBlock complete_rows(const RowBlock& block, std::span<const std::uint8_t> flags) {
  std::vector<std::size_t> members;
  for (std::size_t r = 0; r < block.rows; ++r) {
    if (flags[r] == 0) { members.push_back(r); }
  }
  return {block, std::string(block.numeric_columns + block.codes.size(), '1'), members};
}

}  // namespace logodds
