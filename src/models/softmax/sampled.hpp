// Many dense rows: a sample of them says where the optimum lies and how the objective is curved
// there, so that few passes over all rows are left.
#pragma once

#include "models/softmax/solve.hpp"

namespace logodds::models::softmax {

/// A Hessian, D x D for each class, can be had of a sample, and says something about all rows.
[[nodiscard]] bool fits_by_sample(const FitRows& rows);

/// L-BFGS on the rows where they lie, from the optimum of a sample. Its guess of the inverse
/// Hessian is that of a sample (two classes), comes from rows that passes pick for pairs of classes
/// (few parameters), or has a block for each class that is made anew in rounds (many).
[[nodiscard]] Solution solve_sampled(const FitRows& rows, const Wish& wish, const Start& start,
                                     linear::FitTrace& trace);

}  // namespace logodds::models::softmax
