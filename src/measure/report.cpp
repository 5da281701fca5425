#include "logodds/measure/report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "logodds/error.hpp"
#include "measure/bootstrap.hpp"
#include "measure/calibration_measures.hpp"
#include "measure/class_scores.hpp"
#include "measure/confusion_measures.hpp"
#include "measure/intervals.hpp"
#include "measure/ranked_rows.hpp"

namespace logodds::measure {

namespace {

Estimate mean_loss(const Measures& measures, const Measures::LossSums& sums, double level,
                   double most) {
  return mean_of(sums, {measures.weight(), measures.weight_squares()}, level, 0.0, most);
}

/// Classes that have both rows and others to be told from.
double rankable(const Report& found, double weight) {
  return static_cast<double>(std::ranges::count_if(found.classes, [&](const ClassReport& one) {
    return one.weight > 0.0 && one.weight < weight;
  }));
}

void fill_ranking_measures(const Measures& measures, const KeptRows& kept, double level,
                           const Context& context, Report& found) {
  ClassScores scores(kept);
  std::vector<double> auc_influences(kept.rows(), 0.0);
  std::vector<double> precision_influences(kept.rows(), 0.0);
  const double count = rankable(found, measures.weight());
  double auc = 0.0;
  double precision = 0.0;
  double least = 1.0;
  for (std::size_t k = 0; k < measures.classes(); ++k) {
    ClassReport& one = found.classes[k];
    if (!(one.weight > 0.0 && one.weight < measures.weight())) { continue; }
    const RankedRows rows(scores.of_class(k), context.threads);
    one.auc = auc_estimate(rows, auc_spread(rows, auc_influences, 1.0 / count), level);
    one.average_precision = average_precision_estimate(
        rows, average_precision_spread(rows, precision_influences, 1.0 / count), level);
    auc += one.auc.value / count;
    precision += one.average_precision.value / count;
    least = std::min(least, one.auc.lower);
  }
  if (count == 0.0) { return; }
  const double rows = measures.weight() * measures.weight() / measures.weight_squares();
  found.average_precision = jackknife(precision, scores.squared_sum(precision_influences), rows,
                                      Scale::logit, level, 0.0, 1.0);
  const double variance = scores.squared_sum(auc_influences);
  found.auc = {.value = auc};
  constexpr double kRounding = 1e-12;
  if (std::min(auc, 1.0 - auc) >= kRounding && variance > 0.0) {
    const double reach = normal_quantile(level) * std::sqrt(variance);
    found.auc = {auc, std::max(0.0, auc - reach), std::min(1.0, auc + reach),
                 IntervalMethod::delong};
  } else if (1.0 - auc < kRounding) {
    found.auc = {auc, least, 1.0, IntervalMethod::exact};  // no mean is below the least of them
  }
}

void check(const Measures& measures, const ReportOptions& options) {
  if (!(options.level > 0.0 && options.level < 1.0)) {
    throw Error(ErrorCode::usage, "the level of an interval is between 0 and 1, as 0.95 is");
  }
  if (options.bootstrap > 0 && measures.kept_rows() == nullptr) {
    throw Error(ErrorCode::usage,
                "the bootstrap draws from the rows, which are too many to be kept; leave it out");
  }
}

}  // namespace

Report report(const Measures& measures, const ReportOptions& options, const Context& context) {
  check(measures, options);
  Report found{.level = options.level};
  found.classes.resize(measures.classes());
  if (measures.rows() == 0) { return found; }
  fill_confusion_measures(measures, options.level, found);
  constexpr double kLargest = std::numeric_limits<double>::max();
  found.log_loss = mean_loss(measures, measures.log_loss_sums(), options.level, kLargest);
  found.brier = mean_loss(measures, measures.brier_sums(), options.level, 2.0);
  for (std::size_t k = 0; k < measures.classes(); ++k) {
    found.classes[k].brier = mean_loss(measures, measures.class_brier_sums(k), options.level, 1.0);
  }
  if (!measures.decision_calibration().bins().empty()) {
    fill_calibration_measures(measures, options.level, found);
  }
  if (const KeptRows* const kept = measures.kept_rows()) {
    fill_ranking_measures(measures, *kept, options.level, context, found);
    if (options.bootstrap > 0) { bootstrap_intervals(measures, options, context, found); }
  }
  return found;
}

std::span<const NamedMeasure<Report>> overall_measures() {
  static constexpr std::array<NamedMeasure<Report>, 15> kMeasures{{
      {"error_rate", "error rate", &Report::error_rate},
      {"accuracy", "accuracy", &Report::accuracy},
      {"balanced_accuracy", "balanced accuracy", &Report::balanced_accuracy},
      {"macro_f1", "macro F1", &Report::macro_f1},
      {"matthews", "Matthews correlation", &Report::matthews},
      {"kappa", "Cohen's kappa", &Report::kappa},
      {"auc", "AUC", &Report::auc},
      {"average_precision", "average precision", &Report::average_precision},
      {"log_loss", "log loss", &Report::log_loss},
      {"brier", "Brier score", &Report::brier},
      {"brier_reliability", "Brier: reliability", &Report::reliability},
      {"brier_resolution", "Brier: resolution", &Report::resolution},
      {"brier_uncertainty", "Brier: uncertainty", &Report::uncertainty},
      {"brier_within_bins", "Brier: within bins", &Report::within_bins},
      {"expected_calibration_error", "expected calibration error", &Report::calibration_error},
  }};
  return kMeasures;
}

std::span<const NamedMeasure<ClassReport>> class_measures() {
  static constexpr std::array<NamedMeasure<ClassReport>, 7> kMeasures{{
      {"precision", "precision", &ClassReport::precision},
      {"recall", "recall", &ClassReport::recall},
      {"f1", "F1", &ClassReport::f1},
      {"auc", "AUC", &ClassReport::auc},
      {"average_precision", "average precision", &ClassReport::average_precision},
      {"brier", "Brier score", &ClassReport::brier},
      {"expected_calibration_error", "calibration error", &ClassReport::calibration_error},
  }};
  return kMeasures;
}

}  // namespace logodds::measure
