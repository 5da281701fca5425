#include "logodds/measure/decision_totals.hpp"

namespace logodds::measure {

void DecisionTotals::add(std::size_t truth, std::int32_t decision,
                         std::span<const double> posteriors, double weight) {
  const bool decided = decision != decide::kReject;
  weight_ += weight;
  accepted_ += decided ? weight : 0.0;
  right_ += decided && static_cast<std::size_t>(decision) == truth ? weight : 0.0;
  if (costs_ == nullptr || (!decided && !costs_->can_reject())) { return; }
  expected_ += weight * costs_->expected(posteriors, decision);
  realized_ += weight * costs_->cost(truth, decision);
}

}  // namespace logodds::measure
