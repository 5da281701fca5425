#include "optimize/lbfgs_history.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace logodds::optimize {
namespace {

/// target += factor * values.
void accumulate(std::span<double> target, double factor, std::span<const double> values) {
  for (std::size_t i = 0; i < target.size(); ++i) { target[i] += factor * values[i]; }
}

}  // namespace

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

LbfgsHistory::LbfgsHistory(std::size_t memory, std::span<const double> diagonal,
                           const Inverse& inverse, std::size_t dimension)
    : memory_(std::max<std::size_t>(1, memory)), diagonal_(diagonal), inverse_(inverse) {
  next_.s.resize(dimension);
  next_.y.resize(dimension);
}

void LbfgsHistory::add(std::span<const double> theta, std::span<const double> next_theta,
                       std::span<const double> gradient, std::span<const double> next_gradient) {
  for (std::size_t i = 0; i < theta.size(); ++i) {
    next_.s[i] = next_theta[i] - theta[i];
    next_.y[i] = next_gradient[i] - gradient[i];
  }
  next_.curvature = dot(next_.s, next_.y);
  // Below this share H would be blown up by rounding; the test is that of L-BFGS-B.
  if (!(next_.curvature > std::numeric_limits<double>::epsilon() * dot(next_.y, next_.y))) {
    return;
  }
  if (pairs_.size() < memory_) {
    pairs_.push_back(next_);
    return;
  }
  Pair oldest = std::move(pairs_.front());
  pairs_.pop_front();
  pairs_.push_back(std::exchange(next_, std::move(oldest)));
}

double LbfgsHistory::scale() const {
  if (pairs_.empty()) { return 1.0; }
  const Pair& latest = pairs_.back();
  double scaled = 0.0;
  for (std::size_t i = 0; i < latest.y.size(); ++i) {
    scaled += latest.y[i] * diagonal_at(i) * latest.y[i];
  }
  return latest.curvature / scaled;
}

void LbfgsHistory::apply_first_guess(std::span<double> out) const {
  if (inverse_) {
    inverse_(out);
    return;
  }
  const double factor = scale();
  for (std::size_t i = 0; i < out.size(); ++i) { out[i] *= factor * diagonal_at(i); }
}

void LbfgsHistory::direction(std::span<const double> gradient, std::span<double> out) {
  std::ranges::transform(gradient, out.begin(), [](double g) { return -g; });
  coefficients_.resize(pairs_.size());
  for (std::size_t k = pairs_.size(); k-- > 0;) {
    const Pair& pair = pairs_[k];
    coefficients_[k] = dot(pair.s, out) / pair.curvature;
    accumulate(out, -coefficients_[k], pair.y);
  }
  apply_first_guess(out);
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const Pair& pair = pairs_[k];
    accumulate(out, coefficients_[k] - dot(pair.y, out) / pair.curvature, pair.s);
  }
}

}  // namespace logodds::optimize
