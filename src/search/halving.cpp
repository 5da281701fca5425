#include "search/halving.hpp"

#include <cmath>
#include <limits>
#include <numeric>

namespace logodds::search {

namespace {

template <class Key>
kernels::PlaceScale place_scale(const Range& range) {
  const double scale = static_cast<double>(kernels::kMostPlace<Key>) / range.length();
  return {.low = range.low, .scale = std::isfinite(scale) && scale > 0.0 ? scale : 0.0};
}

}  // namespace

template <class Key>
LocalPoints<Key>::LocalPoints(const DesignRows& points, std::span<const std::uint32_t> rows)
    : rows_(rows),
      values_(points.columns * rows.size()),
      box_(points.columns),
      keys_(rows.size()),
      room_(rows.size() + kernels::kKeyRoom) {
  constexpr std::size_t kAhead = 16;  // rows; they lie apart, and no two in one cache line
  std::iota(keys_.begin(), keys_.end(), Key{0});
  for (std::size_t p = 0; p < size(); ++p) {
    const double* const from = points.data + rows[p] * points.stride;
    __builtin_prefetch(points.data + rows[std::min(p + kAhead, size() - 1)] * points.stride);
    for (std::size_t i = 0; i < points.columns; ++i) { values_[i * size() + p] = from[i]; }
  }
  for (std::size_t i = 0; i < points.columns; ++i) {
    box_[i].add({values_.data() + i * size(), size()});
  }
}

template <class Key>
bool LocalPoints<Key>::share(const Cut& cut, std::size_t begin, std::size_t end) const {
  bool found = false;
  for (std::size_t at = begin; at < end; ++at) { found |= value(at, cut.column) == cut.value; }
  return found;
}

template <class Key>
Cut LocalPoints<Key>::halve(std::size_t begin, std::size_t middle, std::size_t end) {
  Cut cut;
  cut.value = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < box_.size(); ++i) {
    if (box_[i].length() > box_[cut.column].length()) { cut.column = i; }
  }
  if (end - begin < 2) { return cut; }
  const double* const column = values_.data() + cut.column * size();
  Key* const keys = keys_.data() + begin;
  kernels::place_keys(column, place_scale<Key>(box_[cut.column]), keys, end - begin);
  const std::size_t copy =
      kernels::number_of(kernels::halve_keys(keys, end - begin, middle - begin, room_.data()));
  cut.value = column[copy];
  cut.row = rows_[copy];
  return cut;
}

template class LocalPoints<kernels::ShortKey>;
template class LocalPoints<kernels::LongKey>;

}  // namespace logodds::search
