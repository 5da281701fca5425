// Sparse rows by columns, for products in fixed shares.
#pragma once

#include <functional>
#include <vector>

#include "kernels/sparse_products.hpp"
#include "memory/large_array.hpp"
#include "models/softmax/solve.hpp"

namespace logodds::models::softmax {

/// Runs work(0) ... work(count - 1), in threads.
using RunAll = std::function<void(std::size_t count, const std::function<void(std::size_t)>& work)>;

/// The transposed matrix, columns multiplied by `scale` (D, or empty: 1).
class ColumnStore {
 public:
  ColumnStore(const FitRows& rows, const std::vector<double>& scale, const RunAll& run);

  /// Some columns, whose places are rows, with these values or others.
  [[nodiscard]] kernels::SparseLines part(std::size_t begin, std::size_t end) const {
    return part(begin, end, values_);
  }
  template <class T>
  [[nodiscard]] kernels::LinesOf<T> part(std::size_t begin, std::size_t end,
                                         const memory::LargeVector<T>& values) const {
    return {end - begin, starts_.data() + begin, rows_.data(), values.data()};
  }
  [[nodiscard]] const memory::LargeVector<double>& values() const { return values_; }
  /// Where `count` shares of about equally many values begin, and the end.
  [[nodiscard]] std::vector<std::size_t> shares(std::size_t count) const;

 private:
  std::vector<std::size_t> starts_;
  memory::LargeVector<std::uint32_t> rows_;
  memory::LargeVector<double> values_;
};

/// Numbers in a row of a table with K columns: whole vectors, or a single one.
[[nodiscard]] inline std::size_t padded_width(std::size_t free) {
  return free == 1 ? 1 : (free + 3) / 4 * 4;
}

/// For some rows of a table of scores: as residuals_of(); the sums are added to `totals`.
[[nodiscard]] double block_of_residuals(const FitRows& rows, std::size_t begin, std::size_t end,
                                        std::size_t free, std::size_t width,
                                        const std::vector<double>& bias, double* scores,
                                        double* totals);

/// For the rows of a table of scores (N x width; columns from `free` on are 0): minus the
/// log-likelihood, the residuals w (p - y) in place of the scores, and their sums in `totals`
/// (free). free = 1: two classes. The sums are those of blocks of rows, in their order.
[[nodiscard]] double residuals_of(const FitRows& rows, std::size_t free, std::size_t width,
                                  const std::vector<double>& bias, std::vector<double>& scores,
                                  std::vector<double>& totals);

}  // namespace logodds::models::softmax
