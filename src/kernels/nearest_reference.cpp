#include <limits>

#include "kernels/nearest.hpp"

namespace logodds::kernels::reference {

void nearest_two(const float* rows, const std::uint32_t* members, std::size_t n,
                 const FloatCenters& centers, NearestTwo* out) {
  for (std::size_t m = 0; m < n; ++m) {
    const float* const x = rows + std::size_t{members[m]} * centers.d;
    NearestTwo found{std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity(),
                     0};
    for (std::size_t c = 0; c < centers.count; ++c) {
      float g = centers.half_norms[c];
      for (std::size_t i = 0; i < centers.d; ++i) {
        g -= x[i] * centers.values[i * centers.stride + c];
      }
      if (g < found.best) {
        found = {g, found.best, static_cast<std::int32_t>(c)};
      } else if (g < found.second) {
        found.second = g;
      }
    }
    out[m] = found;
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
