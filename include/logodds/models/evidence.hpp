// Why a row is decided as it is: the log odds of one class against another as a sum over columns.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "logodds/data/row_block.hpp"

namespace logodds {

class Evidence {
 public:
  Evidence() = default;
  Evidence(const Evidence&) = default;
  Evidence(Evidence&&) = default;
  Evidence& operator=(const Evidence&) = default;
  Evidence& operator=(Evidence&&) = default;
  virtual ~Evidence() = default;

  /// What the terms of the sum belong to: columns, or columns that are modelled together ("a+b").
  [[nodiscard]] virtual const std::vector<std::string>& parts() const = 0;
  /// For each row r, with a = first[r] and b = second[r], the terms of
  ///   ln p(C_a | x) - ln p(C_b | x) = base[r] + sum_i out[r * parts + i];
  /// `base` is what holds before any column is seen: ln pi_a - ln pi_b (of a model without priors,
  /// the difference of its intercepts). The term of a missing value is 0. -infinity and infinity
  /// stand where one class is impossible, 0 where both are.
  virtual void contributions(const RowBlock& block, std::span<const std::int32_t> first,
                             std::span<const std::int32_t> second, std::span<double> out,
                             std::span<double> base) const = 0;
};

}  // namespace logodds
