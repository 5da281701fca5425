// Vectors in the span of sparse rows, and their products in a fixed order.
#pragma once

#include <functional>
#include <vector>

#include "memory/large_array.hpp"
#include "models/softmax/digits.hpp"
#include "models/softmax/sparse_columns.hpp"
#include "parallel/team.hpp"

namespace logodds::models::softmax {

/// X^T a with its scores X X^T a, and a part of its own for the biases. With an intercept scores
/// are taken around their mean over the rows.
template <class T>
struct SpanOf {
  memory::LargeVector<T> a;       ///< N x width
  memory::LargeVector<T> scores;  ///< N x width
  std::vector<double> bias;       ///< F
};
using SpanVector = SpanOf<double>;
/// Of differences, which need less digits: half the memory, and half the time of a product.
using SpanStep = SpanOf<float>;

/// Products and sums in fixed blocks, so that they have the same bits for any number of threads.
class SpanSpace {
 public:
  SpanSpace(const FitRows& rows, const std::vector<double>& scale, bool centered,
            parallel::Team& team);

  [[nodiscard]] std::size_t free() const { return free_; }
  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] std::size_t blocks() const { return (rows_ + kRows - 1) / kRows; }
  /// sum of x^2 over all values
  [[nodiscard]] double squares() const;
  template <class T>
  [[nodiscard]] SpanOf<T> zero() const {
    return {memory::LargeVector<T>(rows_ * width_, T{0}),
            memory::LargeVector<T>(rows_ * width_, T{0}), std::vector<double>(free_)};
  }

  /// work(block, first row, last row + 1) for all blocks of rows.
  void for_blocks(const std::function<void(std::size_t, std::size_t, std::size_t)>& work) const;

  /// X^T a, for scores_of_block() and transposed().
  void transpose(const memory::LargeVector<double>& a);
  void transpose(const memory::LargeVector<float>& a);
  /// The largest component of the last X^T a of such digits, column i times units[i].
  [[nodiscard]] double largest(const std::vector<double>& units, Digits digits) const;
  /// Of the columns, by weighted rows.
  [[nodiscard]] std::vector<double> variances() const;
  /// The means of the scores of v over all rows (width), as far as the rows of v.a in a block make
  /// them up: added to `means`.
  template <class T>
  void add_means(const SpanOf<T>& v, std::size_t begin, std::size_t end, double* means) const {
    for (std::size_t r = begin; r < end && centered_; ++r) {
      for (std::size_t k = 0; k < width_; ++k) {
        means[k] += centers_[r] * static_cast<double>(v.a[r * width_ + k]);
      }
    }
  }
  /// v.scores of the rows of a block, after transpose(v.a), with `means` taken off.
  void scores_of_block(SpanVector& v, std::size_t begin, std::size_t end,
                       const std::vector<double>& means) const;
  void scores_of_block(SpanStep& v, std::size_t begin, std::size_t end,
                       const std::vector<double>& means) const;
  /// X^T a of the last transpose() of doubles, D x width.
  [[nodiscard]] const memory::LargeVector<double>& transposed() const { return table_; }

 private:
  static constexpr std::size_t kShares = 64;  // of the columns, taken by whatever thread is free
  static constexpr std::size_t kRows = 128;

  void find_centers();
  [[nodiscard]] kernels::SparseLines rows_of(std::size_t begin, std::size_t end) const;
  template <class T>
  void take_off(const std::vector<double>& means, std::size_t begin, std::size_t end,
                memory::LargeVector<T>& scores) const;
  template <class T>
  void transpose(const memory::LargeVector<T>& values, const memory::LargeVector<T>& a,
                 memory::LargeVector<T>& table);
  template <class T>
  [[nodiscard]] double largest(const std::vector<double>& units,
                               const memory::LargeVector<T>& table) const;

  const FitRows& fit_;
  std::size_t rows_;
  std::size_t free_;
  std::size_t width_;
  bool centered_;
  parallel::Team& team_;
  ColumnStore columns_;
  std::vector<std::size_t> shares_;
  memory::LargeVector<double> scaled_;  ///< values of the rows, where columns have scales
  memory::LargeVector<float> column_floats_;
  memory::LargeVector<float> row_floats_;
  memory::LargeVector<double> table_;       ///< D x width
  memory::LargeVector<float> float_table_;  ///< D x width
  std::vector<double> centers_;  ///< N: X X^T w, so that the means of X X^T a are a^T X X^T w
};

}  // namespace logodds::models::softmax
