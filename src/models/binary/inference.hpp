// Standard errors of the coefficients of a two-class model.
#pragma once

#include "logodds/optimize/objective.hpp"
#include "models/binary/coordinates.hpp"
#include "models/binary/objective.hpp"
#include "models/linear/inference.hpp"

namespace logodds::models::binary {

/// From the inverse of the Fisher information of the rows at `result`. Under a decay only when it
/// moves no coefficient by a thousandth of its error, to first order, and the rows tell all of them
/// without it.
[[nodiscard]] linear::Inference inference_of(BinaryObjective& objective, const Problem& problem,
                                             const Coordinates& coordinates,
                                             const optimize::Result& result, double decay);

}  // namespace logodds::models::binary
