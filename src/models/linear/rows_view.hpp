// The rows of a fit as features, dense or sparse, for what goes over them block by block.
#pragma once

#include <cstddef>
#include <vector>

#include "logodds/data/design.hpp"
#include "logodds/data/row_block.hpp"

namespace logodds::models::linear {

/// Dense (`x`), or sparse when `sparse` has starts.
struct RowsView {
  DesignRows x{};
  SparseRows sparse{};
  std::size_t rows = 0;
  std::size_t columns = 0;
  const double* weights = nullptr;  ///< null: every weight is 1

  [[nodiscard]] bool is_sparse() const { return sparse.starts != nullptr; }
  [[nodiscard]] double weight(std::size_t row) const {
    return weights == nullptr ? 1.0 : weights[row];
  }
  /// Rows `first` to `first + count`, dense; `scratch` holds them where they are sparse.
  [[nodiscard]] DesignRows block(std::size_t first, std::size_t count,
                                 std::vector<double>& scratch) const;
  /// Calls use(first row, rows) for blocks of kBlockRows rows, in their order.
  template <class Use>
  void for_blocks(Use use) const {
    std::vector<double> scratch;
    for (std::size_t first = 0; first < rows; first += kBlockRows) {
      const std::size_t left = rows - first;
      use(first, block(first, left < kBlockRows ? left : kBlockRows, scratch));
    }
  }
};

}  // namespace logodds::models::linear
