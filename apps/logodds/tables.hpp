// Tables that several subcommands show.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "logodds/models/classifier.hpp"
#include "logodds/registry/registry.hpp"
#include "logodds/registry/title.hpp"
#include "output.hpp"

namespace logodds::app {

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
