#include "search/selection.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace logodds::search {

namespace {

constexpr std::ptrdiff_t kFew = 64;
constexpr std::size_t kSample = 15;

/// The key of a sample that stands about where `middle` will stand.
Key pivot_of(const Key* begin, const Key* middle, const Key* end) {
  std::array<Key, kSample> sample;
  const std::ptrdiff_t step = (end - begin) / static_cast<std::ptrdiff_t>(kSample);
  for (std::size_t i = 0; i < kSample; ++i) {
    sample[i] = begin[static_cast<std::ptrdiff_t>(i) * step + step / 2];
  }
  const auto place = (middle - begin) * static_cast<std::ptrdiff_t>(kSample) / (end - begin);
  std::nth_element(sample.begin(), sample.begin() + place, sample.end());
  return sample[static_cast<std::size_t>(place)];
}

/// Keys below the pivot first; returns where the others begin (Lomuto's scheme without branches).
Key* partition(Key* begin, Key* end, const Key& pivot) {
  Key* bound = begin;
  for (Key* at = begin; at != end; ++at) {
    const Key key = *at;
    *at = *bound;
    *bound = key;
    bound += key < pivot ? 1 : 0;
  }
  return bound;
}

}  // namespace

void select(Key* begin, Key* middle, Key* end) {
  while (end - begin > kFew) {
    Key* const bound = partition(begin, end, pivot_of(begin, middle, end));
    if (bound <= middle) {
      if (bound == begin) { break; }  // the pivot is the least key: leave the rest to the library
      begin = bound;
    } else {
      end = bound;
    }
  }
  std::nth_element(begin, middle, end);
}

namespace {

/// Keys whose codes are below the bounds of a bin, in it, and above.
struct Bin {
  std::uint64_t number;
  std::uint64_t shift;  ///< of a code to the number of its bin

  /// In this order, by way of `room`; returns those of the bin. Without branches, as partition().
  [[nodiscard]] std::span<Key> divide(std::span<Key> keys, Key* room) const {
    const std::size_t n = keys.size();
    std::size_t below = 0;  // at the front of the keys themselves, never past the one that is read
    std::size_t above = 0;  // at the front of the room; those of the bin fill it from its end
    for (std::size_t i = 0; i < n; ++i) {
      const Key key = keys[i];
      const std::uint64_t bin = key.code >> shift;
      keys[below] = key;
      room[above] = key;
      room[n - 1 - (i - below - above)] = key;
      below += static_cast<std::size_t>(bin < number);
      above += static_cast<std::size_t>(bin > number);
    }
    const std::size_t same = n - below - above;
    std::copy_n(room + (n - same), same, keys.data() + below);
    std::copy_n(room, above, keys.data() + below + same);
    return keys.subspan(below, same);
  }
};

Bin bin_of(const Key* begin, const Key* middle, const Key* end) {
  constexpr std::size_t kMostBins = 256;
  const bool many = end - begin > static_cast<std::ptrdiff_t>(kMostBins);
  Bin bin{.number = 0, .shift = many ? 56U : 58U};
  std::array<std::uint32_t, kMostBins> counts{};
  for (const Key* at = begin; at != end; ++at) { ++counts[at->code >> bin.shift]; }
  std::ptrdiff_t left = middle - begin;
  while (left >= static_cast<std::ptrdiff_t>(counts[bin.number])) { left -= counts[bin.number++]; }
  return bin;
}

}  // namespace

void select_spread(Key* begin, Key* middle, Key* end, Key* room) {
  if (middle == end) { return; }
  const std::span<Key> same = bin_of(begin, middle, end).divide({begin, end}, room);
  if (same.size() > 1) { select(same.data(), middle, same.data() + same.size()); }
}

}  // namespace logodds::search
