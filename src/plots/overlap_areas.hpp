// Where a rule in one dimension errs, and how often.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "logodds/draw/drawing.hpp"
#include "plots/marginal.hpp"

namespace logodds::plots {

/// A rule that decides between classes by one number, and its errors.
struct OverlapRule {
  std::vector<std::size_t> decided;   ///< between point i of the profile and the next
  std::vector<double> probabilities;  ///< P(x outside of R_k | C_k) P(C_k)
  double error = 0.0;                 ///< their sum
};

/// The likeliest class everywhere. The probabilities are exact where the model's law of the column
/// is a known Gaussian, as in measure::misclassification(), else the areas under the profile.
[[nodiscard]] OverlapRule best_rule(const Classifier& model, std::size_t column,
                                    const Profile& profile);
/// Of two classes that of the smaller mean below the threshold, which is one of the profile's
/// points unless `whole_numbers`.
[[nodiscard]] OverlapRule threshold_rule(const Classifier& model, std::size_t column,
                                         const Profile& profile, double threshold,
                                         bool whole_numbers);

/// 1 less what all densities times priors of the profile hold.
[[nodiscard]] double probability_outside(const Profile& profile);

/// What lies under the density of class k where another is decided, as one outline that runs along
/// the axis between its parts; empty where there is none.
[[nodiscard]] std::vector<draw::Point> error_area(const Profile& profile, const OverlapRule& rule,
                                                  std::size_t k);

}  // namespace logodds::plots
