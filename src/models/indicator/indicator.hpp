// Least squares on an indicator matrix, for comparison: each class's 0/1 column regressed
// on the features.
#pragma once

#include <string>
#include <vector>

#include "logodds/models/coefficients.hpp"
#include "logodds/models/concepts.hpp"
#include "logodds/stats/training_rows.hpp"
#include "models/linear/linear_scores.hpp"

namespace logodds::models::indicator {

/// What the training rows show of the model's weaknesses.
struct TrainingOutputs {
  double outside = 0.0;         ///< share of the rows with an output below 0 or above 1
  std::vector<double> decided;  ///< K: weight of the rows whose largest output is the class's
};

/// Outputs f_k = theta_k . (f(x) - center) + bias_k add up to 1 but may leave [0, 1]. Posteriors
/// are max(f_k, 0) over their sum. Since the sum of the outputs is 1, one of them is positive;
/// where rounding leaves none, all classes are equally likely.
class IndicatorDiscriminant final : public Coefficients {
 public:
  IndicatorDiscriminant(linear::LinearScores outputs, std::vector<std::int32_t> identifiable,
                        TrainingOutputs training);

  /// Logarithms of the posteriors; -infinity where an output is cut off.
  void log_scores(const RowBlock& block, std::span<double> out) const;
  [[nodiscard]] Description describe() const;
  [[nodiscard]] std::vector<NamedArray> arrays() const { return outputs_.arrays(); }
  [[nodiscard]] CoefficientTable coefficient_table(double level) const override;

  void save(modelfile::Writer& writer) const;
  [[nodiscard]] static IndicatorDiscriminant load(const modelfile::Reader& reader,
                                                  const Schema& schema, const Options& options);

 private:
  linear::LinearScores outputs_;
  std::vector<std::int32_t> identifiable_;  ///< by feature
  TrainingOutputs training_;
};

struct IndicatorFamily {
  using Statistics = TrainingRows;
  using Discriminant = IndicatorDiscriminant;
  static constexpr bool keeps_statistics = false;

  static TrainingRows start(const Options&) { return {}; }
  static IndicatorDiscriminant estimate(const TrainingRows& rows, EstimatorInput input);
};

/// All indicators of levels under a ridge, which picks one of the equivalent solutions.
[[nodiscard]] inline OneHot one_hot_for(const Options& options) {
  return options.real("ridge") > 0.0 ? OneHot::full : OneHot::reference;
}

}  // namespace logodds::models::indicator
