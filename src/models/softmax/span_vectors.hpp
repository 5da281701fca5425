// Vectors in the span of sparse rows, and their products in a fixed order.
#pragma once

#include <functional>
#include <vector>

#include "models/softmax/sparse_columns.hpp"
#include "parallel/team.hpp"

namespace logodds::models::softmax {

/// X^T a with its scores X X^T a, and a part of its own for the biases. With an intercept scores
/// are taken around their mean over the rows.
template <class T>
struct SpanOf {
  std::vector<T> a;          ///< N x width
  std::vector<T> scores;     ///< N x width
  std::vector<double> bias;  ///< F
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
  [[nodiscard]] const ColumnStore& columns() const { return columns_; }
  template <class T>
  [[nodiscard]] SpanOf<T> zero() const {
    return {std::vector<T>(rows_ * width_), std::vector<T>(rows_ * width_),
            std::vector<double>(free_)};
  }

  /// work(block, first row, last row + 1) for all blocks of rows.
  void for_blocks(const std::function<void(std::size_t, std::size_t, std::size_t)>& work) const;
  /// v.scores from v.a; the largest component of X^T a. `means` (width) are taken off the scores,
  /// if given.
  double score(SpanVector& v, std::vector<double>* means = nullptr);
  /// v.scores without the centring, in parts which add_parts() adds up block by block.
  void start_scores(const SpanStep& v);
  /// means[k] of the scores of v, from the rows of v.a in a block: added to `means`.
  void add_means(const SpanStep& v, std::size_t begin, std::size_t end, double* means) const;
  /// The scores that start_scores() has left in parts, with `means` (width) taken off.
  void finish_scores(SpanStep& v, std::size_t begin, std::size_t end,
                     const std::vector<double>& means) const;
  /// theta = X^T a, D x width.
  [[nodiscard]] std::vector<double> expand(const std::vector<double>& a);

 private:
  static constexpr std::size_t kLanes = 4;
  static constexpr std::size_t kRows = 128;

  [[nodiscard]] std::vector<double> means_of(const std::vector<double>& table) const;

  const FitRows& fit_;
  std::size_t rows_;
  std::size_t free_;
  std::size_t width_;
  bool centered_;
  parallel::Team& team_;
  ColumnStore columns_;
  std::vector<std::size_t> shares_;
  std::vector<std::vector<double>> parts_;
  std::vector<std::vector<float>> float_parts_;
  std::vector<double> centers_;  ///< N: X X^T w, so that the means of X X^T a are a^T X X^T w
};

}  // namespace logodds::models::softmax
