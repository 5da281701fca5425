// Densities in the form in which rows are scored fastest.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "logodds/data/design.hpp"
#include "models/gaussian/densities.hpp"

namespace logodds::models::gaussian {

/// One covariance for all classes: a_k = w_k . (x - m) + b_k with m the mean of the class means, so
/// that large offsets of the columns cancel before anything is multiplied.
struct LinearScores {
  std::vector<double> center;        ///< m, D
  std::vector<double> coefficients;  ///< w, D x K row-major
  std::vector<double> bias;          ///< b, K
};

/// A covariance for each class: a_k = -1/2 || L_k^-1 (x - mu_k) ||^2 - 1/2 ln |Sigma_k| + ln pi_k.
struct QuadraticScores {
  std::vector<double> means;             ///< K x D
  std::vector<double> factors;           ///< L, K x D x D
  std::vector<double> inverse_diagonal;  ///< 1 / L_ii, K x D
  std::vector<double> bias;              ///< -1/2 ln |Sigma_k| + ln pi_k, K
};

/// Variances for each class: a_k = b_k - 1/2 sum_i (x_i - mu_ki)^2 / s_ki.
struct DiagonalScores {
  std::vector<double> means;       ///< K x D
  std::vector<double> precisions;  ///< 1 / s, K x D
  std::vector<double> bias;        ///< -1/2 sum_i ln s_ki + ln pi_k, K
};

using Scores = std::variant<LinearScores, QuadraticScores, DiagonalScores>;

[[nodiscard]] Scores scores_of(const Densities& densities);
/// Rows x K. Rows that lack no value.
void fill_scores(const Scores& scores, const DesignRows& rows, std::span<double> out);

}  // namespace logodds::models::gaussian
