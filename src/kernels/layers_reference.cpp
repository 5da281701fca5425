#include <cmath>

#include "kernels/layers.hpp"

namespace logodds::kernels::reference {

namespace {

double output(Activation kind, double a) {
  switch (kind) {
    case Activation::tanh:
      return std::tanh(a);
    case Activation::sigmoid: {
      const double e = std::exp(-std::abs(a));
      return (a >= 0.0 ? 1.0 : e) / (1.0 + e);
    }
    case Activation::relu:
      return a < 0.0 ? 0.0 : a;
    case Activation::linear:
      break;
  }
  return a;
}

double slope(Activation kind, double h) {
  switch (kind) {
    case Activation::tanh:
      return 1.0 - h * h;
    case Activation::sigmoid:
      return h * (1.0 - h);
    case Activation::relu:
      return h > 0.0 ? 1.0 : 0.0;
    case Activation::linear:
      break;
  }
  return 1.0;
}

}  // namespace

void activate(Activation kind, double* values, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) { values[i] = output(kind, values[i]); }
}

void multiply_slopes(Activation kind, const double* outputs, std::size_t n, double* deltas) {
  for (std::size_t i = 0; i < n; ++i) { deltas[i] *= slope(kind, outputs[i]); }
}

void adam_update(const AdamRates& rates, const double* gradient, std::size_t n, double* theta,
                 double* m, double* v) {
  for (std::size_t i = 0; i < n; ++i) {
    const double g = gradient[i];
    m[i] = rates.b1 * m[i] + (1.0 - rates.b1) * g;
    v[i] = rates.b2 * v[i] + (1.0 - rates.b2) * g * g;
    theta[i] -= rates.step * m[i] / (std::sqrt(v[i] / rates.c2) + rates.tiny);
  }
}

}  // namespace logodds::kernels::reference
