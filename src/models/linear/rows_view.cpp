#include "models/linear/rows_view.hpp"

namespace logodds::models::linear {

DesignRows RowsView::block(std::size_t first, std::size_t count,
                           std::vector<double>& scratch) const {
  if (!is_sparse()) { return {x.data + first * x.stride, count, columns, x.stride}; }
  scratch.assign(count * columns, 0.0);
  for (std::size_t r = 0; r < count; ++r) {
    double* const row = scratch.data() + r * columns;
    for (std::size_t i = sparse.starts[first + r]; i < sparse.starts[first + r + 1]; ++i) {
      row[sparse.indices[i]] = sparse.values[i];
    }
  }
  return {scratch.data(), count, columns, columns};
}

}  // namespace logodds::models::linear
