// Halving of keys at a given place.
#pragma once

#include <cstdint>

namespace logodds::search {

struct Key {
  double value;
  std::uint32_t row;

  friend bool operator<(const Key& a, const Key& b) {
    return static_cast<bool>(
        static_cast<unsigned>(a.value < b.value) |
        (static_cast<unsigned>(a.value == b.value) & static_cast<unsigned>(a.row < b.row)));
  }
};

/// Reorders the keys from `begin` to `end` so that those before `middle` are below those from there
/// on, as std::nth_element(); by partitions without branches, which random keys would mispredict.
/// Rows are different from each other.
void select(Key* begin, Key* middle, Key* end);

}  // namespace logodds::search
