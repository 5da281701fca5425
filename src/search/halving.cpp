#include "search/halving.hpp"

#include <cmath>

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
      keys_(rows.size()) {
  for (std::size_t p = 0; p < size(); ++p) {
    keys_[p] = Key::of(0, static_cast<std::uint32_t>(p));
    const double* const from = points.data + rows[p] * points.stride;
    for (std::size_t i = 0; i < points.columns; ++i) { values_[i * size() + p] = from[i]; }
  }
  for (std::size_t i = 0; i < points.columns && size() > 0; ++i) {
    const double* const column = values_.data() + i * size();
    double low = column[0];
    double high = column[0];
    for (std::size_t p = 1; p < size(); ++p) {
      low = std::min(low, column[p]);
      high = std::max(high, column[p]);
    }
    low_[i] = low;
    high_[i] = high;
  }
}

Cut LocalPoints::halve(std::size_t begin, std::size_t middle, std::size_t end) {
  Cut cut;
  for (std::size_t i = 1; i < low_.size(); ++i) {
    if (high_[i] - low_[i] > high_[cut.column] - low_[cut.column]) { cut.column = i; }
  }
  cut.places = Places(low_[cut.column], high_[cut.column]);
  if (begin == end) { return cut; }
  const double* const column = values_.data() + cut.column * size();
  for (std::size_t at = begin; at < end; ++at) {
    const std::uint32_t copy = keys_[at].row();
    keys_[at] = Key::of(cut.places(column[copy]), copy);
  }
  select(keys_.data() + begin, keys_.data() + middle, keys_.data() + end);
  cut.first = Key::of(cut.places(value(middle, cut.column)), row(middle));
  return cut;
}

}  // namespace logodds::search
