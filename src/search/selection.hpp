// Halving of keys at a given place.
#pragma once

#include <cstdint>

namespace logodds::search {

/// A place along a column, in 32 bits, and below it the number of a row: one comparison tells the
/// order of places, and of rows at the same one.
struct Key {
  std::uint64_t code;

  [[nodiscard]] static Key of(std::uint32_t place, std::uint32_t row) {
    return {std::uint64_t{place} << 32U | row};
  }
  [[nodiscard]] std::uint32_t row() const { return static_cast<std::uint32_t>(code); }
  friend bool operator<(const Key& a, const Key& b) { return a.code < b.code; }
};

/// Reorders the keys from `begin` to `end` so that those before `middle` are below those from there
/// on, as std::nth_element(); by partitions without branches, which random keys would mispredict.
/// Rows are different from each other.
void select(Key* begin, Key* middle, Key* end);

/// The same, quickly where places are spread from 0 to 2^32 - 1: the keys are counted by the first
/// bits of their places, and only those that share them with the one in the middle are compared.
/// `room` is for as many keys.
void select_spread(Key* begin, Key* middle, Key* end, Key* room);

}  // namespace logodds::search
