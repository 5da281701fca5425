// One of several things, drawn by their shares.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "random/row_draws.hpp"

namespace logodds::random {

/// Shares are rounded to multiples of 2^-32, because ln and exp differ in the last bit from machine
/// to machine, and what is drawn must not.
class Shares {
 public:
  Shares() = default;
  /// Non-negative, in any unit, not all 0.
  explicit Shares(std::span<const double> shares);
  [[nodiscard]] std::size_t draw(RowDraws& draws) const;

 private:
  std::vector<std::uint64_t> limits_;  ///< upper ends of the shares of [0, 2^32)
};

}  // namespace logodds::random
