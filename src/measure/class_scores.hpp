// Kept rows as the measures of one class against the others want them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "logodds/measure/kept_rows.hpp"
#include "logodds/measure/ranking.hpp"

namespace logodds::measure {

class ClassScores {
 public:
  /// `kept` must stay.
  explicit ClassScores(const KeptRows& kept);

  /// Posteriors of class k and whose truth it is; good until the next call.
  [[nodiscard]] Scores of_class(std::size_t k);
  /// sum_i w_i^2 influences_i^2
  [[nodiscard]] double squared_sum(std::span<const double> influences) const;

 private:
  const KeptRows& kept_;
  std::vector<double> values_;
  std::vector<std::uint8_t> positive_;
  std::vector<double> weights_;  ///< empty: all 1
};

}  // namespace logodds::measure
