#include "models/linear/splines.hpp"

#include <algorithm>
#include <numeric>

namespace logodds::models::linear {

namespace {

struct Weighted {
  double value;
  double weight;
};

/// Different values in ascending order, each with the weight of all its rows.
std::vector<Weighted> different_values(const std::vector<double>& values, const double* weights) {
  std::vector<Weighted> all;
  all.reserve(values.size());
  for (std::size_t r = 0; r < values.size(); ++r) {
    all.push_back({values[r], weights == nullptr ? 1.0 : weights[r]});
  }
  std::ranges::stable_sort(all, {}, &Weighted::value);
  std::vector<Weighted> merged;
  for (const Weighted& one : all) {
    if (!merged.empty() && merged.back().value == one.value) {
      merged.back().weight += one.weight;
    } else {
      merged.push_back(one);
    }
  }
  return merged;
}

/// The smallest values that a share of j / (interior + 1) of the weight does not exceed.
std::vector<double> by_weight(const std::vector<Weighted>& values, std::size_t interior) {
  const double total =
      std::accumulate(values.begin(), values.end(), 0.0,
                      [](double sum, const Weighted& v) { return sum + v.weight; });
  std::vector<double> knots{values.front().value};
  double sum = values.front().weight;
  std::size_t at = 0;
  for (std::size_t j = 1; j <= interior; ++j) {
    const double wanted = total * static_cast<double>(j) / static_cast<double>(interior + 1);
    while (sum < wanted && at + 1 < values.size()) { sum += values[++at].weight; }
    knots.push_back(values[at].value);
  }
  knots.push_back(values.back().value);
  return knots;
}

std::vector<double> by_rank(const std::vector<Weighted>& values, std::size_t interior) {
  std::vector<double> knots;
  for (std::size_t j = 0; j <= interior + 1; ++j) {
    knots.push_back(values[j * (values.size() - 1) / (interior + 1)].value);
  }
  return knots;
}

double cube(double x) { return x * x * x; }

}  // namespace

std::vector<double> spline_knots(const std::vector<double>& values, const double* weights,
                                 std::size_t interior) {
  const auto different = different_values(values, weights);
  if (different.size() < interior + 2) { return {}; }
  auto knots = by_weight(different, interior);
  const auto not_ascending = [](double a, double b) { return !(a < b); };
  if (std::ranges::adjacent_find(knots, not_ascending) != knots.end()) {
    knots = by_rank(different, interior);
  }
  return knots;
}

std::size_t count_different(std::vector<double> values) {
  std::ranges::sort(values);
  const auto rest = std::ranges::unique(values);
  return values.size() - rest.size();
}

void natural_splines(double x, std::span<const double> knots, double* out) {
  const std::size_t count = knots.size() - 2;
  const double range = knots.back() - knots.front();
  const double u = (x - knots.front()) / range;
  const auto at = [&](std::size_t k) { return (knots[k] - knots.front()) / range; };
  const double h_last = 1.0 - at(count);
  for (std::size_t k = 0; k < count; ++k) {
    const double h = 1.0 - at(k);
    if (u >= 1.0) {
      // With t = u - 1: d_k = 3 t^2 + 3 t h_k + h_k^2, whose first term is that of d_(M-1), too.
      out[k] = 3.0 * (u - 1.0) * (h - h_last) + (h - h_last) * (h + h_last);
      continue;
    }
    const double d = cube(std::max(u - at(k), 0.0)) / h;
    out[k] = std::max(d - cube(std::max(u - at(count), 0.0)) / h_last, 0.0);
  }
}

}  // namespace logodds::models::linear
