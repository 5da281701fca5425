// How much, and towards what, the covariance of each class is shrunk: closed forms.
#pragma once

#include "models/gaussian/covariances.hpp"
#include "models/gaussian/statistics.hpp"

namespace logodds::models::gaussian {

/// Empty without shrinkage. A fixed share and OAS (Chen, Wiesel, Eldar & Hero, 2010) shrink towards
/// the mean variance times the identity; Ledoit & Wolf's (2004) share is that of the standardised
/// columns, so that their units do not matter: it shrinks towards the diagonal.
[[nodiscard]] ShrunkTargets shrunk_targets(const CovarianceRule& rule, const DesignMoments& moments,
                                           const GaussianStatistics& statistics,
                                           const Design& design);

}  // namespace logodds::models::gaussian
