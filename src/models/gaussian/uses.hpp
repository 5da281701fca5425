// What fitted densities are used for, one file a use. Rows are design rows (or their projection)
// of Densities::size columns; a missing value is NaN.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "logodds/data/design.hpp"
#include "logodds/models/geometry.hpp"
#include "models/gaussian/densities.hpp"

namespace logodds::models::gaussian {

/// ln pi_k + ln p(x | C_k) with every constant, rows x K. The missing coordinates of a row are
/// integrated out: sub-mean and sub-covariance of what is there, rows of one pattern together. A
/// row with nothing observed has ln pi_k. (marginal.cpp)
void log_joint(const Densities& densities, const DesignRows& rows, std::span<double> out);

/// For each row the upper tail of chi-square at the least squared Mahalanobis distance over the
/// classes, with as many degrees of freedom as the row has values; 1 for a row without any.
/// (outliers.cpp)
void outlier_p_values(const Densities& densities, const DesignRows& rows, std::span<double> out);

/// Draws of rows first_row, ... of the sequence of `seed`: labels, and rows x D values.
/// (sampling.cpp)
void draw(const Densities& densities, std::uint64_t seed, std::size_t first_row,
          std::span<std::int32_t> labels, std::span<double> values);

/// Of every pair of classes, in the coordinates of the densities. (boundaries.cpp)
[[nodiscard]] std::vector<Boundary> boundaries(const Densities& densities);
/// The same boundary over x where it was over z = (x - center) A.
[[nodiscard]] Boundary unprojected(const Boundary& boundary, const Projection& projection);

/// Canonical axes of the densities: directions v_1, v_2, ... that maximise v.B v / v.W
/// v, W = sum_k pi_k Sigma_k, B = sum_k pi_k (mu_k - m)(mu_k - m)^T, m = sum_k pi_k mu_k, scaled so
/// that v.W v = 1; the largest coordinate of each is positive. At most min(K - 1, D). (axes.cpp)
struct CanonicalAxes {
  std::vector<double> center;       ///< m, D
  std::vector<double> axes;         ///< D x M row-major
  std::vector<double> eigenvalues;  ///< between over within spread, M, falling
};
[[nodiscard]] CanonicalAxes canonical_axes(const Densities& densities);

}  // namespace logodds::models::gaussian
