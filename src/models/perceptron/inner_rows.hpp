// Training rows in the units in which a perceptron learns: a step along a column of large numbers
// would otherwise drown the others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/linear/features.hpp"

namespace logodds::models::perceptron {

/// z_i = (x_i - center_i) / unit_i. Of dense rows mean and standard deviation; of sparse rows,
/// whose zeros are to stay zeros, 0 and the largest absolute value. A column without either has
/// unit 1.
struct InnerUnits {
  std::vector<double> center;
  std::vector<double> unit;
  bool sparse = false;
};

/// Dense rows: all columns. Sparse rows: what is not 0.
struct InnerRow {
  std::span<const double> values;
  std::span<const std::uint32_t> indices;  ///< empty for dense rows
};

/// Row-major, or by starts, indices and values. Owns all but labels and weights.
class InnerRows {
 public:
  /// Sparse when the rows are and the features can be. Throws Error(numeric) when the values of a
  /// column are so large that their squares overflow.
  InnerRows(const RowBlock& rows, const linear::Features& features);

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return units_.center.size(); }
  [[nodiscard]] const InnerUnits& units() const { return units_; }
  [[nodiscard]] bool sparse() const { return units_.sparse; }
  [[nodiscard]] InnerRow row(std::size_t r) const;
  /// All rows, when they are dense.
  [[nodiscard]] const double* dense() const { return values_.data(); }
  [[nodiscard]] std::size_t label(std::size_t r) const {
    return static_cast<std::size_t>(labels_[r]);
  }
  [[nodiscard]] double weight(std::size_t r) const {
    return weights_ == nullptr ? 1.0 : weights_[r];
  }
  /// Sum over the columns of the variance of z.
  [[nodiscard]] double total_variance() const;

 private:
  void take_dense(const RowBlock& rows, const linear::Features& features);
  void take_sparse(const RowBlock& rows, const linear::Features& features);

  std::size_t rows_;
  const std::int32_t* labels_;
  const double* weights_;
  InnerUnits units_;
  std::vector<double> values_;
  std::vector<std::size_t> starts_;  ///< of sparse rows
  std::vector<std::uint32_t> indices_;
};

}  // namespace logodds::models::perceptron
