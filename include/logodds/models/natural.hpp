// A model whose posteriors are linear in sufficient statistics: the exponential family.
#pragma once

#include <string>
#include <vector>

namespace logodds {

/// p(C_k | x) is proportional to exp(sum_t parameters_kt T_t(x) + constants_k).
struct NaturalParameters {
  std::vector<std::string> statistics;  ///< names of the T_t: "age", "age^2", "ln age", "sex=male"
  std::vector<double> parameters;       ///< eta, classes x statistics, row-major
  std::vector<double> constants;        ///< -A(eta_k) + ln pi_k of all parts together, by class
  /// The same constant apart: ln pi_k, and the A of each part (a column, or a block of columns). A
  /// missing value takes the statistics and the A of its part out of the sum.
  std::vector<double> log_priors;
  std::vector<std::string> parts;
  std::vector<std::size_t> part_of_statistic;  ///< indices into `parts`
  std::vector<double> log_partitions;          ///< classes x parts, row-major
};

}  // namespace logodds
