// How well single columns of numbers tell classes apart.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "logodds/data/row_block.hpp"

namespace logodds::plots {

/// Sums of squares between and within classes, column by column, over blocks of rows.
class ColumnSeparation {
 public:
  ColumnSeparation(std::size_t columns, std::size_t classes)
      : columns_(columns), cells_(columns * classes) {}

  /// `classes`: of the rows of the block; negative ones have none. Values that are missing are left
  /// out of their column.
  void add(const RowBlock& block, std::span<const std::int32_t> classes);
  /// Of each column sum_k n_k (m_k - m)^2 / sum_k sum_n (x_n - m_k)^2: infinite where classes are
  /// points, 0 where nothing varies or no value is there.
  [[nodiscard]] std::vector<double> ratios() const;

 private:
  struct Cell {  ///< Welford (1962)
    double count = 0.0;
    double mean = 0.0;
    double squares = 0.0;
  };
  std::size_t columns_;
  std::vector<Cell> cells_;  ///< classes x columns
};

}  // namespace logodds::plots
