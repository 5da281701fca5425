#include "models/softmax/whitening.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "kernels/kernels.hpp"
#include "logodds/data/row_block.hpp"
#include "logodds/stats/variance.hpp"

namespace logodds::models::softmax {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kNoVariance = 1e-13;  // of the largest eigenvalue of the correlation matrix

/// In two passes: the second adds the mean of what the rounding of the first left over, so that a
/// constant column has no variance at all.
std::vector<double> weighted_mean(const double* rows, std::size_t n, std::size_t d,
                                  const double* weights, double total) {
  std::vector<double> mean(d, 0.0);
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<double> rest(d, 0.0);
    for (std::size_t r = 0; r < n; ++r) {
      const double share = (weights == nullptr ? 1.0 : weights[r]) / total;
      for (std::size_t i = 0; i < d; ++i) { rest[i] += share * (rows[r * d + i] - mean[i]); }
    }
    for (std::size_t i = 0; i < d; ++i) { mean[i] += rest[i]; }
  }
  return mean;
}

/// Lower triangle of sum_r w_r (x_r - m)(x_r - m)^T / total.
Matrix covariance(const double* rows, std::size_t n, std::size_t d, const double* weights,
                  double total, const std::vector<double>& mean) {
  const auto size = static_cast<Eigen::Index>(d);
  Matrix scatter = Matrix::Zero(size, size);
  std::vector<double> centered(kBlockRows * d);
  for (std::size_t begin = 0; begin < n; begin += kBlockRows) {
    const std::size_t count = std::min(kBlockRows, n - begin);
    for (std::size_t r = 0; r < count; ++r) {
      for (std::size_t i = 0; i < d; ++i) {
        centered[r * d + i] = rows[(begin + r) * d + i] - mean[i];
      }
    }
    kernels::scatter_add(centered.data(), count, d, d,
                         weights == nullptr ? nullptr : weights + begin, scatter.data());
  }
  return scatter / total;
}

/// 1 / sqrt(variance + ridge), and 1 for a column without either.
Eigen::VectorXd inverse_deviations(const Matrix& sigma, const std::vector<double>& mean,
                                   double ridge) {
  Eigen::VectorXd scale(sigma.rows());
  for (Eigen::Index i = 0; i < sigma.rows(); ++i) {
    const bool none = has_no_variance(sigma(i, i), std::abs(mean[static_cast<std::size_t>(i)]));
    const double spread = (none ? 0.0 : sigma(i, i)) + ridge;
    scale(i) = std::isnormal(spread) ? 1.0 / std::sqrt(spread) : 1.0;
  }
  return scale;
}

}  // namespace

Whitening whiten(const double* rows, std::size_t n, std::size_t d, const double* weights,
                 double ridge) {
  double total = static_cast<double>(n);
  if (weights != nullptr) {
    total = 0.0;
    for (std::size_t r = 0; r < n; ++r) { total += weights[r]; }
  }
  Whitening result{.center = weighted_mean(rows, n, d, weights, total),
                   .transform = std::vector<double>(d * d, 0.0)};
  const auto size = static_cast<Eigen::Index>(d);
  Eigen::Map<Matrix> transform(result.transform.data(), size, size);
  Matrix sigma = covariance(rows, n, d, weights, total, result.center);
  const Eigen::VectorXd scale = inverse_deviations(sigma, result.center, ridge);
  sigma.diagonal().array() += ridge;
  transform = scale.asDiagonal();
  if (d > kMostRotated || !sigma.allFinite()) { return result; }
  // Correlation = Q Lambda Q^T gives T = S^-1 Q Lambda^-1/2.
  const Matrix correlation = scale.asDiagonal() * sigma * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(correlation);
  if (eigen.info() != Eigen::Success) { return result; }
  const Eigen::VectorXd& values = eigen.eigenvalues();
  Eigen::VectorXd stretch(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const bool varies = values(i) > kNoVariance * values(size - 1);
    stretch(i) = varies ? 1.0 / std::sqrt(values(i)) : 1.0;
  }
  transform = scale.asDiagonal() * eigen.eigenvectors() * stretch.asDiagonal();
  return result;
}

}  // namespace logodds::models::softmax
