// Means, scatters and Gaussian posteriors by their definitions: plain loops, explicit inverses and
// determinants, in long double.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <vector>

#include "support/sample.hpp"

namespace logodds::test {

using Wide = long double;
using WideMatrix = Eigen::Matrix<Wide, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using WideVector = Eigen::Matrix<Wide, Eigen::Dynamic, 1>;

inline Wide wide(double value) { return static_cast<Wide>(value); }
inline Eigen::Index index_of(std::size_t i) { return static_cast<Eigen::Index>(i); }

inline WideVector row_of(const Sample& sample, std::size_t r) {
  WideVector row(index_of(sample.columns));
  for (std::size_t i = 0; i < sample.columns; ++i) { row(index_of(i)) = wide(sample.at(r, i)); }
  return row;
}

inline Wide class_weight(const Sample& sample, std::size_t k) {
  Wide sum = 0.0L;
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    if (sample.label(r) == k) { sum += wide(sample.weight(r)); }
  }
  return sum;
}

inline WideVector class_mean(const Sample& sample, std::size_t k) {
  WideVector sum = WideVector::Zero(index_of(sample.columns));
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    if (sample.label(r) == k) { sum += wide(sample.weight(r)) * row_of(sample, r); }
  }
  return sum / class_weight(sample, k);
}

/// sum_n w_n (x_n - mu_k)(x_n - mu_k)^T.
inline WideMatrix class_scatter(const Sample& sample, std::size_t k) {
  const WideVector mean = class_mean(sample, k);
  WideMatrix sum = WideMatrix::Zero(mean.size(), mean.size());
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    if (sample.label(r) != k) { continue; }
    const WideVector off = row_of(sample, r) - mean;
    sum += wide(sample.weight(r)) * off * off.transpose();
  }
  return sum;
}

/// Every class's weight, mean and scatter.
struct Moments {
  std::vector<Wide> weights;
  std::vector<WideVector> means;
  std::vector<WideMatrix> scatters;

  explicit Moments(const Sample& sample) {
    for (std::size_t k = 0; k < sample.classes; ++k) {
      weights.push_back(class_weight(sample, k));
      means.push_back(class_mean(sample, k));
      scatters.push_back(class_scatter(sample, k));
    }
  }
  [[nodiscard]] Wide weight() const {
    Wide sum = 0.0L;
    for (const Wide w : weights) { sum += w; }
    return sum;
  }
  [[nodiscard]] WideMatrix pooled() const {  ///< a scatter
    WideMatrix sum = scatters.front();
    for (std::size_t k = 1; k < scatters.size(); ++k) { sum += scatters[k]; }
    return sum;
  }
  /// tr Sigma / D of the shared covariance by maximum likelihood.
  [[nodiscard]] Wide mean_variance() const {
    return pooled().trace() / weight() / static_cast<Wide>(means.front().size());
  }
};

/// Gaussian densities and priors as numbers on paper.
struct OnPaper {
  std::vector<Wide> priors;
  std::vector<WideVector> means;
  std::vector<WideMatrix> sigmas;  ///< one a class

  OnPaper() = default;
  /// Priors and means by maximum likelihood.
  OnPaper(const Moments& moments, std::vector<WideMatrix> covariances)
      : means(moments.means), sigmas(std::move(covariances)) {
    for (const Wide w : moments.weights) { priors.push_back(w / moments.weight()); }
  }

  /// ln p(x, C_k) over the values that are there.
  [[nodiscard]] Wide log_joint(const WideVector& x, std::size_t k) const {
    std::vector<Eigen::Index> seen;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      if (!std::isnan(x(i))) { seen.push_back(i); }
    }
    const WideVector off = x(seen) - means[k](seen);
    const WideMatrix sigma = sigmas[k](seen, seen);
    if (seen.empty()) { return std::log(priors[k]); }
    const Wide two_pi = 2.0L * std::numbers::pi_v<Wide>;
    const Wide square = off.dot(WideVector(sigma.inverse() * off));
    return std::log(priors[k]) - 0.5L * (square + std::log(sigma.determinant()) +
                                         static_cast<Wide>(seen.size()) * std::log(two_pi));
  }
  [[nodiscard]] std::vector<double> posteriors(const Sample& sample) const {
    std::vector<double> all;
    for (std::size_t r = 0; r < sample.rows(); ++r) {
      const WideVector x = row_of(sample, r);
      for (std::size_t k = 0; k < priors.size(); ++k) {
        Wide sum = 0.0L;  // 1 / p_k
        for (std::size_t j = 0; j < priors.size(); ++j) {
          sum += std::exp(log_joint(x, j) - log_joint(x, k));
        }
        all.push_back(static_cast<double>(1.0L / sum));
      }
    }
    return all;
  }
};

}  // namespace logodds::test
