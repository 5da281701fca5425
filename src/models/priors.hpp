// The text of option `priors` to ln pi_k, for every family that has priors.
#pragma once

#include <string>
#include <vector>

#include "logodds/registry/options.hpp"

namespace logodds::models {

/// ln pi_k from the text of option `priors` and the weights of the classes. Throws Error(usage) for
/// a class that does not exist or is not named, and for priors that are not positive or do not sum
/// to 1.
[[nodiscard]] std::vector<double> log_priors(const std::string& priors,
                                             const std::vector<std::string>& labels,
                                             const std::vector<double>& weights);

/// K - 1 where the rows tell the priors, 0 where the option gives them.
[[nodiscard]] double prior_parameters(const std::string& priors, std::size_t classes);

/// A check of the syntax alone, for the registry.
[[nodiscard]] std::string canonical_priors(const std::string& value);
/// The option itself.
[[nodiscard]] OptionSpec priors_option();

}  // namespace logodds::models
