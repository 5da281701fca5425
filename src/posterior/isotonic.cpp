#include "logodds/posterior/isotonic.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

namespace logodds::posterior {

namespace {

struct Point {
  std::uint64_t key = 0;  ///< orders as x does
  double y = 0.0;
};
struct WeightedPoint {
  std::uint64_t key = 0;
  double y = 0.0;
  double weight = 1.0;
};

constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;

/// The bits of a double, so that unsigned integers are in the order of the numbers; -0 is 0.
std::uint64_t key_of(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

double value_of(std::uint64_t key) {
  return std::bit_cast<double>((key & kSign) != 0 ? key & ~kSign : ~key);
}

double weight_of(const Point&) { return 1.0; }
double weight_of(const WeightedPoint& point) { return point.weight; }

/// By key, 11 bits at a time from the lowest on; equal ones keep their order, and passes in which
/// all points have the same bits are left out.
template <class P>
void radix_sort(std::vector<P>& points) {
  constexpr unsigned kBits = 11;
  constexpr unsigned kPasses = 6;
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kBits) - 1;
  std::array<std::array<std::size_t, kMask + 1>, kPasses> counts{};
  for (const P& point : points) {
    for (unsigned pass = 0; pass < kPasses; ++pass) {
      ++counts[pass][point.key >> (pass * kBits) & kMask];
    }
  }
  std::vector<P> other(points.size());
  for (unsigned pass = 0; pass < kPasses; ++pass) {
    auto& places = counts[pass];
    if (places[points.front().key >> (pass * kBits) & kMask] == points.size()) { continue; }
    std::size_t begin = 0;
    for (auto& place : places) { begin += std::exchange(place, begin); }
    for (const P& point : points) { other[places[point.key >> (pass * kBits) & kMask]++] = point; }
    points.swap(other);
  }
}

template <class P>
void sort_points(std::vector<P>& points) {
  constexpr std::size_t kFew = 4096;  // below, counting costs more than comparing
  if (points.size() > kFew) { return radix_sort(points); }
  std::ranges::sort(points, {}, &P::key);
}

/// A stretch of x with one value of f.
struct Stretch {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  double sum = 0.0;  ///< of weight * y
  double weight = 0.0;
  [[nodiscard]] double mean() const { return sum / weight; }
};

template <class P>
MonotoneLine pooled(std::vector<P> points) {
  sort_points(points);
  std::vector<Stretch> stretches;
  for (std::size_t n = 0; n < points.size();) {
    Stretch next{points[n].key, points[n].key};
    for (; n < points.size() && points[n].key == next.first; ++n) {
      next.sum += weight_of(points[n]) * points[n].y;
      next.weight += weight_of(points[n]);
    }
    while (!stretches.empty() &&
           stretches.back().sum * next.weight >= next.sum * stretches.back().weight) {
      next.first = stretches.back().first;
      next.sum += stretches.back().sum;
      next.weight += stretches.back().weight;
      stretches.pop_back();
    }
    stretches.push_back(next);
  }
  MonotoneLine line;
  for (const Stretch& stretch : stretches) {
    // Rounding must not make it fall.
    const double y = line.y.empty() ? stretch.mean() : std::max(stretch.mean(), line.y.back());
    line.x.push_back(value_of(stretch.first));
    line.y.push_back(y);
    if (stretch.last == stretch.first) { continue; }
    line.x.push_back(value_of(stretch.last));
    line.y.push_back(y);
  }
  return line;
}

}  // namespace

double MonotoneLine::at(double value) const {
  const auto above = std::upper_bound(x.begin(), x.end(), value);
  if (above == x.begin()) { return y.front(); }
  const auto i = static_cast<std::size_t>(above - x.begin());
  if (i == x.size()) { return y.back(); }
  return y[i - 1] + (y[i] - y[i - 1]) * ((value - x[i - 1]) / (x[i] - x[i - 1]));
}

MonotoneLine isotonic(std::span<const double> x, std::span<const double> y,
                      std::span<const double> weights) {
  if (weights.empty()) {
    std::vector<Point> points(x.size());
    for (std::size_t n = 0; n < x.size(); ++n) { points[n] = {key_of(x[n]), y[n]}; }
    return pooled(std::move(points));
  }
  std::vector<WeightedPoint> points(x.size());
  for (std::size_t n = 0; n < x.size(); ++n) { points[n] = {key_of(x[n]), y[n], weights[n]}; }
  return pooled(std::move(points));
}

}  // namespace logodds::posterior
