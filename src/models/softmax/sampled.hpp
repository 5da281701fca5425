// Many dense rows: a sample of them says where the optimum lies and how the objective is curved
// there, so that few passes over all rows are left.
#pragma once

#include "models/softmax/solve.hpp"

namespace logodds::models::softmax {

/// L-BFGS on the rows where they lie. It starts at the optimum of a sample, and its first guess of
/// the inverse Hessian is that of the sample.
/// A Hessian, D x D for each class, can be had of a sample, and says something about all rows.
[[nodiscard]] bool fits_by_sample(const FitRows& rows);

[[nodiscard]] Solution solve_sampled(const FitRows& rows, const Wish& wish, const Start& start,
                                     linear::FitTrace& trace);

}  // namespace logodds::models::softmax
