// How often Gaussians with known parameters are taken for each other.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace logodds::measure {

/// pi N(mu, Sigma); the covariance is row-major, symmetric and positive definite.
struct WeightedGaussian {
  double prior = 0.0;
  std::span<const double> mean;
  std::span<const double> covariance;
};

/// Of two classes, by the optimal rule: the likelier one, the first at a tie.
struct PairProbabilities {
  double first_as_second = 0.0;  ///< P(x in R_2 | C_1)
  double second_as_first = 0.0;  ///< P(x in R_1 | C_2)
  /// Upper bounds of pi_1 P(x in R_2 | C_1) + pi_2 P(x in R_1 | C_2): pi_1^s pi_2^(1-s) times the
  /// integral of p(x | C_1)^s p(x | C_2)^(1-s), at s = 1/2 and at the best s.
  double bhattacharyya = 0.0;
  double chernoff = 0.0;
  double chernoff_exponent = 0.5;  ///< that s
  bool one_covariance = false;     ///< the closed form, by the normal law alone
};

/// Throws Error(numeric) where a covariance is not positive definite.
[[nodiscard]] PairProbabilities pair_probabilities(const WeightedGaussian& first,
                                                   const WeightedGaussian& second);

/// In one dimension: where each class is decided, in ascending order, and P(x decided j | C_k).
struct LineRegions {
  std::vector<double> ends;           ///< between the regions, ascending
  std::vector<std::size_t> decided;   ///< one more than ends
  std::vector<double> probabilities;  ///< K x K, row k the truth, column j the decision
};

/// Of any number of classes on a line; ties go to the class that comes first.
[[nodiscard]] LineRegions line_regions(std::span<const WeightedGaussian> classes);

/// P(from < x < to) for a normal x, without cancellation in the tails.
[[nodiscard]] double normal_between(double mean, double deviation, double from, double to);

}  // namespace logodds::measure
