// Sorting by numbers, digit by digit: no comparisons, in several threads, and stable, so that the
// order is the same for any number of them.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace logodds::parallel {

/// Keys whose order as integers is that of the doubles; -0 is 0, and NaN has no place.
[[nodiscard]] inline std::uint64_t ordered_key(double value) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

[[nodiscard]] inline double value_of_key(std::uint64_t key) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
  return std::bit_cast<double>((key & kSign) != 0 ? key & ~kSign : ~key);
}

/// Ascending keys, with `values` moved along; equal keys keep their order. Takes 12 bytes an
/// element for the while.
void radix_sort(std::vector<std::uint64_t>& keys, std::vector<std::uint32_t>& values, int threads);

}  // namespace logodds::parallel
