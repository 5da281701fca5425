#include "logodds/posterior/isotonic.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "parallel/radix_sort.hpp"

namespace logodds::posterior {

namespace {

/// A stretch of x with one value of f.
struct Stretch {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  double sum = 0.0;  ///< of weight * y
  double weight = 0.0;
  [[nodiscard]] double mean() const { return sum / weight; }
};

/// The points in the order of x, those of one x together, and neighbors that fall pooled.
class Pool {
 public:
  Pool(std::span<const double> y, std::span<const double> weights) : y_(y), weights_(weights) {}

  /// All points of one x, by their numbers.
  void add(std::uint64_t key, std::span<const std::uint32_t> points) {
    Stretch next{key, key};
    for (const std::uint32_t n : points) {
      const double weight = weights_.empty() ? 1.0 : weights_[n];
      next.sum += weight * y_[n];
      next.weight += weight;
    }
    while (!stretches_.empty() &&
           stretches_.back().sum * next.weight >= next.sum * stretches_.back().weight) {
      next.first = stretches_.back().first;
      next.sum += stretches_.back().sum;
      next.weight += stretches_.back().weight;
      stretches_.pop_back();
    }
    stretches_.push_back(next);
  }

  [[nodiscard]] MonotoneLine line() const;

 private:
  std::span<const double> y_;
  std::span<const double> weights_;
  std::vector<Stretch> stretches_;
};

MonotoneLine Pool::line() const {
  MonotoneLine line;
  for (const Stretch& stretch : stretches_) {
    // Rounding must not make it fall.
    const double y = line.y.empty() ? stretch.mean() : std::max(stretch.mean(), line.y.back());
    line.x.push_back(parallel::value_of_key(stretch.first));
    line.y.push_back(y);
    if (stretch.last == stretch.first) { continue; }
    line.x.push_back(parallel::value_of_key(stretch.last));
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
  std::vector<std::uint64_t> keys(x.size());
  std::ranges::transform(x, keys.begin(), parallel::ordered_key);
  std::vector<std::uint32_t> order(x.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  parallel::radix_sort(keys, order, 1);
  Pool pool(y, weights);
  for (std::size_t begin = 0; begin < keys.size();) {
    std::size_t end = begin + 1;
    while (end < keys.size() && keys[end] == keys[begin]) { ++end; }
    pool.add(keys[begin], std::span(order).subspan(begin, end - begin));
    begin = end;
  }
  return pool.line();
}

}  // namespace logodds::posterior
