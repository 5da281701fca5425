// What the likelihood of a noisy-OR needs of the rows.
#pragma once

#include <cstdint>
#include <vector>

#include "models/linear/feature_rows.hpp"
#include "models/noisy_or/noisy_or.hpp"

namespace logodds::models::noisy_or {

/// Rows that are off matter by their sum alone, because ln p(off | x) is linear; rows that are on
/// are kept, by what is not 0. Those with a certain cause have probability 1 and are left out.
struct CauseRows {
  std::size_t causes = 0;
  std::vector<Known> known;      ///< by cause
  std::vector<double> off_sums;  ///< sum of w x_i over the rows that are off
  std::vector<double> on_sums;   ///< ... over those that are kept
  std::vector<double> largest;   ///< x_i of all rows
  std::vector<double> smallest;  ///< x_i > 0 of all rows
  double off_weight = 0.0;
  double on_weight = 0.0;         ///< of the rows that are kept
  double weight = 0.0;            ///< of all rows
  double mean_causes = 0.0;       ///< mean over all rows of sum_i x_i / largest_i
  bool whole = true;              ///< every x_i is a whole number
  std::size_t without_cause = 0;  ///< rows that are on although every x_i is 0

  // Row r that is kept holds values[i] in column indices[i], starts[r] <= i < starts[r + 1].
  std::vector<std::size_t> starts{0};
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  std::vector<double> weights;

  [[nodiscard]] std::size_t rows() const { return weights.size(); }
};

/// Numbers must not be negative. Throws Error(numeric) when a sum overflows.
[[nodiscard]] CauseRows gather_causes(const RowBlock& rows, const linear::Features& features);

}  // namespace logodds::models::noisy_or
