// Softmax regression on sparse rows, which stay sparse.
#pragma once

#include "models/softmax/solve.hpp"

namespace logodds::models::softmax {

/// Any optimiser that needs no matrix, on coefficients in units of their columns' root mean
/// squares.
[[nodiscard]] Solution solve_sparse(const FitRows& rows, const Wish& wish, const Start& start,
                                    linear::FitTrace& trace);

}  // namespace logodds::models::softmax
