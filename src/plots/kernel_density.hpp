// Densities of columns as curves: what the rows say, without a model.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "logodds/draw/scale.hpp"

namespace logodds::plots {

/// Silverman (1986), eq. 3.31: 0.9 min(s, interquartile range / 1.34) n^(-1/5); 0 where all values
/// are equal. The values are finite.
[[nodiscard]] double silverman_bandwidth(std::vector<double> values);

/// A density at equally spaced points.
struct DensityCurve {
  std::vector<double> x;
  std::vector<double> y;
  double bandwidth = 0.0;  ///< of the Gaussian kernel
};
/// Of the finite values at `points` points from the low to the high end of `range`, which holds
/// them. The values are first shared out between the two points around each (linear binning, Wand
/// 1994); the bandwidth is Silverman's, but no less than the distance of two points.
[[nodiscard]] DensityCurve kernel_density(std::span<const double> values, const draw::Range& range,
                                          std::size_t points = 401);

}  // namespace logodds::plots
