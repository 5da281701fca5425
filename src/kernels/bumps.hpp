// Sums of normal bumps, for kernel densities: moments of the values of a cell, the sum that they
// give some way off, and the sum far from all values.
#pragma once

#include <array>
#include <cstddef>

namespace logodds::kernels {

inline constexpr std::size_t kBumpMoments = 24;
inline constexpr std::size_t kBumpPlaces = 16;
using BumpMoments = std::array<double, kBumpMoments>;
using BumpPlaces = std::array<double, kBumpPlaces>;

/// M_p = sum_v weights_v exp(-s_v^2 / 2) s_v^p / p!, s_v = (values_v - center) / h, |s_v| <= 1.
[[nodiscard]] BumpMoments bump_moments(const double* values, const double* weights, std::size_t n,
                                       double center, double inverse_h);
/// sums_i += bumps_i sum_p M_p t_i^p, t_i = places_i - shift: with bumps_i = exp(-t_i^2 / 2) what
/// the values of a cell give at distance t_i from its center, but for terms of order 24 and above.
void bump_sums_add(const BumpMoments& moments, const BumpPlaces& places, double shift,
                   const BumpPlaces& bumps, BumpPlaces& sums);
/// sum_v weights_v exp(-d_v (z + d_v / 2)), d_v = (values_v - edge) inverse_h >= 0: what values
/// that begin at `edge` give at z bandwidths from it, relative to a bump on the edge.
[[nodiscard]] double bump_tail_sum(const double* values, const double* weights, std::size_t n,
                                   double edge, double inverse_h, double z);

namespace reference {

[[nodiscard]] BumpMoments bump_moments(const double* values, const double* weights, std::size_t n,
                                       double center, double inverse_h);
void bump_sums_add(const BumpMoments& moments, const BumpPlaces& places, double shift,
                   const BumpPlaces& bumps, BumpPlaces& sums);
[[nodiscard]] double bump_tail_sum(const double* values, const double* weights, std::size_t n,
                                   double edge, double inverse_h, double z);

}  // namespace reference

}  // namespace logodds::kernels
