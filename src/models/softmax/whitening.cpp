#include "models/softmax/whitening.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>

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
                                  std::size_t stride, const double* weights, double total) {
  std::vector<double> mean(d, 0.0);
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<double> rest(d, 0.0);
    for (std::size_t r = 0; r < n; ++r) {
      const double share = (weights == nullptr ? 1.0 : weights[r]) / total;
      for (std::size_t i = 0; i < d; ++i) { rest[i] += share * (rows[r * stride + i] - mean[i]); }
    }
    for (std::size_t i = 0; i < d; ++i) { mean[i] += rest[i]; }
  }
  return mean;
}

/// Lower triangle of sum_r w_r (x_r - m)(x_r - m)^T / total.
Matrix covariance(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                  const double* weights, double total, const std::vector<double>& mean) {
  const auto size = static_cast<Eigen::Index>(d);
  Matrix scatter = Matrix::Zero(size, size);
  std::vector<double> centered(kBlockRows * d);
  for (std::size_t begin = 0; begin < n; begin += kBlockRows) {
    const std::size_t count = std::min(kBlockRows, n - begin);
    for (std::size_t r = 0; r < count; ++r) {
      for (std::size_t i = 0; i < d; ++i) {
        centered[r * d + i] = rows[(begin + r) * stride + i] - mean[i];
      }
    }
    kernels::scatter_add(centered.data(), count, d, d,
                         weights == nullptr ? nullptr : weights + begin, scatter.data());
  }
  return scatter / total;
}

/// sum_r w_r (x_ri - m_i)^2 / total for every column.
std::vector<double> variances(const double* rows, std::size_t n, std::size_t d, std::size_t stride,
                              const double* weights, double total,
                              const std::vector<double>& mean) {
  std::vector<double> result(d, 0.0);
  for (std::size_t r = 0; r < n; ++r) {
    const double share = (weights == nullptr ? 1.0 : weights[r]) / total;
    for (std::size_t i = 0; i < d; ++i) {
      const double off = rows[r * stride + i] - mean[i];
      result[i] += share * off * off;
    }
  }
  return result;
}

/// 1 / sqrt(variance + ridge), and 1 for a column without either.
std::vector<double> inverse_deviations(const std::vector<double>& variance,
                                       const std::vector<double>& mean,
                                       const std::vector<double>& ridge) {
  std::vector<double> scale;
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const bool none = has_no_variance(variance[i], std::abs(mean[i]));
    const double spread = (none ? 0.0 : variance[i]) + ridge[i];
    scale.push_back(std::isnormal(spread) ? 1.0 / std::sqrt(spread) : 1.0);
  }
  return scale;
}

/// Q Lambda^-1/2 of the correlation matrix S (Sigma + R) S = Q Lambda Q^T, or nothing.
std::vector<double> rotation_of(Matrix sigma, const std::vector<double>& scale,
                                const std::vector<double>& ridge) {
  const auto size = sigma.rows();
  sigma.diagonal() += Eigen::Map<const Eigen::VectorXd>(ridge.data(), size);
  const Eigen::Map<const Eigen::VectorXd> s(scale.data(), size);
  const Matrix correlation = s.asDiagonal() * sigma * s.asDiagonal();
  if (!correlation.allFinite()) { return {}; }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(correlation);
  if (eigen.info() != Eigen::Success) { return {}; }
  const Eigen::VectorXd& values = eigen.eigenvalues();
  Eigen::VectorXd stretch(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const bool varies = values(i) > kNoVariance * values(size - 1);
    stretch(i) = varies ? 1.0 / std::sqrt(values(i)) : 1.0;
  }
  const Matrix rotation = eigen.eigenvectors() * stretch.asDiagonal();
  return {rotation.data(), rotation.data() + rotation.size()};
}

/// T = S Q as D x D, for a whitening with a rotation.
std::vector<double> full_transform(const Whitening& whitening) {
  const std::size_t d = whitening.center.size();
  std::vector<double> transform = whitening.rotation;
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) { transform[i * d + j] *= whitening.scale[i]; }
  }
  return transform;
}

}  // namespace

Whitening whiten(const DesignRows& rows, const double* weights, const std::vector<double>& ridge,
                 bool centered, bool rotated) {
  const std::size_t n = rows.rows;
  const std::size_t d = rows.columns;
  double total = static_cast<double>(n);
  if (weights != nullptr) { total = std::accumulate(weights, weights + n, 0.0); }
  Whitening result;
  result.center = centered ? weighted_mean(rows.data, n, d, rows.stride, weights, total)
                           : std::vector<double>(d, 0.0);
  result.scale = inverse_deviations(
      variances(rows.data, n, d, rows.stride, weights, total, result.center), result.center, ridge);
  if (rotated && d <= kMostRotated) {
    result.rotation =
        rotation_of(covariance(rows.data, n, d, rows.stride, weights, total, result.center),
                    result.scale, ridge);
  }
  return result;
}

std::vector<double> Whitening::apply(const double* rows, std::size_t n, std::size_t stride) const {
  const std::size_t d = center.size();
  std::vector<double> z(n * d);
  if (rotation.empty()) {
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t i = 0; i < d; ++i) {
        z[r * d + i] = (rows[r * stride + i] - center[i]) * scale[i];
      }
    }
    return z;
  }
  const std::vector<double> no_bias(d, 0.0);
  const std::vector<double> transform = full_transform(*this);
  kernels::affine_scores(rows, n, d, stride, center.data(), transform.data(), no_bias.data(), d,
                         z.data());
  return z;
}

std::vector<double> Whitening::in_user_units(const std::vector<double>& beta, std::size_t k) const {
  const std::size_t d = center.size();
  std::vector<double> theta(d * k, 0.0);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = rotation.empty() ? i : 0; j < (rotation.empty() ? i + 1 : d); ++j) {
      const double t = scale[i] * (rotation.empty() ? 1.0 : rotation[i * d + j]);
      for (std::size_t c = 0; c < k; ++c) { theta[i * k + c] += t * beta[j * k + c]; }
    }
  }
  return theta;
}

std::vector<double> Whitening::in_own_units(const std::vector<double>& theta, std::size_t k) const {
  const auto d = static_cast<Eigen::Index>(center.size());
  Matrix beta = Eigen::Map<const Matrix>(theta.data(), d, static_cast<Eigen::Index>(k));
  beta = Eigen::Map<const Eigen::VectorXd>(scale.data(), d).cwiseInverse().asDiagonal() * beta;
  if (!rotation.empty()) {
    beta = Eigen::Map<const Matrix>(rotation.data(), d, d).partialPivLu().solve(beta).eval();
  }
  return {beta.data(), beta.data() + beta.size()};
}

std::vector<double> Whitening::decay(const std::vector<double>& eps) const {
  const std::size_t d = center.size();
  if (rotation.empty()) {
    std::vector<double> diagonal;
    for (std::size_t i = 0; i < d; ++i) { diagonal.push_back(eps[i] * scale[i] * scale[i]); }
    return diagonal;
  }
  const std::vector<double> t = full_transform(*this);
  std::vector<double> matrix(d * d, 0.0);
  for (std::size_t row = 0; row < d; ++row) {
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) {
        matrix[i * d + j] += eps[row] * t[row * d + i] * t[row * d + j];
      }
    }
  }
  return matrix;
}

}  // namespace logodds::models::softmax
