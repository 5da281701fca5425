#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/nearest.hpp"

namespace logodds::kernels::reference {

void nearest_centers(const float* rows, const float* lengths, const std::uint32_t* members,
                     std::size_t n, const FloatCenters& centers, const FloatMargin& margin,
                     std::int32_t* nearest, float* gaps) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (std::size_t m = 0; m < n; ++m) {
    const float* const x = rows + std::size_t{members[m]} * centers.d;
    float best = kInfinity;
    float second = kInfinity;
    nearest[m] = 0;
    for (std::size_t c = 0; c < centers.count; ++c) {
      float g = centers.half_norms[c];
      for (std::size_t i = 0; i < centers.d; ++i) {
        g -= x[i] * centers.values[i * centers.count + c];
      }
      second = std::min(second, std::max(best, g));
      if (g < best) { nearest[m] = static_cast<std::int32_t>(c); }
      best = std::min(best, g);
    }
    const float length = lengths[members[m]];
    const float error = (margin.constant + margin.per_length * length) * (1.0F + kGapSlack);
    const float square = length * length * (1.0F + kGapSlack) + 2.0F * error;
    const auto distance = [&](float g) { return std::sqrt(std::max(0.0F, square + 2.0F * g)); };
    // d2 - d1 = (d2^2 - d1^2) / (d2 + d1)
    const float apart = 2.0F * (second - best - 2.0F * error);
    gaps[m] = apart / (distance(best) + distance(second)) * (1.0F - kGapSlack);
    if (second == kInfinity) { gaps[m] = std::numeric_limits<float>::max(); }
  }
}

std::size_t unsettled_rows(const std::int32_t* labels, const float* limits, std::size_t n,
                           const float* sums, std::uint32_t* out) {
  std::size_t count = 0;
  for (std::size_t r = 0; r < n; ++r) {
    out[count] = static_cast<std::uint32_t>(r);
    count += sums[labels[r]] < limits[r] ? 0U : 1U;
  }
  return count;
}

}  // namespace logodds::kernels::reference
