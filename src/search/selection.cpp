#include "search/selection.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

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

}  // namespace logodds::search
