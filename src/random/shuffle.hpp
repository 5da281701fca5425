// Orders drawn at random: a function of seed and number alone.
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "random/row_draws.hpp"

namespace logodds::random {

/// The numbers from 0 to n - 1 in the `which`-th order of `seed`: Fisher & Yates, from the end.
[[nodiscard]] inline std::vector<std::size_t> shuffled(std::size_t n, std::uint64_t seed,
                                                       std::uint64_t which) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  RowDraws draws(seed, which);
  for (std::size_t left = n; left > 1; --left) {
    std::swap(order[left - 1], order[static_cast<std::size_t>(draws.bits() % left)]);
  }
  return order;
}

}  // namespace logodds::random
