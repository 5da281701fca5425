// Tables that several subcommands show.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "logodds/models/classifier.hpp"
#include "logodds/registry/registry.hpp"
#include "output.hpp"

namespace logodds::app {

/// The options that a model of this family or kind has.
[[nodiscard]] const std::vector<OptionSpec>& option_specs(const Model& model);
/// "gaussian (covariance shared, ridge 0.1)": the first option of a classifier, and those that are
/// not as they are by default.
[[nodiscard]] std::string model_title(const Model& model);
/// Name, kind and levels of every column.
[[nodiscard]] std::string columns_table(const Schema& schema);
/// Words joined by ", ", cut after a few: "a, b, c and 17 more".
[[nodiscard]] std::string few(const std::vector<std::string>& words);

[[nodiscard]] std::string cell_text(const Cell& cell);
inline constexpr std::size_t kShownRows = 30;
/// An empty line, the title and the table, cut to what can be read.
[[nodiscard]] std::string table_text(const DescriptionTable& table,
                                     std::size_t most_rows = kShownRows);
/// Log-likelihood, parameters, AIC and BIC, where there is one.
void add_likelihood(FactTable& facts, const std::optional<Likelihood>& likelihood);

}  // namespace logodds::app
