// Weights that measures and calibrations can square and add up.
#pragma once

#include "logodds/data/source.hpp"

namespace logodds::measure {

/// Squares of weights, their products with costs, and sums of these over any number of rows stay
/// within the range of a double.
inline constexpr double kLeastWeight = 1e-100;
inline constexpr double kLargestWeight = 1e100;

/// Throws Error(input), with the place of the row, for a weight that is not 0 and outside of them.
void check_weights(const RowBuffer& rows, const BlockSource& source);

}  // namespace logodds::measure
