#include "models/gaussian/covariance.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "logodds/data/schema.hpp"
#include "logodds/error.hpp"
#include "logodds/stats/variance.hpp"

namespace logodds::models::gaussian {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// Below this share of its variance being its own, a column is a combination of the others: the
/// rounding of d products, with a margin.
double collinear_share(std::size_t d) { return 256.0 * kEpsilon * static_cast<double>(d); }

std::string list(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) {
    text += (i == 0 ? "'" : ", '") + names[i] + "'";
  }
  if (names.size() > kShown) { text += " and " + std::to_string(names.size() - kShown) + " more"; }
  return text;
}

void check_finite(const std::vector<double>& values, const CovarianceOwner& owner) {
  for (const double value : values) {
    if (!std::isfinite(value)) {
      throw Error(ErrorCode::numeric, owner.whose +
                                          ": a variance overflows; divide the columns with huge "
                                          "values by a constant before training");
    }
  }
}

/// Cholesky in the order of the columns that leaves out every column which the ones before it
/// determine: finds the rank and names what is constant or collinear.
std::string describe_deficiency(const Matrix& correlation, const std::vector<bool>& constant,
                                const CovarianceOwner& owner) {
  const auto d = static_cast<std::size_t>(correlation.rows());
  const auto entry = [&](std::size_t i, std::size_t j) {
    return correlation(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
  };
  std::vector<std::string> constants;
  std::vector<std::string> collinear;
  std::vector<std::size_t> kept;
  std::vector<std::vector<double>> rows;  // of L, for the kept columns
  for (std::size_t i = 0; i < d; ++i) {
    if (constant[i]) {
      constants.push_back(owner.columns[i]);
      continue;
    }
    std::vector<double> row;
    double own = entry(i, i);
    for (std::size_t c = 0; c < kept.size(); ++c) {
      double value = entry(i, kept[c]);
      for (std::size_t e = 0; e < c; ++e) { value -= row[e] * rows[c][e]; }
      row.push_back(value / rows[c][c]);
      own -= row[c] * row[c];
    }
    if (own <= collinear_share(d)) {
      collinear.push_back(owner.columns[i]);
      continue;
    }
    row.push_back(std::sqrt(own));
    rows.push_back(std::move(row));
    kept.push_back(i);
  }
  std::string text = owner.whose + ": the covariance is singular (rank " +
                     std::to_string(kept.size()) + " of " + std::to_string(d) + ", from " +
                     format_number(owner.rows) +
                     (owner.rows == 1.0 ? " row; n_samples = 1)" : " rows)");
  if (!constants.empty()) { text += "; constant: " + list(constants); }
  if (!collinear.empty()) { text += "; determined by the columns before: " + list(collinear); }
  if (!owner.cure.empty()) {
    return text + "; leave such columns out with --ignore, or " + owner.cure;
  }
  // Variances alone are no cure for a column that has none.
  return text + (constants.empty() && owner.other_structures
                     ? "; leave such columns out with --ignore, add --ridge 0.001, or "
                       "take --covariance diagonal"
                     : "; leave such columns out with --ignore, or add --ridge 0.001");
}

/// 1 - R^2 of a column on those before it: the square of the factor's diagonal.
double own_share(const Matrix& lower, std::size_t i) {
  const double pivot = lower(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i));
  return pivot * pivot;
}

}  // namespace

CholeskyFactor factorize(const Covariance& sigma, const CovarianceOwner& owner) {
  check_finite(sigma.values, owner);
  const auto d = static_cast<Eigen::Index>(sigma.size);
  std::vector<double> scale(sigma.size);
  std::vector<bool> constant(sigma.size);
  bool singular = false;
  for (std::size_t i = 0; i < sigma.size; ++i) {
    constant[i] = has_no_variance(sigma.at(i, i), owner.magnitudes[i]);
    scale[i] = constant[i] ? 1.0 : std::sqrt(sigma.at(i, i));
    singular = singular || constant[i];
  }
  Matrix correlation(d, d);
  for (std::size_t i = 0; i < sigma.size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double value = sigma.at(i, j) / scale[i] / scale[j];
      correlation(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = value;
      correlation(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i)) = value;
    }
  }
  const Eigen::LLT<Matrix> llt(correlation);
  const Matrix lower = llt.matrixL();
  singular = singular || llt.info() != Eigen::Success ||
             lower.diagonal().minCoeff() < std::sqrt(collinear_share(sigma.size));
  if (singular) {
    throw Error(ErrorCode::numeric, describe_deficiency(correlation, constant, owner));
  }
  CholeskyFactor factor{.size = sigma.size,
                        .lower = std::vector<double>(sigma.size * sigma.size),
                        .inverse_diagonal = std::vector<double>(sigma.size)};
  for (std::size_t i = 0; i < sigma.size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      factor.lower[i * sigma.size + j] =
          scale[i] * lower(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
    }
    factor.smallest_share = std::min(factor.smallest_share, own_share(lower, i));
    factor.inverse_diagonal[i] = 1.0 / factor.lower[i * sigma.size + i];
    factor.log_determinant += 2.0 * std::log(factor.lower[i * sigma.size + i]);
  }
  return factor;
}

std::vector<double> CholeskyFactor::solve(std::vector<double> v) const {
  if (diagonal()) {
    for (std::size_t i = 0; i < size; ++i) { v[i] *= inverse_diagonal[i] * inverse_diagonal[i]; }
    return v;
  }
  const auto d = static_cast<Eigen::Index>(size);
  const Eigen::Map<const Matrix> matrix(lower.data(), d, d);
  Eigen::Map<Eigen::VectorXd> x(v.data(), d);
  matrix.triangularView<Eigen::Lower>().solveInPlace(x);
  matrix.transpose().triangularView<Eigen::Upper>().solveInPlace(x);
  return v;
}

namespace {

void check_variances(const std::vector<double>& variances, const CovarianceOwner& owner) {
  check_finite(variances, owner);
  std::vector<std::string> constants;
  for (std::size_t i = 0; i < variances.size(); ++i) {
    if (has_no_variance(variances[i], owner.magnitudes[i])) {
      constants.push_back(owner.columns[i]);
    }
  }
  if (constants.empty()) { return; }
  throw Error(ErrorCode::numeric, owner.whose + ": no variance in " + format_number(owner.rows) +
                                      (owner.rows == 1.0 ? " row (n_samples = 1)" : " rows") +
                                      " for column " + list(constants) +
                                      "; leave it out with --ignore, or add --ridge 0.001");
}

}  // namespace

CholeskyFactor factorize(const std::vector<double>& variances, const CovarianceOwner& owner) {
  check_variances(variances, owner);
  CholeskyFactor factor{.size = variances.size(), .lower = {}, .inverse_diagonal = {}};
  for (const double variance : variances) {
    factor.inverse_diagonal.push_back(1.0 / std::sqrt(variance));
    factor.log_determinant += std::log(variance);
  }
  return factor;
}

}  // namespace logodds::models::gaussian
