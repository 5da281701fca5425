// Two classes with a link: logit, probit or complementary log-log regression.
#pragma once

#include <string>
#include <vector>

#include "logodds/models/classifier.hpp"
#include "logodds/models/coefficients.hpp"
#include "logodds/models/concepts.hpp"
#include "logodds/models/evidence.hpp"
#include "logodds/stats/training_rows.hpp"
#include "models/binary/links.hpp"
#include "models/linear/inference.hpp"
#include "models/linear/linear_scores.hpp"

namespace logodds::models::binary {

/// How the fit ended. Deviance: -2 times the log-likelihood of the training rows.
struct FitEnd {
  double objective = 0.0;
  double gradient_norm = 0.0;
  double iterations = 0.0;
  double deviance = 0.0;
};

/// The scores of LinearScores are (0, eta), p = F(eta) is the posterior of the second label.
class BinaryDiscriminant final : public Evidence, public Coefficients {
 public:
  BinaryDiscriminant(Link link, linear::LinearScores scores, linear::Inference inference,
                     FitEnd end);

  /// ln(1 - p) and ln p.
  void log_scores(const RowBlock& block, std::span<double> out) const;
  [[nodiscard]] Description describe() const;
  /// "coefficients" (1 x D) and "intercepts" (1), of eta.
  [[nodiscard]] std::vector<NamedArray> arrays() const;

  /// Log odds are a sum over columns with the logit link alone.
  [[nodiscard]] const Evidence* evidence() const { return link_ == Link::logit ? this : nullptr; }
  [[nodiscard]] const std::vector<std::string>& parts() const override { return scores_.parts(); }
  void contributions(const RowBlock& block, std::span<const std::int32_t> first,
                     std::span<const std::int32_t> second, std::span<double> out,
                     std::span<double> base) const override {
    scores_.contributions(block, first, second, out, base);
  }
  [[nodiscard]] CoefficientTable coefficient_table(double level) const override;

  void save(modelfile::Writer& writer) const;
  [[nodiscard]] static BinaryDiscriminant load(const modelfile::Reader& reader,
                                               const Schema& schema, const Options& options);

 private:
  /// theta_i of eta, i counted from the first feature.
  [[nodiscard]] double coefficient(std::size_t i) const {
    return scores_.coefficients()[2 * i + 1];
  }

  Link link_;
  linear::LinearScores scores_;
  linear::Inference inference_;
  FitEnd end_;
};

struct BinaryFamily {
  using Statistics = TrainingRows;
  using Discriminant = BinaryDiscriminant;
  static constexpr bool keeps_statistics = false;

  static TrainingRows start(const Options&) { return {}; }
  static BinaryDiscriminant estimate(const TrainingRows& rows, EstimatorInput input);
};

/// Indicators of levels are all there under a decay, which picks one of the equivalent solutions;
/// without one the first level of a column is what the others are compared with.
[[nodiscard]] inline OneHot one_hot_for(const Options& options) {
  return options.real("decay") > 0.0 ? OneHot::full : OneHot::reference;
}

}  // namespace logodds::models::binary
