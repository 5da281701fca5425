#include "search/halving.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace logodds::search {

Places::Places(double low, double high) : low_(low) {
  const double scale = kMost / (high - low);
  scale_ = std::isfinite(scale) && scale > 0.0 ? scale : 0.0;
}

LocalPoints::LocalPoints(const DesignRows& points, std::span<const std::uint32_t> rows)
    : rows_(rows),
      values_(points.columns * rows.size()),
      low_(points.columns),
      high_(points.columns),
      keys_(rows.size()),
      room_(rows.size()) {
  constexpr std::size_t kAhead = 16;  // rows; they lie apart, and no two in one cache line
  for (std::size_t p = 0; p < size(); ++p) {
    keys_[p] = Key::of(0, static_cast<std::uint32_t>(p));
    const double* const from = points.data + rows[p] * points.stride;
    __builtin_prefetch(points.data + rows[std::min(p + kAhead, size() - 1)] * points.stride);
    for (std::size_t i = 0; i < points.columns; ++i) { values_[i * size() + p] = from[i]; }
  }
  for (std::size_t i = 0; i < points.columns && size() > 0; ++i) { find_range(i); }
}

/// In several lanes, because one comparison waits for the other.
void LocalPoints::find_range(std::size_t i) {
  constexpr std::size_t kLanes = 4;
  const double* const column = values_.data() + i * size();
  std::array<double, kLanes> low;
  low.fill(column[0]);
  std::array<double, kLanes> high = low;
  std::size_t p = 0;
  for (; p + kLanes <= size(); p += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      low[lane] = std::min(low[lane], column[p + lane]);
      high[lane] = std::max(high[lane], column[p + lane]);
    }
  }
  for (; p < size(); ++p) {
    low[0] = std::min(low[0], column[p]);
    high[0] = std::max(high[0], column[p]);
  }
  low_[i] = *std::ranges::min_element(low);
  high_[i] = *std::ranges::max_element(high);
}

Cut LocalPoints::halve(std::size_t begin, std::size_t middle, std::size_t end) {
  Cut cut;
  cut.value = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < low_.size(); ++i) {
    if (high_[i] - low_[i] > high_[cut.column] - low_[cut.column]) { cut.column = i; }
  }
  if (begin == end) { return cut; }
  const Places places(low_[cut.column], high_[cut.column]);
  const double* const column = values_.data() + cut.column * size();
  for (std::size_t at = begin; at < end; ++at) {
    const std::uint32_t copy = keys_[at].row();
    keys_[at] = Key::of(places(column[copy]), copy);
  }
  select_spread(keys_.data() + begin, keys_.data() + middle, keys_.data() + end, room_.data());
  cut.value = value(middle, cut.column);
  cut.row = row(middle);
  return cut;
}

}  // namespace logodds::search
