#include "logodds/data/design.hpp"

#include <algorithm>
#include <limits>

namespace logodds {

Design::Design(const Schema& schema, OneHot one_hot) {
  std::size_t position = 0;
  for (const auto& column : schema.columns) {
    if (!column.number()) { continue; }
    columns_.push_back({.position = position++});
    names_.push_back(column.name);
  }
  position = 0;
  for (const auto& column : schema.columns) {
    if (!column.coded()) { continue; }
    const bool skip_first = one_hot == OneHot::reference || column.levels.size() == 2;
    for (std::size_t level = skip_first ? 1 : 0; level < column.levels.size(); ++level) {
      columns_.push_back({.position = position, .level = static_cast<int>(level)});
      names_.push_back(column.name + "=" + column.levels[level]);
    }
    indicators_.emplace_back(column.name, column.levels.size() - (skip_first ? 1 : 0));
    ++position;
  }
}

DesignRows Design::encode(const RowBlock& block, std::vector<double>& scratch) const {
  return encode_design(block, columns_, scratch);
}

std::string Design::one_hot_note() const {
  std::string note;
  for (const auto& [name, count] : indicators_) {
    note += note.empty() ? "one-hot: " : ", ";
    note += name + " (" + std::to_string(count) + (count == 1 ? " indicator)" : " indicators)");
  }
  return note;
}

DesignRows encode_design(const RowBlock& block, const std::vector<DesignColumn>& columns,
                         std::vector<double>& scratch) {
  if (block.codes.empty()) {
    return {block.numeric, block.rows, block.numeric_columns, block.numeric_stride};
  }
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  const std::size_t width = columns.size();
  scratch.resize(block.rows * width);
  for (std::size_t r = 0; r < block.rows; ++r) {
    double* out = scratch.data() + r * width;
    const double* numbers = block.numeric + r * block.numeric_stride;
    for (std::size_t i = 0; i < width; ++i) {
      const auto& column = columns[i];
      if (column.level < 0) {
        out[i] = numbers[column.position];
        continue;
      }
      const std::int32_t code = block.codes[column.position][r];
      out[i] = code == kMissingCode ? kMissing : code == column.level ? 1.0 : 0.0;
    }
  }
  return {scratch.data(), block.rows, width, width};
}

}  // namespace logodds
