#include "models/naive_bayes/column_rows.hpp"

#include "kernels/kernels.hpp"

namespace logodds::models::naive_bayes {

namespace {

/// Not a power of two, because columns that far apart compete for the same places in the cache.
std::size_t stride_for(std::size_t rows) { return (rows + 15) / 8 * 8; }

}  // namespace

ColumnRows::ColumnRows(const RowBlock& block)
    : numbers_(stride_for(block.rows) * block.numeric_columns),
      columns_{.rows = block.rows,
               .stride = stride_for(block.rows),
               .numbers = numbers_.data(),
               .codes = block.codes,
               .texts = block.texts,
               .tally = block.tally} {
  kernels::transpose_columns(block.numeric, block.rows, block.numeric_columns, block.numeric_stride,
                             numbers_.data(), columns_.stride);
}

}  // namespace logodds::models::naive_bayes
