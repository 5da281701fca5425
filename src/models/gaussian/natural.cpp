// Gaussian densities as an exponential family: h(x) exp(eta_k . T(x) - A(eta_k)).
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "models/design_parts.hpp"
#include "models/gaussian/gaussian.hpp"

namespace logodds::models::gaussian {

namespace {

/// One statistic: x_i, or x_i x_j.
struct Product {
  std::size_t i;
  std::optional<std::size_t> j{};
};

bool diagonal(const Densities& densities) { return densities.factors.front().diagonal(); }

/// What is the same for all classes is part of h(x): of one covariance the quadratic form.
std::vector<Product> products(const Densities& densities) {
  std::vector<Product> all;
  for (std::size_t i = 0; i < densities.size; ++i) {
    all.push_back({i});
    if (densities.shared()) { continue; }
    const std::size_t end = diagonal(densities) ? i + 1 : densities.size;
    for (std::size_t j = i; j < end; ++j) { all.push_back({i, j}); }
  }
  return all;
}

std::string name_of(const Product& product, const std::vector<std::string>& names) {
  if (!product.j) { return names[product.i]; }
  return *product.j == product.i ? names[product.i] + "^2"
                                 : names[product.i] + "*" + names[*product.j];
}

/// Sigma^-1, D x D.
std::vector<double> precision(const CholeskyFactor& factor) {
  std::vector<double> all;
  for (std::size_t i = 0; i < factor.size; ++i) {
    std::vector<double> unit(factor.size, 0.0);
    unit[i] = 1.0;
    const auto row = factor.solve(std::move(unit));
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

/// eta of class k: Sigma^-1 mu for x, -1/2 (Sigma^-1)_ii for x_i^2, -(Sigma^-1)_ij for x_i x_j.
void append_parameters(const Densities& densities, std::size_t k,
                       const std::vector<Product>& statistics, std::vector<double>& out) {
  const std::size_t d = densities.size;
  const auto linear = densities.factor(k).solve({densities.mean(k), densities.mean(k) + d});
  const auto quadratic =
      densities.shared() ? std::vector<double>{} : precision(densities.factor(k));
  for (const Product& product : statistics) {
    if (!product.j) {
      out.push_back(linear[product.i]);
    } else {
      out.push_back((product.i == *product.j ? -0.5 : -1.0) *
                    quadratic[product.i * d + *product.j]);
    }
  }
}

/// A of each coordinate's share: 1/2 mu_i (Sigma^-1 mu)_i, and 1/2 ln s_i where variances differ.
std::vector<double> log_partitions(const Densities& densities, std::size_t k) {
  const std::size_t d = densities.size;
  const CholeskyFactor& factor = densities.factor(k);
  auto shares = factor.solve({densities.mean(k), densities.mean(k) + d});
  for (std::size_t i = 0; i < d; ++i) {
    shares[i] *= 0.5 * densities.mean(k)[i];
    if (!densities.shared()) { shares[i] -= std::log(factor.inverse_diagonal[i]); }
  }
  return shares;
}

/// Under a full covariance all columns are one part: no value can be taken out of the sum.
DesignParts parts_of(const Densities& densities, DesignParts parts) {
  if (diagonal(densities)) { return parts; }
  std::string all;
  for (const std::string& name : parts.names) { all += (all.empty() ? "" : "+") + name; }
  parts.names = {std::move(all)};
  parts.of_design.assign(parts.of_design.size(), 0);
  return parts;
}

}  // namespace

std::optional<NaturalParameters> GaussianDiscriminant::natural_parameters() const {
  if (projection_) { return {}; }
  const std::vector<Product> statistics = products(densities_);
  const DesignParts parts = parts_of(densities_, design_parts(schema_, design_));
  NaturalParameters result;
  for (const Product& product : statistics) {
    result.statistics.push_back(name_of(product, design_.names()));
    result.part_of_statistic.push_back(parts.of_design[product.i]);
  }
  result.parts = parts.names;
  result.log_priors = densities_.log_priors;
  for (std::size_t k = 0; k < densities_.classes(); ++k) {
    append_parameters(densities_, k, statistics, result.parameters);
    std::vector<double> of_parts(parts.names.size(), 0.0);
    const auto shares = log_partitions(densities_, k);
    for (std::size_t i = 0; i < densities_.size; ++i) { of_parts[parts.of_design[i]] += shares[i]; }
    result.constants.push_back(densities_.log_priors[k] -
                               std::accumulate(of_parts.begin(), of_parts.end(), 0.0));
    result.log_partitions.insert(result.log_partitions.end(), of_parts.begin(), of_parts.end());
  }
  return result;
}

}  // namespace logodds::models::gaussian
