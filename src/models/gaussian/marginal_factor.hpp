// The covariance of some of the coordinates, as a factor.
#pragma once

#include <vector>

#include "models/gaussian/covariance.hpp"

namespace logodds::models::gaussian {

/// Sigma_oo = L_o L_o^T with L_o the rows `observed` (rising) of L, as a factor. Rotations (Givens)
/// make the rows triangular again without forming or squaring anything: as accurate as L itself,
/// column by column, whatever the units. About 3 D^2 operations for each coordinate left out.
[[nodiscard]] CholeskyFactor marginal_factor(const CholeskyFactor& factor,
                                             const std::vector<std::size_t>& observed);

}  // namespace logodds::models::gaussian
