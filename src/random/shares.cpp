#include "random/shares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logodds::random {

Shares::Shares(std::span<const double> shares) {
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  double sum = 0.0;
  std::size_t last = 0;  // what has no share is never drawn, not even by rounding
  for (std::size_t i = 0; i < shares.size(); ++i) {
    sum += shares[i];
    limits_.push_back(static_cast<std::uint64_t>(std::floor(sum / total * 0x1p32 + 0.5)));
    if (shares[i] > 0.0) { last = i; }
  }
  std::fill(limits_.begin() + static_cast<std::ptrdiff_t>(last), limits_.end(),
            std::uint64_t{1} << 32U);
}

std::size_t Shares::draw(RowDraws& draws) const {
  const auto above = std::ranges::upper_bound(limits_, draws.bits() >> 32U);
  return static_cast<std::size_t>(above - limits_.begin());
}

}  // namespace logodds::random
