// Exact draws from standard laws, by + - * / and sqrt only: the same bits on every machine.
#pragma once

#include "random/shares.hpp"

namespace logodds::models::naive_bayes::columns {

/// e^x; the error is a few units in the last place. 0 below the normal numbers.
[[nodiscard]] double portable_exp(double x);

/// Gamma of this shape > 0 and scale 1; never 0.
[[nodiscard]] double draw_gamma(double shape, random::RowDraws& draws);

/// A count of this mean >= 0.
[[nodiscard]] double draw_poisson(double mean, random::RowDraws& draws);

}  // namespace logodds::models::naive_bayes::columns
