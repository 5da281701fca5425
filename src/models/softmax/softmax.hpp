// Softmax regression (SPEC 5): the posterior modelled directly, fitted by an optimiser.
#pragma once

#include <string>
#include <vector>

#include "logodds/data/design.hpp"
#include "logodds/models/concepts.hpp"
#include "logodds/models/evidence.hpp"
#include "logodds/stats/training_rows.hpp"
#include "models/design_parts.hpp"

namespace logodds::models::softmax {

/// How the optimiser ended.
struct Convergence {
  double objective = 0.0;
  double gradient_norm = 0.0;
  double iterations = 0.0;
};

/// a_k = theta_k . (x - center) + bias_k, in the user's units.
class SoftmaxDiscriminant final : public Evidence {
 public:
  SoftmaxDiscriminant(const Schema& schema, std::vector<double> center,
                      std::vector<double> coefficients, std::vector<double> bias,
                      Convergence convergence);

  void log_scores(const RowBlock& block, std::span<double> out) const;
  [[nodiscard]] Description describe() const;
  /// Schema columns; the term of one is (theta_a - theta_b)_i (x - center)_i, indicators added up,
  /// and the base is bias_a - bias_b, the log odds of a row at the center: around 0 the terms of a
  /// column such as `year` would be huge, and cancel. (evidence.cpp)
  [[nodiscard]] const std::vector<std::string>& parts() const override { return parts_.names; }
  void contributions(const RowBlock& block, std::span<const std::int32_t> first,
                     std::span<const std::int32_t> second, std::span<double> out,
                     std::span<double> base) const override;
  void save(modelfile::Writer& writer) const;
  [[nodiscard]] static SoftmaxDiscriminant load(const modelfile::Reader& reader,
                                                const Schema& schema, const Options& options);

 private:
  /// theta_k0 = bias_k - theta_k . center
  [[nodiscard]] std::vector<double> intercepts() const;

  std::vector<std::string> labels_;
  Design design_;
  DesignParts parts_;
  std::vector<double> center_;        ///< D
  std::vector<double> coefficients_;  ///< D x K, row-major
  std::vector<double> bias_;          ///< K
  Convergence convergence_;
};

struct SoftmaxFamily {
  using Statistics = TrainingRows;
  using Discriminant = SoftmaxDiscriminant;
  static constexpr bool keeps_statistics = false;

  static TrainingRows start(const Options&) { return {}; }
  static SoftmaxDiscriminant estimate(const TrainingRows& rows, EstimatorInput input);
};

}  // namespace logodds::models::softmax
