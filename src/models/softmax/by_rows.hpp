// Sparse rows with more columns than rows: the optimum lies in the span of the rows.
#pragma once

#include "models/softmax/solve.hpp"

namespace logodds::models::softmax {

/// With a decay the optimum is theta = X^T alpha, alpha being N x F (Kimeldorf and Wahba 1971).
/// True when that is the smaller problem.
[[nodiscard]] bool fits_by_rows(const FitRows& rows, const Wish& wish);

/// L-BFGS over theta, where every vector X^T a is held as its a and its scores X X^T a: inner
/// products are a . X X^T a', a trial of the line search costs no product, and an iteration one
/// with X X^T. The path is that of L-BFGS over theta itself, from coefficients of 0.
[[nodiscard]] Solution solve_by_rows(const FitRows& rows, const Wish& wish,
                                     linear::FitTrace& trace);

}  // namespace logodds::models::softmax
