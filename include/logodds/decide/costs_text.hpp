// Costs as they are given to an option: pairs of classes, or a file.
#pragma once

#include <string>
#include <vector>

#include "logodds/decide/policy.hpp"

namespace logodds::decide {

/// As parse_costs() reads them, or as read_costs() where the text names a file.
[[nodiscard]] Costs costs_of(const std::string& text, const std::vector<std::string>& labels,
                             const std::string& option);

}  // namespace logodds::decide
