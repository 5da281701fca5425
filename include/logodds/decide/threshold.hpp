// The threshold of one class, chosen on validation rows.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace logodds::decide {

/// What a validation row says: the posterior of the class, and what it costs to decide for it or
/// for the best of the others.
struct ThresholdRow {
  double posterior = 0.0;
  bool positive = false;  ///< the row is of the class
  double cost_if_decided = 0.0;
  double cost_if_not = 0.0;
  double weight = 1.0;
};

/// The largest posterior besides that of one class, ties to the first; there are at least two.
[[nodiscard]] std::size_t argmax_of_others(std::span<const double> posteriors, std::size_t label);

/// Rows whose posterior is `threshold` or more are decided for the class.
struct ThresholdChoice {
  double threshold = 0.0;
  double decided = 0.0;    ///< weight of these rows
  double precision = 0.0;  ///< the share of them that is of the class
  double recall = 0.0;     ///< the share of the class that is among them
  double cost = 0.0;       ///< mean over all rows
};

/// The least mean cost, of equal ones the highest threshold; between two posteriors that occur it
/// stands in the middle. Nothing when it is cheapest never to decide for the class.
[[nodiscard]] std::optional<ThresholdChoice> cheapest_threshold(std::vector<ThresholdRow> rows);
/// Of the thresholds with at least this precision the one with the largest recall. Nothing when
/// there is none.
[[nodiscard]] std::optional<ThresholdChoice> precise_threshold(std::vector<ThresholdRow> rows,
                                                               double precision);
/// The largest precision that a threshold has.
[[nodiscard]] double best_precision(std::vector<ThresholdRow> rows);

}  // namespace logodds::decide
