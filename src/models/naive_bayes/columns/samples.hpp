// The different values of a column with their weights: bandwidths and bins are made of them.
#pragma once

#include "models/naive_bayes/columns/common.hpp"

namespace logodds::models::naive_bayes::columns {

struct Sample {
  std::vector<double> values;  ///< ascending
  std::vector<double> weights;
  double weight = 0.0;  ///< sum of them
  /// How many rows: the weight in the largest unit that every value's weight is a multiple of. So
  /// a row of weight 2 is the row twice, and the unit of the weights does not matter.
  double count = 0.0;
};

/// Of a class, or of all classes together where it has no value.
[[nodiscard]] Sample class_sample(const ColumnSummary& rows, std::size_t k);
[[nodiscard]] Sample whole_sample(const ColumnSummary& rows);

/// sum w (x - mean)^2 / W times n / (n - 1), n the count; 0 where n is 1.
[[nodiscard]] double sample_variance(const Sample& sample);

/// Distance of the quartiles: type 7 of R (the position of a share p is p (n - 1), with linear
/// interpolation), for rows whose weights are scaled to the sum n.
[[nodiscard]] double interquartile_range(const Sample& sample);

}  // namespace logodds::models::naive_bayes::columns
