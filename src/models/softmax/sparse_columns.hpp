// Sparse rows by columns, for products in fixed shares.
#pragma once

#include <vector>

#include "kernels/gram.hpp"
#include "models/softmax/solve.hpp"

namespace logodds::models::softmax {

/// The transposed matrix, columns multiplied by `scale` (D, or empty: 1).
class ColumnStore {
 public:
  ColumnStore(const FitRows& rows, const std::vector<double>& scale);

  [[nodiscard]] kernels::SparseColumns all() const { return part(0, starts_.size() - 1); }
  [[nodiscard]] kernels::SparseColumns part(std::size_t begin, std::size_t end) const {
    return {end - begin, starts_.data() + begin, rows_.data(), values_.data()};
  }
  /// Also holds the values as floats, for float_part().
  void keep_floats() { floats_.assign(values_.begin(), values_.end()); }
  [[nodiscard]] kernels::FloatColumns float_part(std::size_t begin, std::size_t end) const {
    return {end - begin, starts_.data() + begin, rows_.data(), floats_.data()};
  }
  /// Where the `lanes` shares of about equally many values begin, and the end.
  [[nodiscard]] std::vector<std::size_t> shares(std::size_t lanes) const;

 private:
  std::vector<std::size_t> starts_;
  std::vector<std::uint32_t> rows_;
  std::vector<double> values_;
  std::vector<float> floats_;
};

/// Doubles in a row of a table with K columns: whole vectors, or a single one.
[[nodiscard]] inline std::size_t padded_width(std::size_t free) {
  return free == 1 ? 1 : (free + 7) / 8 * 8;
}

/// For some rows of a table of scores: as residuals_of(); the sums are added to `totals`.
[[nodiscard]] double block_of_residuals(const FitRows& rows, std::size_t begin, std::size_t end,
                                        std::size_t free, std::size_t width,
                                        const std::vector<double>& bias, double* scores,
                                        double* totals);

/// For the rows of a table of scores (N x width; columns from `free` on are 0): minus the
/// log-likelihood, the residuals w (p - y) in place of the scores, and their sums in `totals`
/// (free). free = 1: two classes. In fixed lanes.
[[nodiscard]] double residuals_of(const FitRows& rows, std::size_t free, std::size_t width,
                                  const std::vector<double>& bias, std::vector<double>& scores,
                                  std::vector<double>& totals);

}  // namespace logodds::models::softmax
