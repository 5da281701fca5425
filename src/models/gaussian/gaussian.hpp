// Gaussian class-conditional densities (SPEC 3.2): statistics, estimator, discriminant.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "logodds/data/design.hpp"
#include "logodds/models/concepts.hpp"
#include "logodds/stats/class_moments.hpp"

namespace logodds::models::gaussian {

/// One covariance for all classes: a_k = w_k . (x - m) + b_k with m the mean of all rows, so that
/// large offsets of the columns cancel before anything is multiplied.
struct SharedScores {
  std::vector<double> center;        ///< m, D
  std::vector<double> coefficients;  ///< w, D x K row-major
  std::vector<double> bias;          ///< b, K
};

/// A covariance for each class: a_k = -1/2 || L_k^-1 (x - mu_k) ||^2 - 1/2 ln |Sigma_k| + ln pi_k.
struct OwnScores {
  std::vector<double> factors;           ///< L, K x D x D
  std::vector<double> inverse_diagonal;  ///< 1 / L_ii, K x D
  std::vector<double> bias;              ///< -1/2 ln |Sigma_k| + ln pi_k, K
};

/// Variances for each class: a_k = b_k - 1/2 sum_i (x_i - mu_ki)^2 / s_ki.
struct DiagonalScores {
  std::vector<double> precisions;  ///< 1 / s, K x D
  std::vector<double> bias;        ///< -1/2 sum_i ln s_ki + ln pi_k, K
};

class GaussianDiscriminant {
 public:
  using Scores = std::variant<SharedScores, OwnScores, DiagonalScores>;
  GaussianDiscriminant(const Schema& schema, Design design, std::vector<double> weights,
                       std::vector<double> means, Scores scores)
      : labels_(schema.labels),
        design_(std::move(design)),
        weights_(std::move(weights)),
        means_(std::move(means)),
        scores_(std::move(scores)) {}

  void log_scores(const RowBlock& block, std::span<double> out) const;
  [[nodiscard]] Description describe() const;

 private:
  std::vector<std::string> labels_;
  Design design_;
  std::vector<double> weights_;  ///< K
  std::vector<double> means_;    ///< K x D
  Scores scores_;
};

struct GaussianFamily {
  using Statistics = ClassMoments;
  using Discriminant = GaussianDiscriminant;
  static constexpr bool keeps_statistics = true;

  static ClassMoments start(const Options& options);
  static GaussianDiscriminant estimate(const ClassMoments& moments, EstimatorInput input);
  static ClassMoments load_statistics(const modelfile::Reader& reader, const Schema& schema,
                                      const Options& options);
};

}  // namespace logodds::models::gaussian
