// What decisions cost by the threshold from which a class is decided.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "logodds/decide/policy.hpp"
#include "logodds/decide/threshold.hpp"
#include "logodds/measure/estimate.hpp"
#include "logodds/measure/kept_rows.hpp"

namespace logodds::plots {

/// Mean costs where the class is decided exactly for rows whose posterior is t or more, and the
/// likeliest of the others for the rest, for low < t <= high.
struct CostStep {
  double low = 0.0;
  double high = 1.0;
  measure::Estimate realized;  ///< by the truths
  double expected = 0.0;       ///< by the posteriors
};

struct CostCurve {
  std::vector<CostStep> steps;  ///< from the highest threshold to 0
  /// As decide::cheapest_threshold() chooses it.
  std::optional<decide::ThresholdChoice> cheapest{};
};

[[nodiscard]] CostCurve cost_curve(const measure::KeptRows& rows, const decide::Costs& costs,
                                   std::size_t label, double level);

/// Two classes: the threshold that costs least where posteriors are right; nothing where one
/// decision is never dearer than the other.
[[nodiscard]] std::optional<double> ideal_threshold(const decide::Costs& costs, std::size_t label);

}  // namespace logodds::plots
