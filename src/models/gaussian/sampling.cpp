#include <algorithm>
#include <cmath>

#include "models/gaussian/uses.hpp"
#include "random/row_draws.hpp"

namespace logodds::models::gaussian {

namespace {

/// Upper ends of the classes' shares of [0, 2^32). Shares are rounded to multiples of 2^-32,
/// because ln and exp differ in the last bit from machine to machine, and classes must not.
std::vector<std::uint64_t> class_limits(const std::vector<double>& log_priors) {
  double total = 0.0;
  for (const double log_prior : log_priors) { total += std::exp(log_prior); }
  std::vector<std::uint64_t> limits;
  double sum = 0.0;
  for (const double log_prior : log_priors) {
    sum += std::exp(log_prior);
    limits.push_back(static_cast<std::uint64_t>(std::floor(sum / total * 0x1p32 + 0.5)));
  }
  limits.back() = std::uint64_t{1} << 32U;
  return limits;
}

std::size_t draw_class(const std::vector<std::uint64_t>& limits, random::RowDraws& draws) {
  const auto above = std::ranges::upper_bound(limits, draws.bits() >> 32U);
  return static_cast<std::size_t>(above - limits.begin());
}

/// x = mu + L z, each sum in the order of the columns of L; `z` is overwritten.
void draw_values(const double* mean, const CholeskyFactor& factor, random::RowDraws& draws,
                 std::vector<double>& z, double* x) {
  for (double& value : z) { value = draws.normal(); }
  for (std::size_t i = 0; i < z.size(); ++i) {
    double sum = 0.0;
    for (std::size_t j = factor.diagonal() ? i : 0; j <= i; ++j) { sum += factor.at(i, j) * z[j]; }
    x[i] = mean[i] + sum;
  }
}

}  // namespace

void draw(const Densities& densities, std::uint64_t seed, std::size_t first_row,
          std::span<std::int32_t> labels, std::span<double> values) {
  const std::vector<std::uint64_t> limits = class_limits(densities.log_priors);
  std::vector<double> z(densities.size);
  for (std::size_t r = 0; r < labels.size(); ++r) {
    random::RowDraws draws(seed, first_row + r);
    const std::size_t k = draw_class(limits, draws);
    labels[r] = static_cast<std::int32_t>(k);
    draw_values(densities.mean(k), densities.factor(k), draws, z,
                values.data() + r * densities.size);
  }
}

}  // namespace logodds::models::gaussian
