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

std::uint32_t leaf_distances(const double* query, const double* leaf, std::size_t d,
                             Measure measure, double limit, double* distances) {
  std::uint32_t near = 0;
  for (std::size_t p = 0; p < kLeafPoints; ++p) {
    distances[p] = 0.0;
    for (std::size_t i = 0; i < d; ++i) {
      const double off = query[i] - leaf[i * kLeafPoints + p];
      distances[p] += measure == Measure::squares ? off * off : std::abs(off);
    }
    if (distances[p] <= limit) { near |= std::uint32_t{1} << p; }
  }
  return near;
}

std::uint32_t box_distances(const double* query, const double* boxes, std::size_t d,
                            Measure measure, double limit, double* distances) {
  std::uint32_t near = 0;
  for (std::size_t b = 0; b < kNodeBoxes; ++b) {
    distances[b] = 0.0;
    for (std::size_t i = 0; i < d; ++i) {
      const double* const box = boxes + 2 * i * kNodeBoxes + b;
      const double below = box[0] - query[i];
      const double above = query[i] - box[kNodeBoxes];
      const double off = below > 0.0 || std::isnan(below) ? below : (above > 0.0 ? above : 0.0);
      distances[b] += measure == Measure::squares ? off * off : off;
    }
    if (distances[b] <= limit) { near |= std::uint32_t{1} << b; }
  }
  return near;
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
