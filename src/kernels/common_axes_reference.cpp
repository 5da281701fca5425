#include <vector>

#include "kernels/common_axes.hpp"

namespace logodds::kernels::reference {

void common_axes_scores(const double* rows, std::size_t n, std::size_t stride,
                        const CommonAxes& models, double* out) {
  const auto [d, k, m, means, axes, halves, bias] = models;
  std::vector<double> turned(d);
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c < k; ++c) {
      for (std::size_t t = 0; t < d; ++t) {
        turned[t] = 0.0;
        for (std::size_t i = 0; i < d; ++i) {
          turned[t] += (rows[r * stride + i] - means[c * d + i]) * axes[(c * d + i) * d + t];
        }
      }
      for (std::size_t p = 0; p < m; ++p) {
        double score = bias[c * m + p];
        for (std::size_t t = 0; t < d; ++t) {
          score += turned[t] * turned[t] * halves[(c * d + t) * m + p];
        }
        out[(p * n + r) * k + c] = score;
      }
    }
  }
}

}  // namespace logodds::kernels::reference
