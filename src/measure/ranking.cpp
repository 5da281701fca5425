#include "logodds/measure/ranking.hpp"

#include <limits>

#include "measure/class_scores.hpp"
#include "measure/ranked_rows.hpp"

namespace logodds::measure {

Estimate roc_auc(const Scores& scores, double level, const Context& context) {
  const RankedRows rows(scores, context.threads);
  return auc_estimate(rows, auc_spread(rows), level);
}

Estimate average_precision(const Scores& scores, double level, const Context& context) {
  const RankedRows rows(scores, context.threads);
  return average_precision_estimate(rows, average_precision_spread(rows), level);
}

RocCurve roc_curve(const Scores& scores, const Context& context) {
  const RankedRows rows(scores, context.threads);
  RocCurve curve{{std::numeric_limits<double>::infinity()}, {0.0}, {0.0}, {1.0}};
  double positives = 0.0;
  double negatives = 0.0;
  rows.each_score([&](const TiedRows& tied) {
    positives += tied.positives;
    negatives += tied.negatives;
    curve.thresholds.push_back(rows.score(tied.first));
    curve.false_positive_rates.push_back(negatives / rows.all().negatives);
    curve.true_positive_rates.push_back(positives / rows.all().positives);
    curve.precisions.push_back(positives / (positives + negatives));
  });
  return curve;
}

RocCurve roc_curve(const KeptRows& rows, std::size_t k, const Context& context) {
  ClassScores scores(rows);
  return roc_curve(scores.of_class(k), context);
}

}  // namespace logodds::measure
