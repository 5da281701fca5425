// A net with one hidden layer: softmax of units of sums, fitted by an optimiser from
// random starts.
#pragma once

#include <string>
#include <vector>

#include "logodds/models/classifier.hpp"
#include "logodds/models/concepts.hpp"
#include "logodds/stats/training_rows.hpp"
#include "models/linear/features.hpp"
#include "models/neural/net.hpp"

namespace logodds::models::neural {

/// How the optimiser ended.
struct Convergence {
  double objective = 0.0;
  double gradient_norm = 0.0;
  double iterations = 0.0;
  double held_out_loss = -1.0;  ///< mean log loss of the rows held out; -1: none were
};

[[nodiscard]] Activation activation_named(const std::string& name);

class NeuralDiscriminant {
 public:
  /// Parameters in the full layout, in the user's units: inputs are x - center.
  NeuralDiscriminant(linear::Features features, const Layout& layout, std::string activation,
                     std::vector<double> center, std::vector<double> parameters,
                     Convergence convergence);

  void log_scores(const RowBlock& block, std::span<double> out) const;
  [[nodiscard]] Description describe() const;
  /// hidden_weights D x H, hidden_bias H, output_weights H x K, output_bias K, and skip_weights D x
  /// K: h = g(x hidden_weights + hidden_bias), scores = h output_weights + output_bias (+ x
  /// skip_weights), with x in the user's units.
  [[nodiscard]] std::vector<NamedArray> arrays() const;
  void save(modelfile::Writer& writer) const;
  [[nodiscard]] static NeuralDiscriminant load(const modelfile::Reader& reader,
                                               const Schema& schema, const Options& options);

 private:
  linear::Features features_;
  Layout layout_;
  std::string activation_;
  Activation unit_;
  std::vector<double> center_;
  std::vector<double> parameters_;
  Convergence convergence_;
};

struct NeuralFamily {
  using Statistics = TrainingRows;
  using Discriminant = NeuralDiscriminant;
  static constexpr bool keeps_statistics = false;

  static TrainingRows start(const Options&) { return {}; }
  /// --optimizer auto: L-BFGS for few rows, Adam for many.
  static void settle(const TrainingRows& rows, Options& options, const Schema& schema,
                     const Context& context, FitReport& report);
  static NeuralDiscriminant estimate(const TrainingRows& rows, EstimatorInput input);
};

}  // namespace logodds::models::neural
