// Means of the columns of a design.
#pragma once

#include <vector>

#include "logodds/data/design.hpp"

namespace logodds::models::linear {

/// `weights`: one a row, or null: all 1. In two passes: the second adds the mean of what the
/// rounding of the first left over, so that a constant column lies at its mean.
[[nodiscard]] std::vector<double> column_means(const DesignRows& rows, const double* weights);

}  // namespace logodds::models::linear
