// The pieces that several JSON answers share.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "logodds/data/row_block.hpp"
#include "logodds/data/schema.hpp"
#include "logodds/models/description.hpp"
#include "logodds/registry/registry.hpp"

namespace logodds::app {

/// Keys keep the order in which they were written.
using Json = nlohmann::ordered_json;

/// An integer where the value is whole (counts under whole-number weights), else a double.
[[nodiscard]] Json json_number(double value);
/// The value of an option with the type its record says.
[[nodiscard]] Json option_value_json(const OptionSpec& spec, const std::string& value);
[[nodiscard]] Json options_json(const Model& model);
[[nodiscard]] Json columns_json(const Schema& schema);
[[nodiscard]] Json cell_json(const Cell& cell);
[[nodiscard]] Json table_json(const DescriptionTable& table);
[[nodiscard]] Json tables_json(const std::vector<DescriptionTable>& tables);
/// log_likelihood, parameters, aic, bic, where there is one.
void add_likelihood(Json& object, const std::optional<Likelihood>& likelihood);

/// "texts": what was met in the documents, of a model that reads some.
void add_texts(Json& object, const Classifier& model, const TextTally& texts);

/// One object and a newline. Bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string json_text(const Json& object);
/// The same on one line.
[[nodiscard]] std::string json_line(const Json& object);
/// The same as json_text() on standard output.
void print_json(const Json& object);

}  // namespace logodds::app
