// From an estimate and what is known of its spread to an interval.
#pragma once

#include "logodds/measure/estimate.hpp"
#include "logodds/measure/measures.hpp"

namespace logodds::measure {

/// A share of weights and the same share of squared weights; with weights of 1 both are counts.
struct Share {
  double part = 0.0;           ///< sum w over the rows that have it
  double part_squares = 0.0;   ///< sum w^2 over them
  double whole = 0.0;          ///< sum w over all rows it could be had by
  double whole_squares = 0.0;  ///< sum w^2 over those
};

/// part / whole with the interval of Clopper & Pearson (Biometrika 26, 1934). Where rows have
/// weights it is that of Korn & Graubard (Survey Methodology 24, 1998): the binomial distribution
/// of as many rows as would know the share as well, n = p (1 - p) / var, or where the share is 0 or
/// 1, n = W^2 / sum w^2; no more than this where few rows have it, or few have it not.
[[nodiscard]] Estimate exact_share(const Share& share, double level);

/// The quantile of Student's distribution that leaves (1 - level) / 2 above it.
[[nodiscard]] double student_quantile(double level, double degrees);
[[nodiscard]] double normal_quantile(double level);

/// On which scale an estimate is taken to be normal.
enum class Scale { plain, logit, fisher };

/// An estimate of this variance, from `rows` rows (W^2 / sum w^2), within [least, most]. There is
/// no interval where the variance is 0, which is what rows that all agree seem to say.
[[nodiscard]] Estimate jackknife(double value, double variance, double rows, Scale scale,
                                 double level, double least, double most);

/// sum w and sum w^2 of rows.
struct RowWeights {
  double sum = 0.0;
  double squares = 0.0;
};
/// The mean of a loss between `least` and `most`, by the jackknife.
[[nodiscard]] Estimate mean_of(const Measures::LossSums& losses, const RowWeights& weights,
                               double level, double least, double most);

}  // namespace logodds::measure
