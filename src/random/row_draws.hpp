// The random numbers of one row: a function of seed and row alone, so that a sequence of rows is
// the same however it is cut into blocks and whoever draws them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "random/normal.hpp"
#include "random/philox.hpp"

namespace logodds::random {

class RowDraws {
 public:
  RowDraws(std::uint64_t seed, std::uint64_t row)
      : key_{low(seed), high(seed)}, counter_{0, 0, low(row), high(row)} {}

  /// The next 64 of 2^39 independent random bits.
  [[nodiscard]] std::uint64_t bits() {
    if (used_ == 2) {
      block_ = philox(counter_, key_);
      ++counter_[0];
      used_ = 0;
    }
    const std::uint64_t word = block_[2 * used_] | std::uint64_t{block_[2 * used_ + 1]} << 32U;
    ++used_;
    return word;
  }

  /// Uniform on the 2^52 odd multiples of 2^-53: never 0 or 1, and symmetric about 1/2.
  [[nodiscard]] double uniform() { return static_cast<double>((bits() >> 12U) * 2 + 1) * 0x1p-53; }

  /// Standard normal, by the inverse of its distribution function; |z| < 8.3.
  [[nodiscard]] double normal() { return normal_quantile(uniform()); }

 private:
  static std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
  static std::uint32_t high(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32U); }

  Key key_;
  Block counter_;
  Block block_{};
  std::size_t used_ = 2;  ///< halves of the block
};

}  // namespace logodds::random
