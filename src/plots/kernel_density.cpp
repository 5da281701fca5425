#include "plots/kernel_density.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace logodds::plots {

namespace {

/// Linear between order statistics (R's type 7); `sorted` is not empty.
double quantile(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

double deviation(std::span<const double> values) {
  double mean = 0.0;
  double squares = 0.0;
  double count = 0.0;
  for (const double value : values) {  // Welford (1962)
    count += 1.0;
    const double step = value - mean;
    mean += step / count;
    squares += step * (value - mean);
  }
  return count > 1.0 ? std::sqrt(squares / (count - 1.0)) : 0.0;
}

std::vector<double> binned(std::span<const double> values, const DensityCurve& grid, double step) {
  std::vector<double> bins(grid.x.size(), 0.0);
  for (const double value : values) {
    const double place =
        std::clamp((value - grid.x.front()) / step, 0.0, static_cast<double>(bins.size() - 1));
    const auto below = static_cast<std::size_t>(place);
    const double share = place - static_cast<double>(below);
    bins[below] += 1.0 - share;
    if (share > 0.0) { bins[below + 1] += share; }
  }
  return bins;
}

}  // namespace

double silverman_bandwidth(std::vector<double> values) {
  if (values.size() < 2) { return 0.0; }
  std::ranges::sort(values);
  const double spread = deviation(values);
  const double quartiles = (quantile(values, 0.75) - quantile(values, 0.25)) / 1.34;
  const double scale = quartiles > 0.0 ? std::min(spread, quartiles) : spread;
  return 0.9 * scale * std::pow(static_cast<double>(values.size()), -0.2);
}

DensityCurve kernel_density(std::span<const double> values, const draw::Range& range,
                            std::size_t points) {
  std::vector<double> finite;
  std::ranges::copy_if(values, std::back_inserter(finite),
                       [](double value) { return std::isfinite(value); });
  DensityCurve curve;
  curve.x.resize(points);
  curve.y.assign(points, 0.0);
  const double step = range.size() / static_cast<double>(points - 1);
  for (std::size_t i = 0; i < points; ++i) {
    curve.x[i] = range.low + step * static_cast<double>(i);
  }
  if (finite.empty()) { return curve; }
  curve.bandwidth = std::max(silverman_bandwidth(finite), step);
  const std::vector<double> bins = binned(finite, curve, step);
  const double height = 1.0 / (static_cast<double>(finite.size()) * curve.bandwidth *
                               std::sqrt(2.0 * std::numbers::pi));
  const double unit = step / curve.bandwidth;
  std::vector<double> kernel(points);
  for (std::size_t i = 0; i < points; ++i) {
    const double z = unit * static_cast<double>(i);
    kernel[i] = height * std::exp(-0.5 * z * z);
  }
  for (std::size_t b = 0; b < points; ++b) {
    if (bins[b] == 0.0) { continue; }
    for (std::size_t i = 0; i < points; ++i) {
      curve.y[i] += bins[b] * kernel[i < b ? b - i : i - b];
    }
  }
  return curve;
}

}  // namespace logodds::plots
