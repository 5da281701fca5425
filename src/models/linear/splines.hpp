// Natural cubic splines of one column.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace logodds::models::linear {

/// Where the knots of a column lie: its least and its largest value, and between them `interior`
/// ones, at equal shares of the weight, or at equal shares of the different values where so many
/// are equal that some of the former would coincide. Ascending; empty if there are fewer than
/// interior + 2 different values. `weights` null: every weight is 1.
[[nodiscard]] std::vector<double> spline_knots(const std::vector<double>& values,
                                               const double* weights, std::size_t interior);

/// How many different values there are.
[[nodiscard]] std::size_t count_different(std::vector<double> values);

/// With the knots xi_1 < ... < xi_M the M - 2 functions
///   (d_k(x) - d_(M-1)(x)) / (xi_M - xi_1)^2,
///   d_k(x) = (max(x - xi_k, 0)^3 - max(x - xi_M, 0)^3) / (xi_M - xi_k),  k = 1, ..., M - 2:
/// together with 1 and x they span the cubic splines that are linear beyond the knots (Hastie,
/// Tibshirani & Friedman, The Elements of Statistical Learning, section 5.2.1). The divisor makes
/// them free of units. They are never negative.
void natural_splines(double x, std::span<const double> knots, double* out);

}  // namespace logodds::models::linear
