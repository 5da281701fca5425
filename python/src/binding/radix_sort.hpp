// Sorting by numbers, digit by digit: several times as fast as by comparisons.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace logodds::binding {

struct Keyed {
  std::uint64_t key = 0;
  std::uint32_t value = 0;
};

/// Ascending keys; equal ones keep their order.
inline void radix_sort(std::vector<Keyed>& items) {
  constexpr unsigned kDigit = 11;
  constexpr std::size_t kValues = std::size_t{1} << kDigit;
  std::uint64_t differing = 0;
  for (const Keyed& item : items) { differing |= item.key ^ items.front().key; }
  std::vector<Keyed> moved(items.size());
  for (unsigned shift = 0; shift < 64 && differing >> shift != 0; shift += kDigit) {
    if ((differing >> shift) % kValues == 0) { continue; }
    std::array<std::size_t, kValues + 1> starts{};
    for (const Keyed& item : items) { ++starts[(item.key >> shift) % kValues + 1]; }
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    for (const Keyed& item : items) { moved[starts[(item.key >> shift) % kValues]++] = item; }
    items.swap(moved);
  }
}

}  // namespace logodds::binding
