#include <vector>

#include "kernels/softmax_loss.hpp"
#include "kernels/softmax_single.hpp"

namespace logodds::kernels::reference {

double softmax_add_single(const double* rows, std::size_t n, std::size_t stride,
                          const SingleMap& map, const std::int32_t* labels, const double* weights,
                          double* gradient, const SingleTiles& /*tiles*/) {
  std::vector<double> z(n * map.d);
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t i = 0; i < map.d; ++i) {
      const double off = (rows[r * stride + i] - map.center[i]) * map.scale[i];
      z[r * map.d + i] = static_cast<double>(static_cast<float>(off));
    }
  }
  const std::vector<double> zeros(map.d, 0.0);
  const SoftmaxMap own{map.d, map.k, zeros.data(), map.coefficients, map.bias};
  return reference::softmax_add(z.data(), n, map.d, own, labels, weights, gradient);
}

}  // namespace logodds::kernels::reference
