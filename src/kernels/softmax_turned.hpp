// The objective of three and more classes, of short rows that are turned in the cache.
#pragma once

#include "kernels/softmax_loss.hpp"

namespace logodds::kernels {

/// Rows that are short enough to stay in the cache, and classes that are few enough for a vector of
/// sums for each coefficient.
[[nodiscard]] constexpr bool fits_turned(const SoftmaxMap& map) {
  constexpr std::size_t kMostColumns = 128;
  constexpr std::size_t kMostSums = 1024;
  return map.d <= kMostColumns && (map.d + 1) * map.k <= kMostSums;
}

/// As softmax_add, which calls it where that is quicker.
[[nodiscard]] double softmax_add_turned(const double* rows, std::size_t n, std::size_t stride,
                                        const SoftmaxMap& map, const std::int32_t* labels,
                                        const double* weights, double* gradient);

}  // namespace logodds::kernels
