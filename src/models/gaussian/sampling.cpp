#include <cmath>

#include "models/gaussian/uses.hpp"
#include "random/shares.hpp"

namespace logodds::models::gaussian {

namespace {

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
  std::vector<double> priors;
  for (const double log_prior : densities.log_priors) { priors.push_back(std::exp(log_prior)); }
  const random::Shares classes(priors);
  std::vector<double> z(densities.size);
  for (std::size_t r = 0; r < labels.size(); ++r) {
    random::RowDraws draws(seed, first_row + r);
    const std::size_t k = classes.draw(draws);
    labels[r] = static_cast<std::int32_t>(k);
    draw_values(densities.mean(k), densities.factor(k), draws, z,
                values.data() + r * densities.size);
  }
}

}  // namespace logodds::models::gaussian
