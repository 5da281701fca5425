#include <cmath>

#include "kernels/neighbors.hpp"

namespace logodds::kernels::reference {

std::size_t near_pairs(const NearInput& input, NearPair* pairs) {
  std::size_t count = 0;
  for (std::size_t p = 0; p < input.panel_count * kPanelPoints; ++p) {
    const float* const panel = input.panels + p / kPanelPoints * input.d * kPanelPoints;
    for (std::size_t q = 0; q < input.n; ++q) {
      float sum = input.offsets[p];
      for (std::size_t i = 0; i < input.d; ++i) {
        sum -= input.queries[q * input.stride + i] * panel[i * kPanelPoints + p % kPanelPoints];
      }
      if (sum <= input.limits[q]) {
        pairs[count++] = {static_cast<std::uint16_t>(q), static_cast<std::uint16_t>(p)};
      }
    }
  }
  return count;
}

void absolute_distances(const double* queries, std::size_t n, std::size_t query_stride,
                        const double* points, std::size_t m, std::size_t point_stride,
                        std::size_t d, double* out) {
  for (std::size_t q = 0; q < n; ++q) {
    for (std::size_t p = 0; p < m; ++p) {
      double sum = 0.0;
      for (std::size_t i = 0; i < d; ++i) {
        sum += std::abs(queries[q * query_stride + i] - points[p * point_stride + i]);
      }
      out[q * m + p] = sum;
    }
  }
}

}  // namespace logodds::kernels::reference
