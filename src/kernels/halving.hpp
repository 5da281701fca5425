// Values of a column as keys, and the least of the keys put before the others.
//
// A key holds a place along the column in its upper bits and the number of a value in its lower
// ones: keys of different values differ, and the sign bit is 0. Short keys are for few values.
#pragma once

#include <cstddef>
#include <cstdint>

namespace logodds::kernels {

using ShortKey = std::int32_t;
using LongKey = std::int64_t;

/// Lower bits of a key: numbers are below 2^kNumberBits, and not all of them are 1.
template <class Key>
inline constexpr int kNumberBits = sizeof(Key) == sizeof(ShortKey) ? 12 : 32;
/// The largest place; as many bits are left.
template <class Key>
inline constexpr Key kMostPlace = (Key{1} << (8 * sizeof(Key) - 1 - kNumberBits<Key>)) - 1;
/// As many values can be told apart.
template <class Key>
inline constexpr std::size_t kMostNumbers = (std::size_t{1} << kNumberBits<Key>)-1;

template <class Key>
[[nodiscard]] constexpr std::size_t number_of(Key key) {
  return static_cast<std::size_t>(key & ((Key{1} << kNumberBits<Key>)-1));
}

/// From values to places: (value - low) * scale without its fraction, from 0 to the largest place;
/// 0 where that is NaN.
struct PlaceScale {
  double low;
  double scale;
};

/// Gives every key the place of its value, column[number]; values are no NaN.
void place_keys(const double* column, const PlaceScale& scale, ShortKey* keys, std::size_t n);
void place_keys(const double* column, const PlaceScale& scale, LongKey* keys, std::size_t n);

/// Reorders n keys, all different, so that the `count` least of them come first, and returns the
/// least of the others; 0 < count < n. Within either part the order stays. `room` is for n keys and
/// kKeyRoom more.
ShortKey halve_keys(ShortKey* keys, std::size_t n, std::size_t count, ShortKey* room);
LongKey halve_keys(LongKey* keys, std::size_t n, std::size_t count, LongKey* room);
/// What vectors may write behind the last key.
inline constexpr std::size_t kKeyRoom = 16;

namespace reference {
void place_keys(const double* column, const PlaceScale& scale, ShortKey* keys, std::size_t n);
void place_keys(const double* column, const PlaceScale& scale, LongKey* keys, std::size_t n);
ShortKey halve_keys(ShortKey* keys, std::size_t n, std::size_t count, ShortKey* room);
LongKey halve_keys(LongKey* keys, std::size_t n, std::size_t count, LongKey* room);
}  // namespace reference

}  // namespace logodds::kernels
