// Improved iterative scaling.
#pragma once

#include "models/softmax/solve.hpp"

namespace logodds::models::softmax {

/// Della Pietra, Della Pietra and Lafferty, "Inducing features of random fields" (1997): every
/// coefficient gets the step delta at which sum_n w_n p_nk x_ni exp(delta f_n) meets the observed
/// sum over the rows of class k, where f_n is the sum of row n's features; a decay adds 2 eps
/// (theta + delta) (Chen and Rosenfeld 1999). Features must not be negative: columns are taken from
/// their smallest value on, in units of their range, which the intercept makes good. Throws
/// Error(usage) for negative values without an intercept. There is no absolute value in `wish`.
[[nodiscard]] Solution solve_iis(const FitRows& rows, const Wish& wish, const Start& start,
                                 linear::FitTrace& trace);

}  // namespace logodds::models::softmax
