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

bool common_axes_losses(const double* rows, std::size_t n, std::size_t stride,
                        const CommonAxes& models, const std::int32_t* truths,
                        const RowLosses& out) {
  std::vector<double> scores(models.m * n * models.k);
  reference::common_axes_scores(rows, n, stride, models, scores.data());
  bool sound = true;
  for (std::size_t p = 0; p < models.m; ++p) {
    const double* const own = scores.data() + p * n * models.k;
    sound = reference::row_losses(own, n, models.k, truths, out.from(p * n)) && sound;
  }
  return sound;
}

}  // namespace logodds::kernels::reference
