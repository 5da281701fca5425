#include "kernels/member_singles.hpp"

namespace logodds::kernels::reference {

void member_singles(const double* rows, const std::uint32_t* members, std::size_t n, std::size_t d,
                    std::size_t stride, const double* center, const double* scale, double* sums,
                    double* scatter) {
  for (std::size_t m = 0; m < n; ++m) {
    const double* const x = rows + members[m] * stride;
    const auto z = [&](std::size_t i) { return (x[i] - center[i]) * scale[i]; };
    for (std::size_t i = 0; i < d; ++i) {
      sums[i] += z(i);
      for (std::size_t j = 0; j <= i; ++j) { scatter[i * d + j] += z(i) * z(j); }
    }
  }
}

}  // namespace logodds::kernels::reference
