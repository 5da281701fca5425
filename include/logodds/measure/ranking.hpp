// How well a score tells two kinds of rows apart, whatever its scale: the area under the ROC curve
// and average precision. The scores are sorted, which takes 24 bytes a row for the while.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "logodds/context.hpp"
#include "logodds/measure/estimate.hpp"
#include "logodds/measure/kept_rows.hpp"

namespace logodds::measure {

/// One score a row, larger for rows that are more likely positive. An empty `weights` is all 1.
struct Scores {
  std::span<const double> values;
  std::span<const std::uint8_t> positive;
  std::span<const double> weights{};
};

/// P(a positive row scores above a negative one) + P(they tie) / 2, with the interval of DeLong,
/// DeLong & Clarke-Pearson (Biometrics 44, 1988). Where all positive rows are above all negative
/// ones, m = min(rows) pairs of one each are m independent trials that all succeeded, and the
/// interval is the exact one of that. NaN where all rows are of one kind. Throws Error(input) for
/// a score that is NaN.
[[nodiscard]] Estimate roc_auc(const Scores& scores, double level = 0.95,
                               const Context& context = {});

/// sum_n (R_n - R_(n-1)) P_n over thresholds n from the highest on, recall R and precision P.
[[nodiscard]] Estimate average_precision(const Scores& scores, double level = 0.95,
                                         const Context& context = {});

/// Of rows that score at least thresholds[i], from the highest threshold on; the first point is
/// that of none, at infinity.
struct RocCurve {
  std::vector<double> thresholds;
  std::vector<double> false_positive_rates;
  std::vector<double> true_positive_rates;  ///< recall
  std::vector<double> precisions;           ///< 1 where there are none
};
[[nodiscard]] RocCurve roc_curve(const Scores& scores, const Context& context = {});
/// By the posterior of class k.
[[nodiscard]] RocCurve roc_curve(const KeptRows& rows, std::size_t k, const Context& context = {});

}  // namespace logodds::measure
