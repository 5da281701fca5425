#include "kernels/pair_products.hpp"

namespace logodds::kernels::reference {

void pair_products_add(const float* z, std::size_t n, std::size_t d, std::size_t stride,
                       const float* factors, std::size_t pairs, double* sums) {
  for (std::size_t r = 0; r < n; ++r) {
    double* to = sums;
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j <= i; ++j, to += pairs) {
        const double product =
            static_cast<double>(z[r * stride + i]) * static_cast<double>(z[r * stride + j]);
        for (std::size_t q = 0; q < pairs; ++q) {
          to[q] += product * static_cast<double>(factors[r * pairs + q]);
        }
      }
    }
  }
}

}  // namespace logodds::kernels::reference
