#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/softmax_loss.hpp"
#include "kernels/softmax_single.hpp"

namespace logodds::kernels::reference {

namespace {

/// The rows of a call, as the z of its map.
void pick_pairs(const std::vector<double>& z, std::size_t n, const SingleMap& map,
                const double* weights, PairPicks& picks) {
  picks.curvature.resize(map.k, 0.0);
  double sum = picks.start(0);
  std::vector<double> p(map.k);
  for (std::size_t r = 0; r < n; ++r) {
    double top = -std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < map.k; ++c) {
      p[c] = map.bias[c];
      for (std::size_t i = 0; i < map.d; ++i) {
        p[c] += z[r * map.d + i] * map.coefficients[i * map.k + c];
      }
      top = std::max(top, p[c]);
    }
    double total = 0.0;
    for (double& share : p) { total += share = std::exp(share - top); }
    const double w = weights == nullptr ? 1.0 : weights[r];
    double rest = 1.0;
    for (std::size_t c = 0; c < map.k; ++c) {
      p[c] /= total;
      picks.curvature[c] += w * p[c] * (1.0 - p[c]);
      rest -= p[c] * p[c];
    }
    const double before = sum;
    sum += picks.rate * w * 0.5 * std::max(rest, 0.0);
    if (sum >= 1.0) { picks.add_pairs(p.data(), 1, r, before, sum); }
    sum -= std::floor(sum);
  }
}

}  // namespace

double softmax_add_single(const double* rows, std::size_t n, std::size_t stride,
                          const SingleMap& map, const std::int32_t* labels, const double* weights,
                          double* gradient, const SingleTiles& /*tiles*/, PairPicks* picks) {
  std::vector<double> z(n * map.d);
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t i = 0; i < map.d; ++i) {
      const double off = (rows[r * stride + i] - map.center[i]) * map.scale[i];
      z[r * map.d + i] = static_cast<double>(static_cast<float>(off));
    }
  }
  if (picks != nullptr) { pick_pairs(z, n, map, weights, *picks); }
  const std::vector<double> zeros(map.d, 0.0);
  const SoftmaxMap own{map.d, map.k, zeros.data(), map.coefficients, map.bias};
  return reference::softmax_add(z.data(), n, map.d, own, labels, weights, gradient);
}

}  // namespace logodds::kernels::reference
