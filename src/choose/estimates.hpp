// Means over folds and what is known of their errors.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "logodds/choose/comparison.hpp"

namespace logodds::choose {

/// The t with P(|T| < t) = 0.95 for Student's t with df > 0 degrees of freedom.
[[nodiscard]] double student_quantile(double df);

/// The mean of `values` with these weights, of all folds of so many repeats.
/// Losses are not negative, and neither is the low end.
///   se^2 = R * J / (J - 1) * sum w_j^2 (v_j - mean)^2 / (sum w_j)^2,
/// J folds in all: for equal weights s^2 / (J / R).
[[nodiscard]] Estimate estimate_over(std::span<const double> values,
                                     std::span<const double> weights, std::size_t repeats);

/// The same over the folds that have rows, of what is at most `most`.
[[nodiscard]] Estimate over_folds(const std::vector<FoldResult>& folds, double FoldResult::* value,
                                  std::size_t repeats,
                                  double most = std::numeric_limits<double>::infinity());

/// Error rate, log loss and Brier score (which is at most 2) of a GridPoint or a Compared.
template <class Result>
void set_estimates(Result& result, const std::vector<FoldResult>& folds, std::size_t repeats) {
  constexpr double kMostBrier = 2.0;
  result.error_rate = over_folds(folds, &FoldResult::error_rate, repeats, 1.0);
  result.log_loss = over_folds(folds, &FoldResult::log_loss, repeats);
  result.brier = over_folds(folds, &FoldResult::brier, repeats, kMostBrier);
}

/// Folds of two models on the same rows, repeat by repeat; see Difference.
[[nodiscard]] Difference difference_over(const std::vector<FoldResult>& folds,
                                         const std::vector<FoldResult>& of_best,
                                         double FoldResult::* value, std::size_t repeats);

/// Two-sided: the probability that of a + b fair coins at most min(a, b), or at least max(a, b),
/// show heads.
[[nodiscard]] double exact_mcnemar(std::size_t a, std::size_t b);

}  // namespace logodds::choose
