// Coordinates in which the softmax objective is well conditioned.
#pragma once

#include <cstddef>
#include <vector>

namespace logodds::models::softmax {

/// z = T^T (x - m) has mean 0, and T^T (Sigma + ridge I) T is the identity in the directions in
/// which the rows vary at all. With ridge = 2 eps / (curvature x weight) likelihood and decay
/// together are near a multiple of the identity, whatever the units of the columns.
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
  /// eps T^T T: D x D, or its diagonal, D, when T is diagonal.
  [[nodiscard]] std::vector<double> decay(double eps) const;
};

/// From `rows` (n x d, row-major, complete) with `weights` (or null: all 1). Directions without
/// variance, to rounding, are left at their own scale. Past `kMostRotated` columns T is diagonal
/// (standardisation), because the eigenvectors would cost more than they save.
[[nodiscard]] Whitening whiten(const double* rows, std::size_t n, std::size_t d,
                               const double* weights, double ridge);

inline constexpr std::size_t kMostRotated = 256;

}  // namespace logodds::models::softmax
