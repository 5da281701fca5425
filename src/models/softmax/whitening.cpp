#include "models/softmax/whitening.hpp"

#include <Eigen/Eigenvalues>
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

/// sum_r w_r (x_ri - m_i)^2 / total for every column.
std::vector<double> variances(const double* rows, std::size_t n, std::size_t d,
                              const double* weights, double total,
                              const std::vector<double>& mean) {
  std::vector<double> result(d, 0.0);
  for (std::size_t r = 0; r < n; ++r) {
    const double share = (weights == nullptr ? 1.0 : weights[r]) / total;
    for (std::size_t i = 0; i < d; ++i) {
      const double off = rows[r * d + i] - mean[i];
      result[i] += share * off * off;
    }
  }
  return result;
}

/// 1 / sqrt(variance + ridge), and 1 for a column without either.
std::vector<double> inverse_deviations(const std::vector<double>& variance,
                                       const std::vector<double>& mean, double ridge) {
  std::vector<double> scale;
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const bool none = has_no_variance(variance[i], std::abs(mean[i]));
    const double spread = (none ? 0.0 : variance[i]) + ridge;
    scale.push_back(std::isnormal(spread) ? 1.0 / std::sqrt(spread) : 1.0);
  }
  return scale;
}

/// Q Lambda^-1/2 of the correlation matrix S (Sigma + ridge I) S = Q Lambda Q^T, or nothing.
std::vector<double> rotation_of(Matrix sigma, const std::vector<double>& scale, double ridge) {
  const auto size = sigma.rows();
  sigma.diagonal().array() += ridge;
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

Whitening whiten(const double* rows, std::size_t n, std::size_t d, const double* weights,
                 double ridge) {
  double total = static_cast<double>(n);
  if (weights != nullptr) { total = std::accumulate(weights, weights + n, 0.0); }
  Whitening result;
  result.center = weighted_mean(rows, n, d, weights, total);
  result.scale = inverse_deviations(variances(rows, n, d, weights, total, result.center),
                                    result.center, ridge);
  if (d <= kMostRotated) {
    result.rotation =
        rotation_of(covariance(rows, n, d, weights, total, result.center), result.scale, ridge);
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

std::vector<double> Whitening::decay(double eps) const {
  const std::size_t d = center.size();
  if (rotation.empty()) {
    std::vector<double> diagonal;
    for (const double s : scale) { diagonal.push_back(eps * s * s); }
    return diagonal;
  }
  const std::vector<double> t = full_transform(*this);
  std::vector<double> matrix(d * d, 0.0);
  for (std::size_t row = 0; row < d; ++row) {
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) {
        matrix[i * d + j] += eps * t[row * d + i] * t[row * d + j];
      }
    }
  }
  return matrix;
}

}  // namespace logodds::models::softmax
