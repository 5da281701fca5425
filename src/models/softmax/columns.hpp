// Columns of the rows of a fit: means, variances, and the penalties that they carry.
#pragma once

#include <vector>

#include "models/softmax/solve.hpp"

namespace logodds::models::softmax {

struct ColumnSpread {
  std::vector<double> mean;
  std::vector<double> variance;  ///< sum_n w_n (x - mean)^2 / sum_n w_n; 0 for a constant column
};

/// In one pass, dense or sparse.
[[nodiscard]] ColumnSpread column_spread(const FitRows& rows);

/// sum_i decay_i theta_i^2 + l1_i |theta_i|, in the user's units, for every class.
struct Penalty {
  std::vector<double> decay;
  std::vector<double> l1;
};

/// With `standardize` theta_i is multiplied by the column's standard deviation, unless it is 0.
[[nodiscard]] Penalty penalty_of(const FitRows& rows, const Wish& wish);

}  // namespace logodds::models::softmax
