#include <cmath>

#include "kernels/bumps.hpp"

namespace logodds::kernels::reference {

BumpMoments bump_moments(const double* values, const double* weights, std::size_t n, double center,
                         double inverse_h) {
  BumpMoments moments{};
  for (std::size_t v = 0; v < n; ++v) {
    const double s = (values[v] - center) * inverse_h;
    double term = weights[v] * std::exp(-0.5 * s * s);
    for (double& moment : moments) {
      moment += term;
      term *= s;
    }
  }
  double factorial = 1.0;
  for (std::size_t p = 2; p < kBumpMoments; ++p) {
    factorial *= static_cast<double>(p);
    moments[p] /= factorial;
  }
  return moments;
}

void bump_sums_add(const BumpMoments& moments, const BumpPlaces& places, double shift,
                   const BumpPlaces& bumps, BumpPlaces& sums) {
  for (std::size_t i = 0; i < kBumpPlaces; ++i) {
    const double t = places[i] - shift;
    double series = 0.0;
    for (std::size_t p = kBumpMoments; p-- > 0;) { series = series * t + moments[p]; }
    sums[i] += bumps[i] * series;
  }
}

double bump_tail_sum(const double* values, const double* weights, std::size_t n, double edge,
                     double inverse_h, double z) {
  double sum = 0.0;
  for (std::size_t v = 0; v < n; ++v) {
    const double d = (values[v] - edge) * inverse_h;
    sum += weights[v] * std::exp(-d * (z + 0.5 * d));
  }
  return sum;
}

}  // namespace logodds::kernels::reference
