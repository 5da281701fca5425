// Exact draws from standard laws, by + - * / and sqrt only: the same bits on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "random/row_draws.hpp"

namespace logodds::models::naive_bayes::columns {

/// One of several things, by inversion. Shares are rounded to multiples of 2^-32, because those
/// that come from ln or exp may differ in the last bit from machine to machine, and draws must not.
class Choice {
 public:
  Choice() = default;
  /// Shares are in proportion to `weights`, of which one at least is positive.
  explicit Choice(const std::vector<double>& weights);
  [[nodiscard]] std::size_t draw(random::RowDraws& draws) const;

 private:
  std::vector<std::uint64_t> limits_;  ///< upper ends of the shares of [0, 2^32)
};

/// e^x; the error is a few units in the last place. 0 below the normal numbers.
[[nodiscard]] double portable_exp(double x);

/// Gamma of this shape > 0 and scale 1; never 0.
[[nodiscard]] double draw_gamma(double shape, random::RowDraws& draws);

/// A count of this mean >= 0.
[[nodiscard]] double draw_poisson(double mean, random::RowDraws& draws);

}  // namespace logodds::models::naive_bayes::columns
