// The record batches of a stream, kept until the table goes.
#pragma once

#include <cstddef>
#include <vector>

#include "data/arrow_column.hpp"
#include "logodds/data/arrow_source.hpp"

namespace logodds {

struct ArrowTable::Batches {
  Batches() = default;
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;
  ~Batches();

  std::vector<arrow::Field> fields;
  std::vector<ArrowArray> arrays;      ///< structs with one child a field
  std::vector<std::size_t> first_row;  ///< of each array, in the table
  std::size_t rows = 0;

  /// Column `field` of array `batch` from its row `row` on.
  [[nodiscard]] arrow::ColumnView column(std::size_t batch, std::size_t field,
                                         std::size_t row) const;
};

/// A run of rows of a block that lies in one batch.
struct ArrowSegment {
  std::size_t batch = 0;
  std::size_t row = 0;       ///< in the batch
  std::size_t position = 0;  ///< in the block
  std::size_t rows = 0;
};

/// The segments of rows [first, first + rows) of the table.
[[nodiscard]] std::vector<ArrowSegment> segments(const ArrowTable::Batches& batches,
                                                 std::size_t first, std::size_t rows);

}  // namespace logodds
