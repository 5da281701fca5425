// A Gaussian model as JSON text.
#pragma once

#include <string>
#include <vector>

#include "logodds/models/gaussian.hpp"

namespace logodds::app {

/// `name` stands in sentences; sentences about what was assumed are added to `notes`. Throws
/// Error(input) that names the key for text that is no such definition.
[[nodiscard]] GaussianDefinition parse_definition(const std::string& text, const std::string& name,
                                                  std::vector<std::string>& notes);

}  // namespace logodds::app
