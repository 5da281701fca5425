#include "models/naive_bayes/column_rows.hpp"

#include "kernels/kernels.hpp"

namespace logodds::models::naive_bayes {

ColumnRows::ColumnRows(const RowBlock& block)
    : numbers_(block.rows * block.numeric_columns),
      columns_{.rows = block.rows,
               .stride = block.rows,
               .numbers = numbers_.data(),
               .codes = block.codes} {
  kernels::transpose_columns(block.numeric, block.rows, block.numeric_columns, block.numeric_stride,
                             numbers_.data(), block.rows);
}

}  // namespace logodds::models::naive_bayes
