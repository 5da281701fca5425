// Coordinates in which the softmax objective is well conditioned.
#pragma once

#include <cstddef>
#include <vector>

#include "logodds/data/design.hpp"

namespace logodds::models::softmax {

/// z = T^T (x - m), where T^T (Sigma + R) T is the identity in the directions in which the rows
/// vary at all. With a ridge R of 2 eps / (curvature x weight) likelihood and decay together are
/// near a multiple of the identity, whatever the units of the columns.
struct Whitening {
  std::vector<double> center;    ///< m, D
  std::vector<double> scale;     ///< S, D: T = S when `rotation` is empty
  std::vector<double> rotation;  ///< Q, D x D row-major: T = S Q

  /// Z = (X - m) T, n x d row-major.
  [[nodiscard]] std::vector<double> apply(const double* rows, std::size_t n,
                                          std::size_t stride) const;
  /// theta = T beta, both D x k row-major.
  [[nodiscard]] std::vector<double> in_user_units(const std::vector<double>& beta,
                                                  std::size_t k) const;
  /// beta = T^-1 theta, both D x k row-major.
  [[nodiscard]] std::vector<double> in_own_units(const std::vector<double>& theta,
                                                 std::size_t k) const;
  /// T^T diag(eps) T: D x D, or its diagonal, D, when T is diagonal.
  [[nodiscard]] std::vector<double> decay(const std::vector<double>& eps) const;
};

/// From complete rows with `weights` (or null: all 1). `ridge` (D) is the diagonal of R. Unless
/// `centered`, m is 0 and Sigma the matrix of second moments. Directions without variance, to
/// rounding, are left at their own scale. T is diagonal (standardisation) unless `rotated`, and
/// past `kMostRotated` columns, because the eigenvectors would cost more than they save.
[[nodiscard]] Whitening whiten(const DesignRows& rows, const double* weights,
                               const std::vector<double>& ridge, bool centered, bool rotated);

inline constexpr std::size_t kMostRotated = 256;

}  // namespace logodds::models::softmax
