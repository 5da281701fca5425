// Sparse rows as columns x1, x2, ... of numbers, made dense or kept as they are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "logodds/data/row_block.hpp"
#include "logodds/data/sparse.hpp"

namespace logodds {

/// Rows of a block with so many columns: its numbers are at most 32 MiB, or one row.
[[nodiscard]] inline std::size_t dense_block_rows(std::size_t columns) {
  constexpr std::size_t kMostNumbers = std::size_t{1} << 22U;
  return std::clamp<std::size_t>(kMostNumbers / std::max<std::size_t>(columns, 1), 1, kBlockRows);
}

/// Throws Error(usage) for more columns than kMostDenseColumns; `name` is the source.
void check_dense_columns(std::size_t columns, const std::string& name);
/// Throws Error(usage) for more columns than kMostSparseColumns.
void check_sparse_columns(std::size_t columns, const std::string& name);

/// x<first>, x<first + 1>, ... Throws Error(usage) when memory does not hold so many.
[[nodiscard]] std::vector<SourceColumn> numbered_columns(std::size_t first, std::size_t count);

/// The number of the first column of a schema whose columns are numbers named x<first>, x<first +
/// 1>, ...; throws Error(usage) for another schema.
[[nodiscard]] std::size_t first_numbered(const Schema& schema);

/// The parsed part of a buffer as it is before the values are put in: all 0, none missing.
void begin_dense(RowBuffer& buffer, std::size_t columns);
/// The same of rows that stay sparse: none has been begun.
void begin_sparse(RowBuffer& buffer, std::size_t columns);
/// Ends the row whose pairs were put behind those of the row before.
inline void end_sparse_row(RowBuffer& buffer) {
  buffer.sparse_starts.push_back(buffer.sparse_indices.size());
}

}  // namespace logodds
