// Moments of rows that lack values, completed: by EM, or from the cases available.
#pragma once

#include <functional>
#include <vector>

#include "logodds/context.hpp"
#include "logodds/stats/pattern_moments.hpp"
#include "models/gaussian/covariances.hpp"

namespace logodds::models::gaussian {

/// The moments of one class and pattern in design coordinates.
struct PatternPart {
  std::size_t label = 0;
  std::vector<std::size_t> observed;  ///< design columns
  std::vector<std::size_t> missing;
  double weight = 0.0;
  std::vector<double> mean;     ///< of the observed columns
  std::vector<double> scatter;  ///< observed x observed, or observed when only squares are kept
};
[[nodiscard]] std::vector<PatternPart> pattern_parts(const PatternMoments& moments,
                                                     const Design& design);

/// Throws Error(input) for a class in which a column has no value at all.
void check_observed(const DesignMoments& complete, const std::vector<PatternPart>& parts,
                    const CovarianceTask& task);

/// Means over the rows that have the column, covariances over those that have both.
[[nodiscard]] DesignMoments available_moments(const DesignMoments& complete,
                                              const std::vector<PatternPart>& parts);

/// Where EM went: ln p of what was observed, at the start and after each step.
struct EmTrace {
  std::vector<double> log_likelihoods;
  bool converged = false;
  double last_change = 0.0;  ///< of a moment in the last step, in standard deviations
};

/// The shrinkage of moments as they come along; see shrunk_targets().
using Shrinker = std::function<ShrunkTargets(const DesignMoments&)>;

/// The expected moments of the complete rows at the maximum of the likelihood of what was observed,
/// under the structure and regularisers of the task (Dempster, Laird & Rubin, 1977).
[[nodiscard]] DesignMoments em_moments(const DesignMoments& complete,
                                       const std::vector<PatternPart>& parts,
                                       const CovarianceTask& task, const Shrinker& shrinker,
                                       const Context& context, EmTrace& trace);

/// sum_n w_n ln p(x_n | class) of the complete moments and of the parts.
[[nodiscard]] double observed_log_likelihood(const DesignMoments& complete,
                                             const std::vector<PatternPart>& parts,
                                             const Densities& densities);

}  // namespace logodds::models::gaussian
