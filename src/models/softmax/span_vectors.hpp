// Vectors in the span of sparse rows, and their products in a fixed order.
#pragma once

#include <vector>

#include "models/softmax/sparse_columns.hpp"

namespace logodds::models::softmax {

/// X^T a with its scores X X^T a, and a part of its own for the biases.
struct SpanVector {
  std::vector<double> a;       ///< N x width
  std::vector<double> scores;  ///< N x width
  std::vector<double> bias;    ///< F
};

/// Products and sums in fixed blocks, so that they have the same bits for any number of threads.
class SpanSpace {
 public:
  SpanSpace(const FitRows& rows, const std::vector<double>& scale);

  [[nodiscard]] std::size_t free() const { return free_; }
  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] const ColumnStore& columns() const { return columns_; }
  [[nodiscard]] SpanVector zero() const;
  /// v.scores = X X^T v.a
  void score(SpanVector& v);
  /// The inner products of v with each of the others.
  [[nodiscard]] std::vector<double> products(const SpanVector& v,
                                             const std::vector<const SpanVector*>& others) const;
  /// out = sum_j factors_j vectors_j
  void combine(const std::vector<double>& factors, const std::vector<const SpanVector*>& vectors,
               SpanVector& out) const;
  /// The plain inner product of two N x width tables.
  [[nodiscard]] double dot(const std::vector<double>& a, const std::vector<double>& b) const;

  /// out = a + factor b, tables all.
  void add(const std::vector<double>& a, double factor, const std::vector<double>& b,
           std::vector<double>& out) const;
  /// The weighted means over the rows, one a class; and the table without them.
  [[nodiscard]] std::vector<double> means(const std::vector<double>& table) const;
  void center(std::vector<double>& table) const;
  /// Takes w_n / W totals_k off: the sums over the rows become 0.
  void take_off(const std::vector<double>& totals, std::vector<double>& table) const;

 private:
  static constexpr std::size_t kLanes = 4;
  template <class Work>
  void for_blocks(const Work& work) const;

  const FitRows& fit_;
  std::size_t size_;  ///< N x width
  std::size_t free_;
  std::size_t width_;
  int threads_;
  ColumnStore columns_;
  std::vector<std::size_t> shares_;
  std::vector<std::vector<double>> parts_;  ///< of the lanes of score()
};

}  // namespace logodds::models::softmax
