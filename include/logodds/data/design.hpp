// Rows as vectors of numbers: columns of numbers as they are, coded columns one-hot.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "logodds/data/row_block.hpp"
#include "logodds/data/schema.hpp"

namespace logodds {

/// `full`: one indicator a level. `reference`: none for the first level, so that the indicators of
/// a column are not collinear. A coded column of two levels is one indicator (of the second) in
/// both.
enum class OneHot : std::uint8_t { full, reference };

/// Row-major rows x columns, row r at data + r * stride.
struct DesignRows {
  const double* data = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t stride = 0;
};

/// One column of the design: a column of numbers (level < 0) or the indicator of one level.
struct DesignColumn {
  std::size_t position = 0;  ///< among the columns of numbers, or among the coded columns
  int level = -1;
  friend bool operator==(const DesignColumn&, const DesignColumn&) = default;
};

/// The design of a schema: first the columns of numbers, then the indicators column by column.
class Design {
 public:
  Design(const Schema& schema, OneHot one_hot);

  [[nodiscard]] std::size_t size() const { return columns_.size(); }
  [[nodiscard]] const std::vector<DesignColumn>& columns() const { return columns_; }
  /// "bill_length", "island=Biscoe", ...
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// The rows as vectors, a missing value as NaN; without coded columns this is the block's own
  /// memory, else `scratch`.
  [[nodiscard]] DesignRows encode(const RowBlock& block, std::vector<double>& scratch) const;
  /// "one-hot: island (3 indicators), sex (1)" for the user, or empty when no column is coded.
  [[nodiscard]] std::string one_hot_note() const;

 private:
  std::vector<DesignColumn> columns_;
  std::vector<std::string> names_;
  std::vector<std::pair<std::string, std::size_t>> indicators_;  ///< coded column, how many
};

/// The same for any list of design columns.
[[nodiscard]] DesignRows encode_design(const RowBlock& block,
                                       const std::vector<DesignColumn>& columns,
                                       std::vector<double>& scratch);

}  // namespace logodds
