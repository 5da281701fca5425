// The least and the largest of some values.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>

namespace logodds::search {

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  [[nodiscard]] double length() const { return high - low; }
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void add(const Range& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
  /// In several lanes, because one comparison waits for the other.
  void add(std::span<const double> values) {
    constexpr std::size_t kLanes = 4;
    std::array<Range, kLanes> lanes;
    std::size_t at = 0;
    for (; at + kLanes <= values.size(); at += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) { lanes[lane].add(values[at + lane]); }
    }
    for (; at < values.size(); ++at) { lanes[0].add(values[at]); }
    for (const Range& lane : lanes) { add(lane); }
  }
};

}  // namespace logodds::search
