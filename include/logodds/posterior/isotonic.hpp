// The non-decreasing function that is nearest to given points, by least squares.
#pragma once

#include <span>
#include <vector>

namespace logodds::posterior {

/// Linear between its knots, constant outside of them; never decreasing.
struct MonotoneLine {
  std::vector<double> x;  ///< ascending
  std::vector<double> y;

  [[nodiscard]] double at(double value) const;
};

/// argmin sum_n w_n (y_n - f(x_n))^2 over non-decreasing f, by pooling adjacent violators: linear
/// in the points once they are sorted (Ayer et al. 1955; Best & Chakravarti 1990). Points of one x
/// count as their mean. Without weights all are 1. The points are finite, and there is one at
/// least; weights are positive.
[[nodiscard]] MonotoneLine isotonic(std::span<const double> x, std::span<const double> y,
                                    std::span<const double> weights = {});

}  // namespace logodds::posterior
