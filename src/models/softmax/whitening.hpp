// Coordinates in which the softmax objective is well conditioned.
#pragma once

#include <cstddef>
#include <vector>

namespace logodds::models::softmax {

/// z = T^T (x - m) has mean 0, and T^T (Sigma + ridge I) T is the identity in the directions in
/// which the rows vary at all. With ridge = 2 eps / (curvature x weight) likelihood and decay
/// together are near a multiple of the identity, whatever the units of the columns.
struct Whitening {
  std::vector<double> center;     ///< m, D
  std::vector<double> transform;  ///< T, D x D row-major
};

/// From `rows` (n x d, row-major, complete) with `weights` (or null: all 1). Directions without
/// variance, to rounding, are left at their own scale. Past `kMostRotated` columns T is diagonal
/// (standardisation), because the eigenvectors would cost more than they save.
[[nodiscard]] Whitening whiten(const double* rows, std::size_t n, std::size_t d,
                               const double* weights, double ridge);

inline constexpr std::size_t kMostRotated = 256;

}  // namespace logodds::models::softmax
