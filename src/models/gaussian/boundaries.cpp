#include <cmath>

#include "geometry/boundary.hpp"
#include "models/gaussian/eigen.hpp"
#include "models/gaussian/uses.hpp"

namespace logodds::models::gaussian {

namespace {

using geometry::without_rounding;

Eigen::Map<const Vector> view(const std::vector<double>& values) {
  return vector_view(values.data(), values.size());
}

/// Sigma^-1 = L^-T L^-1
Matrix precision(const CholeskyFactor& factor) {
  const Eigen::Index d = index(factor.size);
  Matrix inverse = view(factor.inverse_diagonal).asDiagonal();
  if (!factor.diagonal()) {
    const auto lower = matrix_view(factor.lower.data(), factor.size, factor.size);
    inverse = lower.triangularView<Eigen::Lower>().solve(Matrix::Identity(d, d));
  }
  Matrix product = Matrix::Zero(d, d);
  product.selfadjointView<Eigen::Lower>().rankUpdate(inverse.transpose());
  product.triangularView<Eigen::StrictlyUpper>() = product.transpose();
  return product;
}

/// L, row-major
std::vector<double> lower(const CholeskyFactor& factor) {
  std::vector<double> result;
  for (std::size_t i = 0; i < factor.size; ++i) {
    for (std::size_t j = 0; j < factor.size; ++j) {
      result.push_back(j <= i ? factor.at(i, j) : 0.0);
    }
  }
  return result;
}

/// One of the two classes, seen from the point between their means.
struct Side {
  const Densities& densities;
  const std::vector<Matrix>& precisions;
  std::size_t k;
  [[nodiscard]] const CholeskyFactor& factor() const { return densities.factor(k); }
  [[nodiscard]] const Matrix& precision() const { return precisions[densities.covariance_of[k]]; }
  [[nodiscard]] double log_prior() const { return densities.log_priors[k]; }
};

/// mu_k - mu_j
std::vector<double> difference_of_means(const Densities& densities, std::size_t j, std::size_t k) {
  std::vector<double> delta(densities.size);
  for (std::size_t i = 0; i < delta.size(); ++i) {
    delta[i] = densities.mean(k)[i] - densities.mean(j)[i];
  }
  return delta;
}

bool same_covariance(const Densities& densities, std::size_t j, std::size_t k) {
  const CholeskyFactor& first = densities.factor(j);
  const CholeskyFactor& second = densities.factor(k);
  return &first == &second ||
         (first.lower == second.lower && first.inverse_diagonal == second.inverse_diagonal);
}

/// Q = -1/2 (P_k - P_j), or nothing if that is rounding; |P_ab| <= sqrt(P_aa P_bb).
std::vector<double> quadratic(const Matrix& p_j, const Matrix& p_k) {
  const Vector scale = p_j.diagonal().cwiseMax(p_k.diagonal()).cwiseSqrt();
  std::vector<double> result;
  bool zero = true;
  for (Eigen::Index a = 0; a < scale.size(); ++a) {
    for (Eigen::Index b = 0; b < scale.size(); ++b) {
      result.push_back(without_rounding(-0.5 * (p_k(a, b) - p_j(a, b)), scale(a) * scale(b)));
      zero = zero && result.back() == 0.0;
    }
  }
  return zero ? std::vector<double>() : result;
}

/// v = 1/2 (P_j + P_k) delta and v_0 = 1/8 delta . (P_j - P_k) delta + ..., around the middle.
void set_quadratic(Boundary& boundary, const Side& first, const Side& second,
                   const std::vector<double>& delta) {
  const std::vector<double> pull_j = first.factor().solve(delta);
  const std::vector<double> pull_k = second.factor().solve(delta);
  const Vector magnitude =
      (first.precision().cwiseAbs() + second.precision().cwiseAbs()) * view(delta).cwiseAbs();
  for (std::size_t i = 0; i < delta.size(); ++i) {
    const double v = 0.5 * (pull_j[i] + pull_k[i]);
    boundary.center_normal[i] = without_rounding(v, magnitude(index(i)));
  }
  const double distance_j = view(delta).dot(view(pull_j)) / 8.0;
  const double distance_k = view(delta).dot(view(pull_k)) / 8.0;
  const double size_j = 0.5 * first.factor().log_determinant;
  const double size_k = 0.5 * second.factor().log_determinant;
  const double value =
      (distance_j - distance_k) + (size_j - size_k) + (second.log_prior() - first.log_prior());
  boundary.center_value =
      without_rounding(value, distance_j + distance_k + std::fabs(size_j) + std::fabs(size_k) +
                                  std::fabs(first.log_prior()) + std::fabs(second.log_prior()));
  boundary.quadratic = quadratic(first.precision(), second.precision());
  if (delta.size() <= 2) { boundary.frame = lower(first.factor()); }
}

Boundary between(const Side& first, const Side& second) {
  const Densities& densities = first.densities;
  const std::vector<double> delta = difference_of_means(densities, first.k, second.k);
  Boundary boundary;
  boundary.first = first.k;
  boundary.second = second.k;
  for (std::size_t i = 0; i < delta.size(); ++i) {
    boundary.center.push_back(densities.mean(first.k)[i] + 0.5 * delta[i]);
  }
  boundary.center_normal = first.factor().solve(delta);
  boundary.center_value = second.log_prior() - first.log_prior();
  if (!same_covariance(densities, first.k, second.k)) {
    set_quadratic(boundary, first, second, delta);
  }
  geometry::expand_at_origin(boundary);
  return boundary;
}

}  // namespace

std::vector<Boundary> boundaries(const Densities& densities) {
  std::vector<Matrix> precisions;
  if (!densities.shared()) {
    for (const CholeskyFactor& factor : densities.factors) {
      precisions.push_back(precision(factor));
    }
  }
  std::vector<Boundary> result;
  for (std::size_t j = 0; j < densities.classes(); ++j) {
    for (std::size_t k = j + 1; k < densities.classes(); ++k) {
      result.push_back(between({densities, precisions, j}, {densities, precisions, k}));
    }
  }
  return result;
}

Boundary unprojected(const Boundary& boundary, const Projection& projection) {
  const std::size_t d = projection.center.size();
  const std::size_t m = boundary.normal.size();
  const auto axes = matrix_view(projection.axes.data(), d, m);
  const bool centered = !boundary.center.empty();
  Boundary result;
  result.first = boundary.first;
  result.second = boundary.second;
  result.center = projection.center;
  if (centered) { vector_view(result.center.data(), d) += axes * view(boundary.center); }
  result.center_normal.resize(d);
  vector_view(result.center_normal.data(), d) =
      axes * view(centered ? boundary.center_normal : boundary.normal);
  result.center_value = centered ? boundary.center_value : boundary.offset;
  if (!boundary.linear()) {
    const Matrix outer = axes * matrix_view(boundary.quadratic.data(), m, m) * axes.transpose();
    result.quadratic.resize(d * d);
    matrix_view(result.quadratic.data(), d, d) = 0.5 * (outer + outer.transpose());
  }
  if (d == 2 && m == 2 && !boundary.frame.empty()) {
    result.frame.resize(4);
    matrix_view(result.frame.data(), 2, 2) = axes * matrix_view(boundary.frame.data(), 2, 2);
  }
  geometry::expand_at_origin(result);
  return result;
}

}  // namespace logodds::models::gaussian
