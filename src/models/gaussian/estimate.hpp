// The last step of estimation, which a search over regularisers repeats.
#pragma once

#include "logodds/models/learner.hpp"
#include "models/gaussian/covariances.hpp"
#include "models/gaussian/statistics.hpp"

namespace logodds::models::gaussian {

/// Throws Error(numeric) for a covariance that is singular.
[[nodiscard]] Densities densities_from(const DesignMoments& moments, const CovarianceTask& task,
                                       const ShrunkTargets& shrunk, const std::string& priors,
                                       std::vector<std::string>& notes);

/// Says `own` where --blend makes it so, and replaces --blend auto by the pair that predicts best.
void settle_blend(GaussianStatistics& statistics, Options& options, const Schema& schema,
                  const Context& context, FitReport& report);

/// "component 1", ...
[[nodiscard]] std::vector<std::string> component_names(std::size_t count);

}  // namespace logodds::models::gaussian
