#include "models/naive_bayes/columns/samples.hpp"

#include <numeric>

namespace logodds::models::naive_bayes::columns {

namespace {

/// The largest weight that all are whole multiples of, by Euclid's algorithm; 0 when there is none
/// to speak of.
double unit_of(const std::vector<double>& weights) {
  constexpr double kRounding = 1e-9;
  constexpr double kLeast = 1e-6;  // of the lightest
  const double heaviest = *std::ranges::max_element(weights);
  const double lightest = *std::ranges::min_element(weights);
  double unit = weights.front();
  for (double other : weights) {
    while (other > kRounding * heaviest) {
      double rest = std::fmod(unit, other);
      if (other - rest <= kRounding * heaviest) { rest = 0.0; }
      unit = other;
      other = rest;
    }
  }
  return unit < kLeast * lightest ? 0.0 : unit;
}

/// Rows behind the weights: so many units, or (sum w)^2 / sum w^2 where there is no unit.
double row_count(const Sample& sample) {
  if (sample.weights.empty()) { return 0.0; }
  const double unit = unit_of(sample.weights);
  if (unit > 0.0) { return sample.weight / unit; }
  double squares = 0.0;
  for (const double weight : sample.weights) { squares += weight * weight; }
  return sample.weight * sample.weight / squares;
}

/// Of the classes from `first` to before `last`.
Sample sample_of(const ColumnSummary& rows, std::size_t first, std::size_t last) {
  Sample sample;
  const auto place = [](std::size_t i) { return static_cast<std::ptrdiff_t>(i); };
  for (std::size_t v = 0; v < rows.values.size(); ++v) {
    const auto weights = rows.value_weights.begin() + place(v * rows.classes());
    const double weight = std::accumulate(weights + place(first), weights + place(last), 0.0);
    if (!(weight > 0.0)) { continue; }
    sample.values.push_back(rows.values[v]);
    sample.weights.push_back(weight);
    sample.weight += weight;
  }
  sample.count = row_count(sample);
  return sample;
}

/// The smallest value with more than `position` of the rows' n at or below it. Sums of weights that
/// are not whole numbers may miss a position by their roundings.
double value_at(const Sample& sample, double position) {
  const double scale = sample.count / sample.weight;
  const double slack = 1e-9 * std::max(1.0, position);
  double below = 0.0;
  for (std::size_t v = 0; v < sample.values.size(); ++v) {
    below += sample.weights[v] * scale;
    if (below > position + slack) { return sample.values[v]; }
  }
  return sample.values.back();
}

double quantile(const Sample& sample, double share) {
  const double position = share * (sample.count - 1.0);
  const double whole = std::floor(position);
  const double low = value_at(sample, whole);
  const double part = position - whole;
  return part > 0.0 ? low + part * (value_at(sample, whole + 1.0) - low) : low;
}

}  // namespace

Sample class_sample(const ColumnSummary& rows, std::size_t k) {
  return rows.weights[k] > 0.0 ? sample_of(rows, k, k + 1) : whole_sample(rows);
}

Sample whole_sample(const ColumnSummary& rows) { return sample_of(rows, 0, rows.classes()); }

double sample_variance(const Sample& sample) {
  if (!(sample.count > 1.0)) { return 0.0; }
  double mean = 0.0;
  for (std::size_t v = 0; v < sample.values.size(); ++v) {
    mean += sample.weights[v] / sample.weight * sample.values[v];
  }
  double variance = 0.0;
  for (std::size_t v = 0; v < sample.values.size(); ++v) {
    const double deviation = sample.values[v] - mean;
    variance += sample.weights[v] / sample.weight * deviation * deviation;
  }
  return sample.values.size() == 1 ? 0.0 : variance * sample.count / (sample.count - 1.0);
}

double interquartile_range(const Sample& sample) {
  return quantile(sample, 0.75) - quantile(sample, 0.25);
}

}  // namespace logodds::models::naive_bayes::columns
