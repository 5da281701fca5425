#include "json.hpp"

#include <cmath>
#include <cstdint>

#include "output.hpp"
#include "tables.hpp"

namespace logodds::app {

Json json_number(double value) {
  constexpr double kWholeLimit = 9007199254740992.0;  // 2^53
  if (std::trunc(value) == value && std::abs(value) <= kWholeLimit) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

Json option_value_json(const OptionSpec& spec, const std::string& value) {
  const Options options({spec}, {{spec.name, value}});
  switch (spec.type) {
    case OptionType::real:
      return options.real(spec.name);
    case OptionType::integer:
      return options.integer(spec.name);
    case OptionType::flag:
      return options.flag(spec.name);
    case OptionType::choice:
    case OptionType::text:
      break;
  }
  return options.choice(spec.name);
}

Json options_json(const Model& model) {
  Json object = Json::object();
  for (const OptionSpec& spec : option_specs(model)) {
    const auto found = model.options().values().find(spec.name);
    if (found != model.options().values().end()) {
      object[spec.name] = option_value_json(spec, found->second);
    }
  }
  return object;
}

Json columns_json(const Schema& schema) {
  Json columns = Json::array();
  for (const Column& column : schema.columns) {
    Json entry = {{"name", column.name}, {"kind", to_string(column.kind)}};
    if (column.coded()) { entry["levels"] = column.levels; }
    columns.push_back(std::move(entry));
  }
  return columns;
}

Json cell_json(const Cell& cell) {
  return std::visit([](const auto& value) -> Json { return value; }, cell);
}

Json table_json(const DescriptionTable& table) {
  Json rows = Json::array();
  for (const std::vector<Cell>& row : table.rows) {
    Json cells = Json::array();
    for (const Cell& cell : row) { cells.push_back(cell_json(cell)); }
    rows.push_back(std::move(cells));
  }
  return {{"title", table.title}, {"columns", table.columns}, {"rows", std::move(rows)}};
}

Json tables_json(const std::vector<DescriptionTable>& tables) {
  Json list = Json::array();
  for (const DescriptionTable& table : tables) { list.push_back(table_json(table)); }
  return list;
}

void add_likelihood(Json& object, const std::optional<Likelihood>& likelihood) {
  if (!likelihood) { return; }
  object["log_likelihood"] = likelihood->log_likelihood;
  object["parameters"] = json_number(likelihood->parameters);
  object["aic"] = likelihood->aic();
  object["bic"] = likelihood->bic();
}

void add_texts(Json& object, const Classifier& model, const TextTally& texts) {
  if (model.schema().text_count() == 0) { return; }
  object["texts"] = {{"documents", texts.documents},
                     {"without_words", texts.without_words},
                     {"terms", texts.terms},
                     {"unknown_terms", texts.unknown_terms},
                     {"bad_characters", texts.bad_characters}};
}

std::string json_text(const Json& object) {
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string json_line(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void print_json(const Json& object) { print(json_text(object)); }

}  // namespace logodds::app
