// Minus the log-likelihood of a noisy-OR, convex in theta >= 0.
#pragma once

#include <span>
#include <vector>

#include "logodds/optimize/objective.hpp"
#include "models/noisy_or/cause_rows.hpp"
#include "optimize/projected_newton.hpp"

namespace logodds::models::noisy_or {

/// ln(1 - e^-z) for z >= 0, to the last digits (Maechler, "Accurately computing log(1 -
/// exp(-|a|))", 2012); -infinity at 0.
[[nodiscard]] double log1mexp(double z);

///   f(theta) = sum_off w z - sum_on w ln(1 - e^-z),  z = theta_0 + theta . x
///
/// Variables are those of the causes, then theta_0 if there is a leak. The same bits for every
/// number of threads.
class NoisyOrObjective {
 public:
  NoisyOrObjective(const CauseRows& rows, bool leak, int threads);

  [[nodiscard]] std::size_t dimension() const { return linear_.size(); }
  /// Infinite where a row that is on has probability 0.
  [[nodiscard]] double evaluate(std::span<const double> theta, std::span<double> gradient) const;
  /// Keeps the second derivatives w e^z / (e^z - 1)^2 of the rows at theta for hessian_times().
  void curve(std::span<const double> theta, std::span<double> diagonal);
  void hessian_times(std::span<const double> v, std::span<double> out) const;

  /// Sum over all rows of w x_i, those with a certain cause left out.
  [[nodiscard]] const std::vector<double>& sums() const { return sums_; }
  /// Scales are the largest x_i, so that the residual knows no units.
  [[nodiscard]] const optimize::Optimality& optimality() const { return optimality_; }
  [[nodiscard]] bool whole() const { return rows_.whole; }

 private:
  [[nodiscard]] double inner(std::size_t row, std::span<const double> theta) const;
  /// target += factor * x of the row, or the squares of x.
  void add_row(std::size_t row, double factor, std::span<double> target) const;
  /// Sums what work(row, target) adds over all rows to `out`, and its results.
  template <class Work>
  double sum_rows(std::span<double> out, Work work) const;

  const CauseRows& rows_;
  bool leak_;
  int threads_;
  std::vector<double> linear_;  ///< sums of the rows that are off
  std::vector<double> sums_;
  optimize::Optimality optimality_;
  std::vector<double> curvature_;  ///< by row
};

/// Expectation-maximisation from `start` > 0; stops like projected Newton.
[[nodiscard]] optimize::Result minimize_em(const NoisyOrObjective& objective,
                                           std::vector<double> start,
                                           const optimize::ProjectedNewtonSettings& settings);

}  // namespace logodds::models::noisy_or
