// The last step of estimation, which a search over regularisers repeats.
#pragma once

#include "models/gaussian/covariances.hpp"

namespace logodds::models::gaussian {

/// Throws Error(numeric) for a covariance that is singular.
[[nodiscard]] Densities densities_from(const DesignMoments& moments, const CovarianceTask& task,
                                       const ShrunkTargets& shrunk, const std::string& priors,
                                       std::vector<std::string>& notes);

/// "component 1", ...
[[nodiscard]] std::vector<std::string> component_names(std::size_t count);

}  // namespace logodds::models::gaussian
