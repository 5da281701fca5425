// Every measure with its interval, finished from a Measures.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "logodds/context.hpp"
#include "logodds/measure/estimate.hpp"
#include "logodds/measure/measures.hpp"

namespace logodds::measure {

/// One class against all others.
struct ClassReport {
  double weight = 0.0;   ///< of the rows that are of the class
  double decided = 0.0;  ///< of the rows that were decided for it
  Estimate precision{};  ///< share of the decisions for it that are right
  Estimate recall{};     ///< share of its rows that are found
  Estimate f1{};         ///< 2 / (1 / precision + 1 / recall)
  Estimate auc{};
  Estimate average_precision{};
  Estimate brier{};              ///< mean of (p_k - [k = truth])^2
  Estimate calibration_error{};  ///< expected calibration error of p_k
};

/// Means over classes are over those that have a value.
struct Report {
  double level = 0.0;
  Estimate error_rate{};
  Estimate accuracy{};
  Estimate balanced_accuracy{};  ///< mean recall
  Estimate macro_f1{};           ///< mean F1
  Estimate log_loss{};
  Estimate brier{};
  /// Murphy's decomposition over the bins of the calibration curves, summed over the classes:
  /// brier = reliability - resolution + uncertainty + within_bins.
  Estimate reliability{};
  Estimate resolution{};
  Estimate uncertainty{};
  Estimate within_bins{};
  Estimate auc{};                ///< mean over the classes, each against the others
  Estimate average_precision{};  ///< the same
  Estimate calibration_error{};  ///< of the posterior of what was decided for
  Estimate matthews{};           ///< Gorodkin's R_K where there are more than two classes
  Estimate kappa{};              ///< Cohen's
  std::vector<ClassReport> classes{};
};

/// What shows or reads a report goes through these lists.
template <class Whole>
struct NamedMeasure {
  std::string_view key;    ///< for programs: "balanced_accuracy"
  std::string_view title;  ///< for people: "balanced accuracy"
  Estimate Whole::* estimate;
};
[[nodiscard]] std::span<const NamedMeasure<Report>> overall_measures();
[[nodiscard]] std::span<const NamedMeasure<ClassReport>> class_measures();

struct ReportOptions {
  double level = 0.95;
  /// Intervals that are neither exact nor DeLong's from so many samples of the rows, drawn with
  /// replacement by the context's seed, instead of by the jackknife; 0: none. Needs the rows kept.
  std::size_t bootstrap = 0;
};

/// Without kept rows there is no AUC, no average precision, and no interval of what is made of
/// calibration bins; without bins there is nothing of that at all.
[[nodiscard]] Report report(const Measures& measures, const ReportOptions& options = {},
                            const Context& context = {});

/// Share of the rows of class `truth` that were decided for class `decision`.
[[nodiscard]] Estimate confusion_rate(const Measures& measures, std::size_t truth,
                                      std::size_t decision, double level = 0.95);
/// Share of the rows of a bin for which the event happened.
[[nodiscard]] Estimate bin_share(const CalibrationBin& bin, double level = 0.95);

}  // namespace logodds::measure
