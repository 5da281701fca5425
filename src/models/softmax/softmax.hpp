// Softmax regression: the posterior modelled directly, fitted by an optimiser.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "logodds/models/coefficients.hpp"
#include "logodds/models/concepts.hpp"
#include "logodds/models/evidence.hpp"
#include "logodds/stats/training_rows.hpp"
#include "models/linear/inference.hpp"
#include "models/linear/linear_scores.hpp"

namespace logodds::models::softmax {

/// How the optimiser ended.
struct Convergence {
  double objective = 0.0;
  double gradient_norm = 0.0;
  double iterations = 0.0;
  std::string optimizer{};  ///< empty in a file of a version that kept none
  /// -2 ln L, where the penalty that is in the objective can be told from the coefficients.
  std::optional<double> deviance{};
};

/// 2 (objective - decay sum theta^2 - l1 sum |theta|); nothing where the penalties act on
/// standardized columns, whose spread a model does not hold.
[[nodiscard]] std::optional<double> deviance_of(double objective, std::span<const double> theta,
                                                const Options& options);

class SoftmaxDiscriminant final : public Evidence, public Coefficients {
 public:
  SoftmaxDiscriminant(linear::LinearScores scores, Convergence convergence,
                      linear::Inference inference);

  void log_scores(const RowBlock& block, std::span<double> out) const {
    scores_.log_scores(block, out);
  }
  [[nodiscard]] bool takes_sparse() const { return scores_.features().takes_sparse(); }
  [[nodiscard]] Description describe() const;
  [[nodiscard]] std::vector<NamedArray> arrays() const { return scores_.arrays(); }
  [[nodiscard]] const std::vector<std::string>& parts() const override { return scores_.parts(); }
  void contributions(const RowBlock& block, std::span<const std::int32_t> first,
                     std::span<const std::int32_t> second, std::span<double> out,
                     std::span<double> base) const override {
    scores_.contributions(block, first, second, out, base);
  }
  /// Of every class against the first.
  [[nodiscard]] CoefficientTable coefficient_table(double level) const override;
  void save(modelfile::Writer& writer) const;
  [[nodiscard]] static SoftmaxDiscriminant load(const modelfile::Reader& reader,
                                                const Schema& schema, const Options& options);

 private:
  linear::LinearScores scores_;
  Convergence convergence_;
  linear::Inference inference_;
};

struct SoftmaxFamily {
  using Statistics = SparseTrainingRows;
  using Discriminant = SoftmaxDiscriminant;
  static constexpr bool keeps_statistics = false;

  static SparseTrainingRows start(const Options&) { return {}; }
  /// `--decay auto` becomes a number.
  static void settle(const TrainingRows& rows, Options& options, const Schema& schema,
                     const Context& context, FitReport& report);
  static SoftmaxDiscriminant estimate(const TrainingRows& rows, EstimatorInput input);
};

}  // namespace logodds::models::softmax
