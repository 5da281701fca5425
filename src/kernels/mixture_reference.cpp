#include <cmath>
#include <vector>

#include "kernels/mixture.hpp"
#include "kernels/reference.hpp"

namespace logodds::kernels::reference {

namespace {

/// z = L^-1 (x - mean); returns ||z||^2.
double squared_length(const double* x, const MixtureDensities& all, std::size_t c) {
  const std::size_t d = all.d;
  std::vector<double> z(d);
  double sum = 0.0;
  for (std::size_t i = 0; i < d; ++i) {
    z[i] = x[i] - all.means[c * d + i];
    for (std::size_t j = 0; j < i && all.factors != nullptr; ++j) {
      z[i] -= all.factors[(c * d + i) * d + j] * z[j];
    }
    z[i] *= all.inverse_diagonals[c * d + i];
    sum += z[i] * z[i];
  }
  return sum;
}

void add_row(const double* x, const MixtureDensities& all, std::size_t c, double share,
             MixtureSums& sums) {
  const std::size_t d = all.d;
  sums.weights[c] += share;
  for (std::size_t i = 0; i < d; ++i) {
    const double y = x[i] - all.means[c * d + i];
    sums.sums[c * d + i] += share * y;
    if (!sums.full) {
      sums.products[c * d + i] += share * y * y;
      continue;
    }
    for (std::size_t j = 0; j <= i; ++j) {
      sums.products[(c * d + i) * d + j] += share * y * (x[j] - all.means[c * d + j]);
    }
  }
}

}  // namespace

void mixture_add(const double* rows, std::size_t n, std::size_t stride, const double* weights,
                 const MixtureDensities& all, MixtureSums& sums) {
  std::vector<double> scores(all.k);
  for (std::size_t r = 0; r < n; ++r) {
    const double* const x = rows + r * stride;
    const double weight = weights == nullptr ? 1.0 : weights[r];
    for (std::size_t c = 0; c < all.k; ++c) {
      scores[c] = all.bias[c] - 0.5 * squared_length(x, all, c);
    }
    double log_density = 0.0;
    softmax_rows(scores.data(), 1, all.k, &log_density);
    sums.log_likelihood += weight * log_density;
    for (std::size_t c = 0; c < all.k; ++c) { add_row(x, all, c, weight * scores[c], sums); }
  }
}

}  // namespace logodds::kernels::reference
