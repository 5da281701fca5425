// What decisions cost, and how many rows are decided at all. A statistic: add rows, finish.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "logodds/decide/policy.hpp"

namespace logodds::measure {

class DecisionTotals {
 public:
  /// `costs` may be null, and outlives the additions.
  explicit DecisionTotals(const decide::Costs* costs)
      : costs_(costs), has_costs_(costs != nullptr) {}

  /// `decision` may be decide::kReject; its cost, where the costs have none for it, is 0.
  void add(std::size_t truth, std::int32_t decision, std::span<const double> posteriors,
           double weight);

  [[nodiscard]] double weight() const { return weight_; }
  [[nodiscard]] double accepted() const { return accepted_; }  ///< weight of the decided rows
  [[nodiscard]] double coverage() const { return accepted_ / weight_; }
  /// On the decided rows; NaN when there are none.
  [[nodiscard]] double accuracy() const { return right_ / accepted_; }
  [[nodiscard]] bool has_costs() const { return has_costs_; }
  /// Mean over all rows of sum_k p_k C(k, decision): what the posteriors promise.
  [[nodiscard]] double expected_cost() const { return expected_ / weight_; }
  /// Mean over all rows of C(truth, decision): what it came to.
  [[nodiscard]] double realized_cost() const { return realized_ / weight_; }

 private:
  const decide::Costs* costs_;
  bool has_costs_;
  double weight_ = 0.0;
  double accepted_ = 0.0;
  double right_ = 0.0;
  double expected_ = 0.0;
  double realized_ = 0.0;
};

}  // namespace logodds::measure
