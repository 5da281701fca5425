// logodds inspect: what a model file holds.
#include <fmt/format.h>

#include <algorithm>

#include "arguments.hpp"
#include "json.hpp"
#include "logodds/logodds.hpp"
#include "logodds/modelfile/container.hpp"
#include "output.hpp"
#include "reading.hpp"
#include "tables.hpp"

namespace logodds::app {

namespace {

Json table_json(const DescriptionTable& table) {
  Json rows = Json::array();
  for (const std::vector<Cell>& row : table.rows) {
    Json cells = Json::array();
    for (const Cell& cell : row) { cells.push_back(cell_json(cell)); }
    rows.push_back(std::move(cells));
  }
  return {{"title", table.title}, {"columns", table.columns}, {"rows", std::move(rows)}};
}

void print_as_json(const Classifier& model, const Description& description) {
  Json facts = Json::object();
  for (const auto& [name, value] : description.facts) { facts[name] = cell_json(value); }
  Json tables = Json::array();
  for (const DescriptionTable& table : description.tables) { tables.push_back(table_json(table)); }
  print_json({{"model", model.family()},
              {"format_version", modelfile::kFormatVersion},
              {"target", model.schema().target},
              {"classes", model.labels()},
              {"columns", columns_json(model.schema())},
              {"options", options_json(model)},
              {"facts", std::move(facts)},
              {"tables", std::move(tables)}});
}

std::string cell_text(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) { return short_number(*number); }
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) { return std::to_string(*whole); }
  return std::get<std::string>(cell);
}

/// Numbers stand right; a column is one of numbers when its first cell is.
std::vector<TextTable::Align> alignment(const DescriptionTable& table) {
  std::vector<TextTable::Align> align(table.columns.size(), TextTable::Align::left);
  for (std::size_t c = 0; !table.rows.empty() && c < align.size(); ++c) {
    const bool words = std::holds_alternative<std::string>(table.rows.front()[c]);
    align[c] = words ? TextTable::Align::left : TextTable::Align::right;
  }
  return align;
}

std::string table_text(const DescriptionTable& table) {
  constexpr std::size_t kShown = 30;
  TextTable text(alignment(table));
  text.header(table.columns);
  const std::size_t shown = std::min(table.rows.size(), kShown);
  for (std::size_t r = 0; r < shown; ++r) {
    std::vector<std::string> cells;
    for (const Cell& cell : table.rows[r]) { cells.push_back(cell_text(cell)); }
    text.row(cells);
  }
  std::string result =
      fmt::format("\n{}\n{}", toned(printable(table.title), Tone::strong), text.text());
  if (table.rows.size() > shown) {
    result += fmt::format("and {} more; --json shows all\n", table.rows.size() - shown);
  }
  return result;
}

void print_for_people(const Classifier& model, const Description& description) {
  FactTable facts;
  facts.add("model", model_title(model));
  facts.add("format version", std::to_string(modelfile::kFormatVersion));
  facts.add("target", model.schema().target);
  facts.add("classes", few(model.labels()));
  for (const auto& [name, value] : description.facts) { facts.add(name, cell_text(value)); }
  std::string text = facts.text() + "\n" + columns_table(model.schema());
  for (const DescriptionTable& table : description.tables) { text += table_text(table); }
  print(text);
}

void run(const Arguments& arguments) {
  const auto model = load_model(arguments);
  const Description description = model->describe();
  if (arguments.has("json")) {
    print_as_json(*model, description);
  } else {
    print_for_people(*model, description);
  }
}

}  // namespace

Command inspect_command() {
  return {.name = "inspect",
          .bit = kInspect,
          .summary = "show what a model file holds",
          .usage = "MODEL",
          .positionals = {{"MODEL", "model file that 'logodds train' wrote"}},
          .example = "inspect penguins.model",
          .run = run};
}

}  // namespace logodds::app
