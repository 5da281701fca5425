// Standard errors of the coefficients of softmax regression.
#pragma once

#include "models/linear/identifiability.hpp"
#include "models/linear/inference.hpp"
#include "models/softmax/curvature.hpp"

namespace logodds::models::softmax {

/// The coefficients of the classes against the first: (D + 1) (K - 1).
[[nodiscard]] std::size_t coefficient_count(const FitRows& rows);
/// Whether there may be errors: no L1, not too many coefficients and, under a decay, little work.
[[nodiscard]] bool wants_information(const FitRows& rows, const Wish& wish);

/// From the inverse of the Fisher information at `at`, the optimum of `wish`, against the first
/// class. Under a decay only when it moves no coefficient by a thousandth of its error, to first
/// order. `information` is null where it is not wanted, or the optimiser did not converge.
[[nodiscard]] linear::Inference inference(const FitRows& rows, const Wish& wish, const Scores& at,
                                          const linear::Identifiability& columns,
                                          const Curvature* information);

}  // namespace logodds::models::softmax
