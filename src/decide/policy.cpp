#include "logodds/decide/policy.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "logodds/decide/decide.hpp"
#include "logodds/error.hpp"

namespace logodds::decide {

namespace {

/// Classes with a threshold first, those without where none is reached.
std::int32_t by_thresholds(std::span<const double> thresholds, std::span<const double> posteriors) {
  std::int32_t reached = kReject;
  std::int32_t other = kReject;
  double best_ratio = 0.0;
  double best = -1.0;
  for (std::size_t k = 0; k < posteriors.size(); ++k) {
    const double p = posteriors[k];
    if (thresholds[k] > 0.0) {
      if (p >= thresholds[k] && p / thresholds[k] > best_ratio) {
        reached = static_cast<std::int32_t>(k);
        best_ratio = p / thresholds[k];
      }
    } else if (p > best) {
      other = static_cast<std::int32_t>(k);
      best = p;
    }
  }
  return reached != kReject ? reached : other;
}

}  // namespace

Costs::Costs(std::size_t classes, std::vector<double> matrix, std::vector<double> reject)
    : classes_(classes), matrix_(std::move(matrix)), reject_(std::move(reject)) {
  if (matrix_.size() != classes * classes || (!reject_.empty() && reject_.size() != classes)) {
    throw Error(ErrorCode::usage, "costs need a row and a column for each of the " +
                                      std::to_string(classes) +
                                      " classes, and one cost of a rejection for each or none");
  }
  const auto finite = [](double cost) { return std::isfinite(cost); };
  if (!std::ranges::all_of(matrix_, finite) || !std::ranges::all_of(reject_, finite)) {
    throw Error(ErrorCode::usage, "a cost is not a finite number; give numbers");
  }
  constexpr double kLargest = 1e150;  // times a weight, see measure/weights.hpp, it can be summed
  const auto sound = [](double cost) { return std::abs(cost) <= kLargest; };
  if (!std::ranges::all_of(matrix_, sound) || !std::ranges::all_of(reject_, sound)) {
    throw Error(ErrorCode::usage,
                "a cost is beyond 1e150, too large to be added up; divide all costs by a constant");
  }
}

Costs Costs::zero_one(std::size_t classes) {
  std::vector<double> matrix(classes * classes, 1.0);
  for (std::size_t k = 0; k < classes; ++k) { matrix[k * classes + k] = 0.0; }
  return {classes, std::move(matrix)};
}

double Costs::expected(std::span<const double> posteriors, std::int32_t decision) const {
  double sum = 0.0;
  for (std::size_t k = 0; k < classes_; ++k) { sum += posteriors[k] * cost(k, decision); }
  return sum;
}

std::int32_t Costs::cheapest(std::span<const double> posteriors) const {
  std::int32_t best = 0;
  double least = expected(posteriors, 0);
  const auto try_decision = [&](std::int32_t decision) {
    const double sum = expected(posteriors, decision);
    if (sum < least) {
      least = sum;
      best = decision;
    }
  };
  for (std::size_t d = 1; d < classes_; ++d) { try_decision(static_cast<std::int32_t>(d)); }
  if (can_reject()) { try_decision(kReject); }
  return best;
}

bool Costs::has_negative() const {
  const auto negative = [](double cost) { return cost < 0.0; };
  return std::ranges::any_of(matrix_, negative) || std::ranges::any_of(reject_, negative);
}

std::int32_t decide(const Policy& policy, std::span<const double> posteriors) {
  std::int32_t decision = 0;
  if (policy.costs) {
    decision = policy.costs->cheapest(posteriors);
  } else if (!policy.thresholds.empty()) {
    decision = by_thresholds(policy.thresholds, posteriors);
  } else {
    decision = static_cast<std::int32_t>(argmax(posteriors));
  }
  // Whoever decides by scores that are no posteriors has no such bound.
  const bool unsure = policy.reject_below > 0.0 && decision != kReject &&
                      posteriors[static_cast<std::size_t>(decision)] < policy.reject_below;
  return unsure ? kReject : decision;
}

}  // namespace logodds::decide
