// Coefficients of an earlier model as the point where a fit starts.
#pragma once

#include <vector>

#include "logodds/models/concepts.hpp"
#include "models/binary/coordinates.hpp"

namespace logodds::models::binary {

/// The coefficients of `model` in the optimiser's coordinates. Throws Error(usage) when it is of
/// another family, or its columns, classes or features are not those of the fit.
[[nodiscard]] std::vector<double> warm_start(const Classifier& model, const EstimatorInput& input,
                                             const Coordinates& coordinates);

}  // namespace logodds::models::binary
