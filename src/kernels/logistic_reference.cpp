#include <algorithm>
#include <cmath>

#include "kernels/logistic.hpp"

namespace logodds::kernels::reference {

double logistic_add(const double* rows, std::size_t n, std::size_t stride, const LogisticMap& map,
                    const std::int32_t* labels, const double* weights, double* gradient) {
  double loss = 0.0;
  for (std::size_t r = 0; r < n; ++r) {
    const double* x = rows + r * stride;
    double a = 0.0;
    for (std::size_t i = 0; i < map.d; ++i) { a += (x[i] - map.center[i]) * map.coefficients[i]; }
    a += map.bias;
    const double y = static_cast<double>(labels[r]);
    const double w = weights != nullptr ? weights[r] : 1.0;
    const double power = std::exp(-std::abs(a));
    const double p = (a < 0.0 ? power : 1.0) / (1.0 + power);
    loss += w * (std::log1p(power) + std::max(a, 0.0) - y * a);
    const double residual = w * (p - y);
    for (std::size_t i = 0; i < map.d; ++i) { gradient[i] += residual * (x[i] - map.center[i]); }
    gradient[map.d] += residual;
  }
  return loss;
}

}  // namespace logodds::kernels::reference
