// Scores to posteriors: p(C_k|x) = exp(a_k) / sum_j exp(a_j), by log-sum-exp.
#pragma once

#include <cstddef>
#include <span>

namespace logodds::posterior {

/// The first row, from 0, whose scores overflowed (a NaN, an infinity, or nothing but -infinity)
/// and so have no posterior; the number of rows when there is none.
[[nodiscard]] std::size_t first_overflow(std::span<const double> scores, std::size_t classes);

/// In place: `scores` is row-major rows x classes and becomes posteriors. Every row sums to 1
/// within 1e-15 * classes; a row whose scores are all -infinity becomes uniform. No NaN for scores
/// that are finite or -infinity.
void from_log_scores(std::span<double> scores, std::size_t classes);
/// The same, and ln sum_j exp(a_j) of every row.
void from_log_scores(std::span<double> scores, std::size_t classes, std::span<double> log_sums);

}  // namespace logodds::posterior
