#include "models/naive_bayes/columns/dispersion.hpp"

#include "models/naive_bayes/columns/special.hpp"

namespace logodds::models::naive_bayes::columns {

namespace {

/// sum of j r / (r + j) over j from `first` to before `last`.
double saturating_sum(double first, double last, double r) {
  constexpr double kFew = 32.0;
  if (last - first > kFew) {
    return r * ((last - first) - r * (digamma(last + r) - digamma(first + r)));
  }
  double sum = 0.0;
  for (double j = first; j < last; ++j) { sum += j * (r / (r + j)); }
  return sum;
}

/// r^2 / W times the derivative of the log likelihood by r, with the sample's mean m:
///   sum_x w_x sum_{j<x} 1 / (r + j) - W ln(1 + m / r)
/// in which x / r is taken out of the first term and put into the second, so that both stay finite
/// for large r. It falls from above 0 to below, once: Levin & Reeds, "Compound multinomial
/// likelihood functions are unimodal" (Annals of Statistics 5, 1977).
double slope(const Sample& sample, double mean, double r) {
  double above = sample.weight;  // weight of the values from here on
  double before = 0.0;
  double sum = 0.0;
  for (std::size_t v = 0; v < sample.values.size(); ++v) {
    sum += above / sample.weight * saturating_sum(before, sample.values[v], r);
    above -= sample.weights[v];
    before = sample.values[v];
  }
  return -r * r * log1p_minus(mean / r) - sum;
}

}  // namespace

double dispersion(const Sample& sample) {
  constexpr double kLeast = 1e-9;
  constexpr double kMost = 1e12;  // as good as infinite
  double mean = 0.0;
  for (std::size_t v = 0; v < sample.values.size(); ++v) {
    mean += sample.weights[v] / sample.weight * sample.values[v];
  }
  double variance = 0.0;
  for (std::size_t v = 0; v < sample.values.size(); ++v) {
    const double deviation = sample.values[v] - mean;
    variance += sample.weights[v] / sample.weight * deviation * deviation;
  }
  if (!(variance > mean)) { return std::numeric_limits<double>::infinity(); }
  // the moments' estimate brackets the root after a few steps by a factor
  double low = std::clamp(mean * mean / (variance - mean), kLeast, kMost);
  double high = low;
  while (low > kLeast && slope(sample, mean, low) < 0.0) { low /= 4.0; }
  while (high < kMost && slope(sample, mean, high) > 0.0) { high *= 4.0; }
  if (high >= kMost) { return std::numeric_limits<double>::infinity(); }
  for (int step = 0; step < 60 && high - low > 1e-15 * high; ++step) {
    const double middle = std::sqrt(low * high);
    (slope(sample, mean, middle) > 0.0 ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

}  // namespace logodds::models::naive_bayes::columns
