#include "kernels/wide_products.hpp"
#include "linalg/double_double.hpp"

namespace logodds::kernels::reference {

void wide_products_add(const double* rows, std::size_t n, std::size_t m, std::size_t stride,
                       const double* weights, double* high, double* low) {
  for (std::size_t r = 0; r < n; ++r) {
    const double* const row = rows + r * stride;
    for (std::size_t i = 0; i < m; ++i) {
      const linalg::DoubleDouble factor =
          linalg::exact_product(weights == nullptr ? 1.0 : weights[r], row[i]);
      for (std::size_t j = 0; j <= i; ++j) {
        const auto product = linalg::exact_product(factor.high, row[j]);
        const double rest = std::fma(factor.low, row[j], product.low);
        const auto sum = linalg::exact_sum(high[i * m + j], product.high);
        high[i * m + j] = sum.high;
        low[i * m + j] += sum.low + rest;
      }
    }
  }
}

}  // namespace logodds::kernels::reference
