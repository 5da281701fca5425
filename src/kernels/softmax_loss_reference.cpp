#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/softmax_loss.hpp"

namespace logodds::kernels::reference {

double softmax_add(const double* rows, std::size_t n, std::size_t stride, const SoftmaxMap& map,
                   const std::int32_t* labels, const double* weights, double* gradient) {
  const std::size_t k = map.k;
  double loss = 0.0;
  std::vector<double> p(k);
  for (std::size_t r = 0; r < n; ++r) {
    const double* const x = rows + r * stride;
    const auto truth = static_cast<std::size_t>(labels[r]);
    const double w = weights != nullptr ? weights[r] : 1.0;
    for (std::size_t c = 0; c < k; ++c) {
      p[c] = map.bias[c];
      for (std::size_t i = 0; i < map.d; ++i) {
        p[c] += (x[i] - map.center[i]) * map.coefficients[i * k + c];
      }
    }
    const double top = *std::max_element(p.begin(), p.end());
    const double own = p[truth];
    double sum = 0.0;
    for (double& value : p) { sum += value = std::exp(value - top); }
    loss += w * (top + std::log(sum) - own);
    for (std::size_t c = 0; c < k; ++c) {
      const double residual = w * (p[c] / sum - (c == truth ? 1.0 : 0.0));
      for (std::size_t i = 0; i < map.d; ++i) {
        gradient[i * k + c] += residual * (x[i] - map.center[i]);
      }
      gradient[map.d * k + c] += residual;
    }
  }
  return loss;
}

}  // namespace logodds::kernels::reference
