#include "random/shares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logodds::random {

Shares::Shares(std::span<const double> shares) {
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  double sum = 0.0;
  for (const double share : shares) {
    sum += share;
    limits_.push_back(static_cast<std::uint64_t>(std::floor(sum / total * 0x1p32 + 0.5)));
  }
  limits_.back() = std::uint64_t{1} << 32U;
}

std::size_t Shares::draw(RowDraws& draws) const {
  const auto above = std::ranges::upper_bound(limits_, draws.bits() >> 32U);
  return static_cast<std::size_t>(above - limits_.begin());
}

}  // namespace logodds::random
