// What a model is called, for people.
#pragma once

#include <string>
#include <vector>

#include "logodds/models/model.hpp"

namespace logodds {

/// The options that a model of this family or kind has.
[[nodiscard]] const std::vector<OptionSpec>& option_specs(const Model& model);
/// "gaussian (covariance shared, ridge 0.1)": the first option of a classifier, and those that are
/// not as they are by default.
[[nodiscard]] std::string model_title(const Model& model);

}  // namespace logodds
