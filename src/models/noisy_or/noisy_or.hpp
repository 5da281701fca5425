// Noisy-OR: every cause may switch the second class on, each by itself.
//
//   p(y = off | x) = alpha_0 prod_i alpha_i^x_i = exp(-theta_0 - theta . x),  theta_i = -ln alpha_i
//
// alpha_i is the probability that cause i alone fails to switch y on; alpha_0, the leak, that
// nothing which is no column does. A count x_i stands for that many causes of the same kind.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "logodds/data/source.hpp"
#include "logodds/models/concepts.hpp"
#include "logodds/stats/training_rows.hpp"
#include "models/linear/features.hpp"

namespace logodds::models::noisy_or {

/// The rows; a negative number is refused as soon as it is read.
class NoisyOrRows : public TrainingRows {
 public:
  static constexpr bool kTakesSparse = true;

  void bind(std::span<const SourceColumn> columns);
  /// Throws RowProblem for a negative number.
  void add(const RowBlock& block, const Shape& shape);

 private:
  std::vector<std::string> names_;  ///< of the columns of numbers
};

/// `fitted`: by the rows. `certain`: no row with the cause is off, so that it always switches y on
/// and theta_i has no finite optimum. `unseen`: no row has the cause, and it is taken for none.
enum class Known : std::int32_t { fitted = 0, certain = 1, unseen = 2 };

/// The probability alpha_i that stands for 0, of the smallest x_i met in training.
inline constexpr double kLeastAlpha = 0x1p-52;

struct NoisyOrParameters {
  std::vector<double> theta;
  std::vector<Known> known;
  double leak = 0.0;  ///< theta_0; 0 without a leak
};

/// How the optimiser ended.
struct Convergence {
  double objective = 0.0;  ///< minus the log-likelihood
  double residual = 0.0;
  double iterations = 0.0;
};

class NoisyOrDiscriminant {
 public:
  NoisyOrDiscriminant(const Schema& schema, linear::Features features, NoisyOrParameters parameters,
                      bool has_leak, Convergence convergence);

  /// ln p(off | x) = -z and ln p(on | x) = ln(1 - e^-z) with z = theta_0 + theta . x. Throws
  /// RowProblem for a negative number.
  void log_scores(const RowBlock& block, std::span<double> out) const;
  [[nodiscard]] bool takes_sparse() const { return features_.takes_sparse(); }
  [[nodiscard]] Description describe() const;
  /// "theta" and "alpha" by cause, "leak": theta_0, "leak_alpha".
  [[nodiscard]] std::vector<NamedArray> arrays() const;
  void save(modelfile::Writer& writer) const;
  [[nodiscard]] static NoisyOrDiscriminant load(const modelfile::Reader& reader,
                                                const Schema& schema, const Options& options);

 private:
  [[nodiscard]] std::string reading(std::size_t cause) const;

  std::vector<std::string> labels_;
  std::vector<std::string> names_;  ///< of the columns of numbers
  linear::Features features_;
  NoisyOrParameters parameters_;
  bool has_leak_;
  Convergence convergence_;
};

struct NoisyOrFamily {
  using Statistics = NoisyOrRows;
  using Discriminant = NoisyOrDiscriminant;
  static constexpr bool keeps_statistics = false;

  static NoisyOrRows start(const Options&) { return {}; }
  static NoisyOrDiscriminant estimate(const NoisyOrRows& rows, EstimatorInput input);
};

/// Throws RowProblem, with the name of the column, for the first negative number of the block.
void check_not_negative(const RowBlock& block, const std::vector<std::string>& names);

}  // namespace logodds::models::noisy_or
