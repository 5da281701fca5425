// Means and variances of columns, by which clusterings bring them to like scales.
#pragma once

#include <string>
#include <vector>

#include "logodds/data/design.hpp"

namespace logodds::models::clusters {

struct ColumnScales {
  std::vector<double> means;
  std::vector<double> variances;  ///< divisor: the weight
  bool vanishes = false;          ///< a value is off its mean by so little that the square is 0
};

/// `weights` null: all 1.
[[nodiscard]] ColumnScales column_scales(const DesignRows& rows, const double* weights);

/// What is said where one column alone decides the distances; empty where none does. Throws
/// Error(numeric) where squared distances overflow or vanish.
[[nodiscard]] std::string scale_note(const ColumnScales& scales,
                                     const std::vector<std::string>& names);

/// Rows in units of the standard deviations: z_i = (x_i - means_i) / deviations_i.
struct Standardization {
  std::vector<double> means;       ///< empty: rows stay as they are
  std::vector<double> deviations;  ///< 1 where a column is constant

  [[nodiscard]] bool none() const { return means.empty(); }
  /// The rows themselves, or `scratch`.
  [[nodiscard]] DesignRows apply(const DesignRows& rows, std::vector<double>& scratch) const;
  /// Back to the units of the columns: points is row-major, any number x columns.
  void undo(std::vector<double>& points) const;
};

[[nodiscard]] Standardization standardization(const ColumnScales& scales);

}  // namespace logodds::models::clusters
