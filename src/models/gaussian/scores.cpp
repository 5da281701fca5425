#include "models/gaussian/scores.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/kernels.hpp"

namespace logodds::models::gaussian {

namespace {

/// m = sum_k pi_k mu_k.
std::vector<double> center_of(const Densities& densities) {
  std::vector<double> center(densities.size, 0.0);
  for (std::size_t k = 0; k < densities.classes(); ++k) {
    const double prior = std::exp(densities.log_priors[k]);
    for (std::size_t i = 0; i < densities.size; ++i) { center[i] += prior * densities.mean(k)[i]; }
  }
  return center;
}

QuadraticScores quadratic_scores(const Densities& densities) {
  QuadraticScores scores{
      .means = densities.means, .factors = {}, .inverse_diagonal = {}, .bias = {}};
  for (std::size_t k = 0; k < densities.classes(); ++k) {
    const CholeskyFactor& factor = densities.factor(k);
    scores.factors.insert(scores.factors.end(), factor.lower.begin(), factor.lower.end());
    scores.inverse_diagonal.insert(scores.inverse_diagonal.end(), factor.inverse_diagonal.begin(),
                                   factor.inverse_diagonal.end());
    scores.bias.push_back(-0.5 * factor.log_determinant + densities.log_priors[k]);
  }
  return scores;
}

DiagonalScores diagonal_scores(const Densities& densities) {
  DiagonalScores scores{.means = densities.means, .precisions = {}, .bias = {}};
  for (std::size_t k = 0; k < densities.classes(); ++k) {
    const CholeskyFactor& factor = densities.factor(k);
    for (const double inverse : factor.inverse_diagonal) {
      scores.precisions.push_back(inverse * inverse);
    }
    scores.bias.push_back(-0.5 * factor.log_determinant + densities.log_priors[k]);
  }
  return scores;
}

Scores around_own_means(const Densities& densities) {
  if (densities.factors.front().diagonal()) { return diagonal_scores(densities); }
  return quadratic_scores(densities);
}

/// w_k = Sigma^-1 (mu_k - m), b_k = -1/2 (mu_k - m) . w_k + ln pi_k. With a class so far away that
/// (distance / sigma)^2 swallows the digits of a linear score, scores are taken from each class's
/// own mean instead.
Scores linear_scores(const Densities& densities) {
  constexpr double kFar = 1e6;  // squared distance that costs 6 of 16 digits
  const std::size_t d = densities.size;
  const std::size_t classes = densities.classes();
  LinearScores scores{.center = center_of(densities),
                      .coefficients = std::vector<double>(d * classes),
                      .bias = std::vector<double>(classes)};
  for (std::size_t k = 0; k < classes; ++k) {
    std::vector<double> offset(d);
    for (std::size_t i = 0; i < d; ++i) { offset[i] = densities.mean(k)[i] - scores.center[i]; }
    const auto normal = densities.factor(k).solve(offset);
    double square = 0.0;
    for (std::size_t i = 0; i < d; ++i) {
      scores.coefficients[i * classes + k] = normal[i];
      square += offset[i] * normal[i];
    }
    if (square > kFar) { return around_own_means(densities); }
    scores.bias[k] = -0.5 * square + densities.log_priors[k];
  }
  return scores;
}

void fill(const LinearScores& scores, const DesignRows& rows, double* out) {
  kernels::affine_scores(rows.data, rows.rows, rows.columns, rows.stride, scores.center.data(),
                         scores.coefficients.data(), scores.bias.data(), scores.bias.size(), out);
}

void fill(const DiagonalScores& scores, const DesignRows& rows, double* out) {
  kernels::diagonal_scores(rows.data, rows.rows, rows.columns, rows.stride, scores.means.data(),
                           scores.precisions.data(), scores.bias.data(), scores.bias.size(), out);
}

void fill(const QuadraticScores& scores, const DesignRows& rows, double* out) {
  kernels::quadratic_scores(rows.data, rows.rows, rows.columns, rows.stride, scores.means.data(),
                            scores.factors.data(), scores.inverse_diagonal.data(),
                            scores.bias.data(), scores.bias.size(), out);
}

}  // namespace

Scores scores_of(const Densities& densities) {
  return densities.shared() ? linear_scores(densities) : around_own_means(densities);
}

void fill_scores(const Scores& scores, const DesignRows& rows, std::span<double> out) {
  std::visit([&](const auto& form) { fill(form, rows, out.data()); }, scores);
}

}  // namespace logodds::models::gaussian
