// Cholesky factors of covariances, and what to tell the user about one that has none.
#pragma once

#include <string>
#include <vector>

namespace logodds::models::gaussian {

/// A symmetric matrix, row-major d x d, of which the lower triangle counts.
struct Covariance {
  std::size_t size = 0;
  std::vector<double> values;

  explicit Covariance(std::size_t d) : size(d), values(d * d, 0.0) {}
  double& at(std::size_t i, std::size_t j) { return values[i * size + j]; }
  [[nodiscard]] double at(std::size_t i, std::size_t j) const { return values[i * size + j]; }
};

/// Sigma = L L^T.
struct CholeskyFactor {
  std::size_t size = 0;
  /// L, row-major, zeros above the diagonal; empty when Sigma is diagonal.
  std::vector<double> lower;
  std::vector<double> inverse_diagonal;  ///< 1 / L_ii
  double log_determinant = 0.0;          ///< ln |Sigma| = 2 sum ln L_ii
  double smallest_share = 1.0;  ///< least share of a column's variance that the others leave to it

  [[nodiscard]] bool diagonal() const { return lower.empty(); }
  /// L_ij for j <= i.
  [[nodiscard]] double at(std::size_t i, std::size_t j) const {
    if (diagonal()) { return i == j ? 1.0 / inverse_diagonal[i] : 0.0; }
    return lower[i * size + j];
  }
  /// Sigma^-1 v by two triangular solves.
  [[nodiscard]] std::vector<double> solve(std::vector<double> v) const;
};

/// What a covariance belongs to, for messages.
struct CovarianceOwner {
  std::string whose;                        ///< "class 'a'" or "the shared covariance"
  double rows = 0.0;                        ///< weight behind it
  const std::vector<std::string>& columns;  ///< names
  std::vector<double> magnitudes;           ///< |mean| of each column, of which eps is rounding
  bool other_structures = true;             ///< --covariance may be advised
  /// What helps besides leaving columns out; empty: the options of this family.
  std::string cure{};
};

/// Factorises the correlation matrix and scales back, so that the units of the columns do not
/// matter. A matrix that is singular to rounding is never mended: throws Error(numeric) naming the
/// owner, the rank, the constant or collinear columns, and the options that cure it.
[[nodiscard]] CholeskyFactor factorize(const Covariance& sigma, const CovarianceOwner& owner);

/// The same for a diagonal matrix: throws for the columns whose variance is 0 to rounding.
[[nodiscard]] CholeskyFactor factorize(const std::vector<double>& variances,
                                       const CovarianceOwner& owner);

}  // namespace logodds::models::gaussian
