// Philox4x32-10, a counter-based generator: Salmon, Moraes, Dror & Shaw, "Parallel random numbers:
// as easy as 1, 2, 3" (SC 2011). Any part of any sequence can be had at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace logodds::random {

using Block = std::array<std::uint32_t, 4>;
using Key = std::array<std::uint32_t, 2>;

/// 128 random bits for this counter and key.
[[nodiscard]] inline Block philox(Block counter, Key key) {
  constexpr std::array<std::uint64_t, 2> kMultipliers = {0xD2511F53U, 0xCD9E8D57U};
  constexpr Key kWeyl = {0x9E3779B9U, 0xBB67AE85U};  // golden ratio, sqrt(3) - 1
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t first = kMultipliers[0] * counter[0];
    const std::uint64_t second = kMultipliers[1] * counter[2];
    counter = {static_cast<std::uint32_t>(second >> 32U) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(second),
               static_cast<std::uint32_t>(first >> 32U) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(first)};
    key = {key[0] + kWeyl[0], key[1] + kWeyl[1]};
  }
  return counter;
}

}  // namespace logodds::random
