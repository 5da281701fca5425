// The perceptron: plain, averaged or voted; linear or with a kernel.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "logodds/models/concepts.hpp"
#include "logodds/models/evidence.hpp"
#include "logodds/stats/training_rows.hpp"
#include "models/linear/linear_scores.hpp"
#include "models/perceptron/kernel_scores.hpp"

namespace logodds::models::perceptron {

/// What the options say, `auto` settled: averaged with the linear kernel, voted with the others.
struct Wish {
  enum class Variant : std::uint8_t { plain, averaged, voted };

  explicit Wish(const Options& options);
  /// Whether the model is one vector of weights a class; others keep rows.
  [[nodiscard]] bool is_linear() const {
    return kernel.kind == KernelKind::linear && variant != Variant::voted;
  }

  Variant variant = Variant::averaged;
  bool variant_is_auto = false;
  Kernel kernel;  ///< gamma is only right when it was given
  bool gamma_is_auto = true;
};

struct Outcome {
  double passes = 0.0;
  double mistakes = 0.0;  ///< in the last pass
  double scale = 1.0;     ///< what scores are multiplied with
};

class PerceptronDiscriminant final : public Evidence {
 public:
  using Scores = std::variant<linear::LinearScores, KernelScores>;
  PerceptronDiscriminant(Scores scores, const Wish& wish, Outcome outcome);

  void log_scores(const RowBlock& block, std::span<double> out) const;
  [[nodiscard]] bool takes_sparse() const;
  [[nodiscard]] Description describe() const;
  /// Of linear scores, scale included.
  [[nodiscard]] std::vector<NamedArray> arrays() const;
  /// Log odds are sums over columns when the scores are linear.
  [[nodiscard]] const Evidence* evidence() const;
  [[nodiscard]] const std::vector<std::string>& parts() const override;
  void contributions(const RowBlock& block, std::span<const std::int32_t> first,
                     std::span<const std::int32_t> second, std::span<double> out,
                     std::span<double> base) const override;
  void save(modelfile::Writer& writer) const;
  [[nodiscard]] static PerceptronDiscriminant load(const modelfile::Reader& reader,
                                                   const Schema& schema, const Options& options);

 private:
  Scores scores_;
  Wish wish_;
  Outcome outcome_;
};

struct PerceptronFamily {
  using Statistics = SparseTrainingRows;
  using Discriminant = PerceptronDiscriminant;
  static constexpr bool keeps_statistics = false;

  static SparseTrainingRows start(const Options&) { return {}; }
  static PerceptronDiscriminant estimate(const SparseTrainingRows& rows, EstimatorInput input);
};

}  // namespace logodds::models::perceptron
