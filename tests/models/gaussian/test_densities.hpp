// Densities for tests, made by textbook formulas of their own.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "logodds/data/design.hpp"
#include "models/gaussian/densities.hpp"

namespace logodds::models::gaussian::testing {

using Square = std::vector<std::vector<double>>;

/// Sigma = L L^T, column by column.
inline CholeskyFactor cholesky(const Square& sigma) {
  const std::size_t d = sigma.size();
  CholeskyFactor factor{d, std::vector<double>(d * d, 0.0), std::vector<double>(d), 0.0, 1.0};
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t i = j; i < d; ++i) {
      double rest = sigma[i][j];
      for (std::size_t k = 0; k < j; ++k) {
        rest -= factor.lower[i * d + k] * factor.lower[j * d + k];
      }
      factor.lower[i * d + j] = i == j ? std::sqrt(rest) : rest / factor.lower[j * d + j];
    }
    factor.inverse_diagonal[j] = 1.0 / factor.lower[j * d + j];
    factor.log_determinant += 2.0 * std::log(factor.lower[j * d + j]);
  }
  return factor;
}

inline CholeskyFactor diagonal(const std::vector<double>& variances) {
  CholeskyFactor factor{variances.size(), {}, {}, 0.0, 1.0};
  for (const double variance : variances) {
    factor.inverse_diagonal.push_back(1.0 / std::sqrt(variance));
    factor.log_determinant += std::log(variance);
  }
  return factor;
}

/// Sigma_ij
inline double covariance(const CholeskyFactor& factor, std::size_t i, std::size_t j) {
  double sum = 0.0;
  for (std::size_t k = 0; k <= std::min(i, j); ++k) { sum += factor.at(i, k) * factor.at(j, k); }
  return sum;
}

/// One covariance for all classes, or one a class.
inline Densities densities(const std::vector<double>& priors, const Square& means,
                           std::vector<CholeskyFactor> factors) {
  Densities result;
  result.size = means[0].size();
  for (std::size_t k = 0; k < priors.size(); ++k) {
    result.log_priors.push_back(std::log(priors[k]));
    result.weights.push_back(100.0 * priors[k]);
    result.means.insert(result.means.end(), means[k].begin(), means[k].end());
    result.covariance_of.push_back(factors.size() == 1 ? 0 : k);
  }
  result.factors = std::move(factors);
  return result;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double normal() { return normal_(engine_); }
  double uniform(double low, double high) {
    return low + (high - low) * std::uniform_real_distribution<double>()(engine_);
  }
  std::vector<double> normals(std::size_t count) {
    std::vector<double> values(count);
    for (double& value : values) { value = normal(); }
    return values;
  }
  Square matrix(std::size_t rows, std::size_t columns) {
    Square result;
    for (std::size_t i = 0; i < rows; ++i) { result.push_back(normals(columns)); }
    return result;
  }
  /// A A^T + 0.3 I
  Square covariance(std::size_t d) {
    const Square a = matrix(d, d);
    Square sigma(d, std::vector<double>(d, 0.0));
    for (std::size_t i = 0; i < d; ++i) {
      sigma[i][i] = 0.3;
      for (std::size_t j = 0; j < d; ++j) {
        for (std::size_t k = 0; k < d; ++k) { sigma[i][j] += a[i][k] * a[j][k]; }
      }
    }
    return sigma;
  }
  /// K classes in D dimensions, each with a covariance of its own.
  Densities own(std::size_t classes, std::size_t d) {
    std::vector<CholeskyFactor> factors;
    std::vector<double> priors;
    double total = 0.0;
    for (std::size_t k = 0; k < classes; ++k) {
      factors.push_back(cholesky(covariance(d)));
      priors.push_back(uniform(0.5, 2.0));
      total += priors.back();
    }
    for (double& prior : priors) { prior /= total; }
    return densities(priors, matrix(classes, d), std::move(factors));
  }

 private:
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
};

inline DesignRows rows_of(const std::vector<double>& values, std::size_t columns) {
  return {values.data(), columns == 0 ? 0 : values.size() / columns, columns, columns};
}

}  // namespace logodds::models::gaussian::testing
