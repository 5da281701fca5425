// The Hessian of the softmax objective from rows that were picked for pairs of classes.
#pragma once

#include <Eigen/Core>

#include "kernels/pair_picks.hpp"
#include "models/softmax/digits.hpp"
#include "models/softmax/objective.hpp"

namespace logodds::models::softmax {

/// Second derivatives by the parameters of all classes but `reference`, class after class, which
/// are counted from the reference's: the gradient's components are those of the objective, and a
/// step is one of all classes once what they have in common is taken off. Lower triangle. The
/// decay is diagonal, the rows are standardised where they lie (`scale`).
[[nodiscard]] Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> pair_hessian(
    const SoftmaxObjective& objective, const kernels::PairPicks& picks, std::size_t reference,
    Digits digits);

}  // namespace logodds::models::softmax
