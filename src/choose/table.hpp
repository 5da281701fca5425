// The rows of a source in memory, so that some can be held out, and all be read many times.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "logodds/context.hpp"
#include "logodds/data/source.hpp"

namespace logodds::choose {

/// Numbers are row-major, rows x numeric_columns, NaN where a value is missing, or sparse as
/// SparseRows has them; codes and labels are those of `schema`.
struct Table {
  Schema schema;  ///< of all rows
  /// As the source has read them; the kinds of numbers, found from all rows, are given.
  std::vector<SourceColumn> columns;
  std::vector<std::string> notes;  ///< of the source
  std::size_t rows = 0;
  std::size_t numeric_columns = 0;
  std::vector<double> numeric;
  std::vector<std::size_t> starts;  ///< of sparse rows, else empty
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  std::vector<std::vector<std::int32_t>> codes;
  std::vector<std::int32_t> labels;
  std::vector<double> weights;  ///< empty: all 1
  std::vector<std::vector<std::string_view>> texts;
  std::shared_ptr<const std::deque<std::string>> documents;  ///< what `texts` points into
  std::vector<std::size_t> row_numbers;                      ///< in the source
  bool complete = true;                                      ///< no value is missing
  const BlockSource* source = nullptr;                       ///< for messages; must outlive this

  [[nodiscard]] bool is_sparse() const { return !starts.empty(); }
  [[nodiscard]] double weight(std::size_t row) const {
    return weights.empty() ? 1.0 : weights[row];
  }
  /// The same rows in another order.
  [[nodiscard]] Table reordered(std::span<const std::size_t> order) const;
};

/// Reads all rows, which must have labels.
[[nodiscard]] Table read_table(BlockSource& source, const Context& context);

/// Rows begin ... end - 1 of a table.
struct RowRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Some rows of a table as a source of its own, whose labels and levels are still to be found: they
/// are those of these rows, as if there were no others. The table must outlive it.
[[nodiscard]] std::unique_ptr<BlockSource> open_rows(const Table& table,
                                                     std::vector<RowRange> ranges);
/// The same read against the schema of a model; labels are not handed on.
[[nodiscard]] std::unique_ptr<BlockSource> open_rows(const Table& table,
                                                     std::vector<RowRange> ranges,
                                                     const Schema& schema);

}  // namespace logodds::choose
