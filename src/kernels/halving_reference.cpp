#include <algorithm>

#include "kernels/halving.hpp"

namespace logodds::kernels::reference {

namespace {

template <class Key>
void place(const double* column, const PlaceScale& scale, Key* keys, std::size_t n) {
  for (std::size_t at = 0; at < n; ++at) {
    const std::size_t number = number_of(keys[at]);
    const double exact = (column[number] - scale.low) * scale.scale;
    const double place = exact > 0.0 ? std::min(exact, double{kMostPlace<Key>}) : 0.0;
    keys[at] = static_cast<Key>(place) << kNumberBits<Key> | static_cast<Key>(number);
  }
}

template <class Key>
Key halve(Key* keys, std::size_t n, std::size_t count, Key* room) {
  std::copy_n(keys, n, room);
  std::nth_element(room, room + count, room + n);
  const Key bound = room[count];
  std::stable_partition(keys, keys + n, [bound](Key key) { return key < bound; });
  return bound;
}

}  // namespace

void place_keys(const double* column, const PlaceScale& scale, ShortKey* keys, std::size_t n) {
  place(column, scale, keys, n);
}

void place_keys(const double* column, const PlaceScale& scale, LongKey* keys, std::size_t n) {
  place(column, scale, keys, n);
}

ShortKey halve_keys(ShortKey* keys, std::size_t n, std::size_t count, ShortKey* room) {
  return halve(keys, n, count, room);
}

LongKey halve_keys(LongKey* keys, std::size_t n, std::size_t count, LongKey* room) {
  return halve(keys, n, count, room);
}

}  // namespace logodds::kernels::reference
