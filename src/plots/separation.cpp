#include "plots/separation.hpp"

#include <cmath>
#include <limits>

namespace logodds::plots {

void ColumnSeparation::add(const RowBlock& block, std::span<const std::int32_t> classes) {
  for (std::size_t r = 0; r < block.rows; ++r) {
    if (classes[r] < 0) { continue; }
    Cell* const cells = cells_.data() + static_cast<std::size_t>(classes[r]) * columns_;
    const double* const row = block.numeric + r * block.numeric_stride;
    for (std::size_t c = 0; c < columns_; ++c) {
      if (std::isnan(row[c])) { continue; }
      Cell& cell = cells[c];
      cell.count += 1.0;
      const double step = row[c] - cell.mean;
      cell.mean += step / cell.count;
      cell.squares += step * (row[c] - cell.mean);
    }
  }
}

std::vector<double> ColumnSeparation::ratios() const {
  std::vector<double> found(columns_, 0.0);
  const std::size_t classes = columns_ == 0 ? 0 : cells_.size() / columns_;
  for (std::size_t c = 0; c < columns_; ++c) {
    Cell all;
    double within = 0.0;
    double between = 0.0;
    for (std::size_t k = 0; k < classes; ++k) {  // Chan, Golub & LeVeque (1983)
      const Cell& cell = cells_[k * columns_ + c];
      if (cell.count == 0.0) { continue; }
      const double step = cell.mean - all.mean;
      between += step * step * all.count * cell.count / (all.count + cell.count);
      all.count += cell.count;
      all.mean += step * cell.count / all.count;
      within += cell.squares;
    }
    if (between > 0.0) {
      found[c] = within > 0.0 ? between / within : std::numeric_limits<double>::infinity();
    }
  }
  return found;
}

}  // namespace logodds::plots
