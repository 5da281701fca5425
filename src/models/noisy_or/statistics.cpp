#include "logodds/models/row_problem.hpp"
#include "models/noisy_or/noisy_or.hpp"

namespace logodds::models::noisy_or {

namespace {

[[noreturn]] void refuse(std::size_t row, std::size_t column, double value,
                         const std::vector<std::string>& names) {
  throw RowProblem{row, column < names.size() ? names[column] : "x" + std::to_string(column + 1),
                   value,
                   "is negative, and a cause of a noisy-or is there or not, or so many times; "
                   "correct the value, leave the column out or take --model softmax"};
}

}  // namespace

void check_not_negative(const RowBlock& block, const std::vector<std::string>& names) {
  for (std::size_t r = 0; r < block.rows; ++r) {
    if (block.is_sparse()) {
      for (std::size_t i = block.sparse.starts[r]; i < block.sparse.starts[r + 1]; ++i) {
        if (block.sparse.values[i] < 0.0) {
          refuse(r, block.sparse.indices[i], block.sparse.values[i], names);
        }
      }
      continue;
    }
    for (std::size_t c = 0; c < block.numeric_columns; ++c) {
      const double value = block.numeric[r * block.numeric_stride + c];
      if (value < 0.0) { refuse(r, c, value, names); }
    }
  }
}

void NoisyOrRows::bind(std::span<const SourceColumn> columns) {
  names_.clear();
  for (const auto& column : columns) {
    if (!column.coded && !column.text) { names_.push_back(column.name); }
  }
}

void NoisyOrRows::add(const RowBlock& block, const Shape& shape) {
  check_not_negative(block, names_);
  TrainingRows::add(block, shape);
}

}  // namespace logodds::models::noisy_or
