// Tables that several subcommands show.
#pragma once

#include <string>

#include "logodds/models/classifier.hpp"
#include "logodds/registry/registry.hpp"

namespace logodds::app {

/// "gaussian (covariance shared, ridge 0)"
[[nodiscard]] std::string model_title(const Classifier& model);
/// Name, kind and levels of every column.
[[nodiscard]] std::string columns_table(const Schema& schema);
/// Words joined by ", ", cut after a few: "a, b, c and 17 more".
[[nodiscard]] std::string few(const std::vector<std::string>& words);

}  // namespace logodds::app
