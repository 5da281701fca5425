// What every class makes of the observed part of a row.
#pragma once

#include <vector>

#include "logodds/data/design.hpp"
#include "models/gaussian/densities.hpp"

namespace logodds::models::gaussian {

/// With o the observed coordinates of a row; of a row without any everything is 0.
struct ObservedParts {
  std::vector<double> squared_distances;  ///< ||L_k,oo^-1 (x_o - mu_k,o)||^2, rows x K
  std::vector<double> log_determinants;   ///< ln |Sigma_k,oo|, rows x K
  std::vector<std::size_t> counts;        ///< how many values a row has
};

[[nodiscard]] ObservedParts observed_parts(const Densities& densities, const DesignRows& rows);

}  // namespace logodds::models::gaussian
