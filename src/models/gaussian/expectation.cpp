#include "models/gaussian/expectation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "kernels/mixture.hpp"

namespace logodds::models::gaussian {

namespace {

void add_all(std::vector<double>& sums, const std::vector<double>& more) {
  for (std::size_t i = 0; i < sums.size(); ++i) { sums[i] += more[i]; }
}

}  // namespace

GaussianExpectation::GaussianExpectation(const GaussianDiscriminant& model,
                                         const GaussianStatistics& empty, const Shape& shape)
    : shape_(shape),
      second_(empty.moments().complete().second()),
      fast_(shape.levels.empty() && !model.projection() && empty.fourth() == nullptr &&
            empty.rows() == nullptr),
      plain_(model, empty, shape) {
  if (!fast_) { return; }
  const std::size_t d = shape.numeric;
  densities_ = densities_of(model.densities());
  weights_.assign(shape.classes, 0.0);
  sums_.assign(shape.classes * d, 0.0);
  products_.assign(shape.classes * d * (second_ == SecondMoments::full ? d : 1), 0.0);
}

std::shared_ptr<const GaussianExpectation::Densities> GaussianExpectation::densities_of(
    const gaussian::Densities& all) {
  auto result = std::make_shared<Densities>();
  const double constant = static_cast<double>(all.size) * std::log(2.0 * std::numbers::pi);
  result->means = all.means;
  for (std::size_t k = 0; k < all.classes(); ++k) {
    const CholeskyFactor& factor = all.factor(k);
    if (!factor.diagonal()) {
      result->factors.insert(result->factors.end(), factor.lower.begin(), factor.lower.end());
    }
    result->inverse_diagonals.insert(result->inverse_diagonals.end(),
                                     factor.inverse_diagonal.begin(),
                                     factor.inverse_diagonal.end());
    result->bias.push_back(all.log_priors[k] - 0.5 * (factor.log_determinant + constant));
  }
  return result;
}

void GaussianExpectation::add(const RowBlock& block) {
  if (!fast_ || !block.complete) { return plain_.add(block); }
  kernels::MixtureSums sums{.full = second_ == SecondMoments::full,
                            .weights = weights_.data(),
                            .sums = sums_.data(),
                            .products = products_.data()};
  kernels::mixture_add(
      block.numeric, block.rows, block.numeric_stride, block.weights,
      {.d = shape_.numeric,
       .k = shape_.classes,
       .means = densities_->means.data(),
       .factors = densities_->factors.empty() ? nullptr : densities_->factors.data(),
       .inverse_diagonals = densities_->inverse_diagonals.data(),
       .bias = densities_->bias.data()},
      sums);
  em::check_scores({&sums.log_likelihood, 1});
  log_likelihood_ += sums.log_likelihood;
}

void GaussianExpectation::merge(const GaussianExpectation& other) {
  add_all(weights_, other.weights_);
  add_all(sums_, other.sums_);
  add_all(products_, other.products_);
  log_likelihood_ += other.log_likelihood_;
  plain_.merge(other.plain_);
}

/// With delta = sum s y / sum s, the mean is delta further than that of the density, and
///   sum s (y - delta)(y - delta)^T = sum s y y^T - (sum s) delta delta^T.
GaussianStatistics GaussianExpectation::take_statistics() {
  GaussianStatistics statistics = plain_.take_statistics();
  const double weight = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  if (weight == 0.0) { return statistics; }
  const std::size_t d = shape_.numeric;
  const bool full = second_ == SecondMoments::full;
  std::vector<double> means = densities_->means;
  for (std::size_t k = 0; k < shape_.classes; ++k) {
    if (weights_[k] == 0.0) { continue; }
    double* const delta = sums_.data() + k * d;
    for (std::size_t i = 0; i < d; ++i) {
      delta[i] /= weights_[k];
      means[k * d + i] += delta[i];
    }
    double* const products = products_.data() + k * d * (full ? d : 1);
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = full ? 0 : i; j <= i; ++j) {
        double& value = products[full ? i * d + j : i];
        value -= weights_[k] * delta[i] * delta[j];
        if (i == j) { value = std::max(0.0, value); }
      }
    }
  }
  GaussianStatistics fast(
      PatternMoments(ClassMoments::given(shape_, second_, std::move(weights_), std::move(means),
                                         std::move(products_))),
      std::nullopt);
  if (statistics.weight() == 0.0) { return fast; }
  fast.merge(statistics);
  return fast;
}

}  // namespace logodds::models::gaussian
