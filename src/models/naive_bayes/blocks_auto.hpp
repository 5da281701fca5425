// --blocks auto: pairs of columns that predict unseen rows better together than apart.
#pragma once

#include "models/naive_bayes/statistics.hpp"

namespace logodds::models::naive_bayes {

struct ChosenBlock {
  std::size_t first = 0;  ///< columns of the schema
  std::size_t second = 0;
  double gain = 0.0;  ///< of log-likelihood, each half of the rows predicted from the other
};

/// Disjoint pairs, those of largest gain first; columns of real numbers, or discrete ones.
[[nodiscard]] std::vector<ChosenBlock> best_blocks(const NaiveStatistics& statistics,
                                                   const Schema& schema, const Wish& wish);

}  // namespace logodds::models::naive_bayes
