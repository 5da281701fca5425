#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/principal.hpp"
#include "models/gaussian/eigen.hpp"
#include "models/gaussian/uses.hpp"

namespace logodds::models::gaussian {

namespace {

using Eigen::Index;

Vector priors(const Densities& densities) {
  const Vector pi =
      vector_view(densities.log_priors.data(), densities.classes()).array().exp().matrix();
  return pi / pi.sum();
}

Eigen::Map<const Vector> mean(const Densities& densities, std::size_t k) {
  return vector_view(densities.mean(k), densities.size);
}

Matrix lower(const CholeskyFactor& factor) {
  if (!factor.diagonal()) { return matrix_view(factor.lower.data(), factor.size, factor.size); }
  return vector_view(factor.inverse_diagonal.data(), factor.size).cwiseInverse().asDiagonal();
}

/// C with C C^T = W = sum_k pi_k Sigma_k, rows divided by `scale`: R^T of the QR of the factors one
/// below the other, which squares no condition number.
Matrix within_factor(const Densities& densities, const Vector& pi, Vector& scale) {
  const Index d = index(densities.size);
  const std::size_t count = densities.factors.size();
  Vector share = Vector::Zero(index(count));
  for (std::size_t k = 0; k < densities.classes(); ++k) {
    share(index(densities.covariance_of[k])) += pi(index(k));
  }
  Matrix stacked(index(count) * d, d);
  for (std::size_t c = 0; c < count; ++c) {
    stacked.middleRows(index(c) * d, d) =
        std::sqrt(share(index(c))) * lower(densities.factors[c]).transpose();
  }
  scale = stacked.colwise().norm();
  stacked = stacked * scale.cwiseInverse().asDiagonal();
  const Eigen::HouseholderQR<Eigen::Ref<Matrix>> qr(stacked);
  return Matrix(qr.matrixQR().topRows(d).triangularView<Eigen::Upper>()).transpose();
}

Vector center_of_means(const Densities& densities, const Vector& pi) {
  Vector offset = Vector::Zero(index(densities.size));
  for (std::size_t k = 1; k < densities.classes(); ++k) {
    offset += pi(index(k)) * (mean(densities, k) - mean(densities, 0));
  }
  return mean(densities, 0) + offset;
}

/// Columns sqrt(pi_k) (mu_k - m) / scale, D x K.
Matrix spread_of_means(const Densities& densities, const Vector& pi, const Vector& center,
                       const Vector& scale) {
  Matrix result(center.size(), pi.size());
  for (std::size_t k = 0; k < densities.classes(); ++k) {
    result.col(index(k)) =
        std::sqrt(pi(index(k))) * (mean(densities, k) - center).cwiseQuotient(scale);
  }
  return result;
}

/// How many singular values are more than the rounding of the means, in units of the spread.
Index count_axes(const Densities& densities, const Vector& singular, const Vector& scale) {
  double largest_mean = 0.0;
  for (std::size_t k = 0; k < densities.classes(); ++k) {
    largest_mean =
        std::max(largest_mean, mean(densities, k).cwiseQuotient(scale).cwiseAbs().maxCoeff());
  }
  double share = 1.0;
  for (const CholeskyFactor& factor : densities.factors) {
    share = std::min(share, factor.smallest_share);
  }
  const double rounding = 8.0 * std::numeric_limits<double>::epsilon() *
                          static_cast<double>(scale.size()) *
                          (singular(0) + largest_mean / std::sqrt(share));
  const auto most = std::min(index(densities.classes()) - 1, scale.size());
  return std::min<Index>(most, (singular.array() > rounding).count());
}

/// V = S^-1 C^-T U for whitened axes U, in the units of the columns.
Matrix in_columns(const Matrix& within, const Vector& scale, Matrix axes) {
  within.transpose().triangularView<Eigen::Upper>().solveInPlace(axes);
  axes = scale.cwiseInverse().asDiagonal() * axes;
  for (Index m = 0; m < axes.cols(); ++m) { linalg::orient(axes.col(m)); }
  return axes;
}

}  // namespace

CanonicalAxes canonical_axes(const Densities& densities) {
  if (densities.size == 0) { return {}; }
  const Vector pi = priors(densities);
  const Vector center = center_of_means(densities, pi);
  Vector scale;
  const Matrix within = within_factor(densities, pi, scale);
  // v . B v / v . W v = |G^T u|^2 / |u|^2 with G = C^-1 M and u = C^T v
  Matrix whitened = spread_of_means(densities, pi, center, scale);
  within.triangularView<Eigen::Lower>().solveInPlace(whitened);
  const Eigen::JacobiSVD<Matrix> svd(whitened, Eigen::ComputeThinU);
  const Index count = count_axes(densities, svd.singularValues(), scale);
  CanonicalAxes result;
  result.center.assign(center.begin(), center.end());
  if (count == 0) { return result; }
  const Matrix axes = in_columns(within, scale, svd.matrixU().leftCols(count));
  result.axes.assign(axes.data(), axes.data() + axes.size());
  const Vector eigenvalues = svd.singularValues().head(count).cwiseAbs2();
  result.eigenvalues.assign(eigenvalues.begin(), eigenvalues.end());
  return result;
}

}  // namespace logodds::models::gaussian
