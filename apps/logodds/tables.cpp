#include "tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace logodds::app {

std::string few(const std::vector<std::string>& words) {
  constexpr std::size_t kShown = 8;
  if (words.size() <= kShown) { return fmt::format("{}", fmt::join(words, ", ")); }
  const auto last = words.begin() + static_cast<std::ptrdiff_t>(kShown);
  return fmt::format("{} and {} more", fmt::join(words.begin(), last, ", "), words.size() - kShown);
}

std::string columns_table(const Schema& schema) {
  constexpr std::size_t kShown = 50;
  using Align = TextTable::Align;
  TextTable table({Align::left, Align::left, Align::left});
  table.header({"column", "kind", schema.coded_count() > 0 ? "levels" : ""});
  const std::size_t shown = std::min(schema.columns.size(), kShown);
  for (std::size_t c = 0; c < shown; ++c) {
    const Column& column = schema.columns[c];
    table.row({column.name, std::string(to_string(column.kind)), few(column.levels)});
  }
  std::string text = table.text();
  if (schema.columns.size() > shown) {
    text += fmt::format("and {} more; --json shows all\n", schema.columns.size() - shown);
  }
  return text;
}

std::string cell_text(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) {
    return std::isnan(*number) ? "" : short_number(*number);
  }
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) { return std::to_string(*whole); }
  return std::get<std::string>(cell);
}

namespace {

/// Numbers stand right; a column is one of numbers when its first cell that is not empty is.
std::vector<TextTable::Align> alignment(const DescriptionTable& table, std::size_t columns) {
  std::vector<TextTable::Align> align(columns, TextTable::Align::left);
  for (std::size_t c = 0; c < columns; ++c) {
    const auto filled = std::ranges::find_if(table.rows, [c](const std::vector<Cell>& row) {
      const auto* const words = std::get_if<std::string>(&row[c]);
      return words == nullptr || !words->empty();
    });
    if (filled == table.rows.end() || std::holds_alternative<std::string>((*filled)[c])) {
      continue;
    }
    align[c] = TextTable::Align::right;
  }
  return align;
}

std::string cut_hint(std::size_t rows, std::size_t columns) {
  std::vector<std::string> parts;
  if (rows > 0) { parts.push_back(counted(rows, "more row", "more rows")); }
  if (columns > 0) { parts.push_back(counted(columns, "more column", "more columns")); }
  if (parts.empty()) { return ""; }
  return fmt::format("and {}; --json shows all\n", fmt::join(parts, " and "));
}

}  // namespace

std::string table_text(const DescriptionTable& table, std::size_t most_rows) {
  constexpr std::size_t kShownColumns = 13;
  const std::size_t rows = std::min(table.rows.size(), most_rows);
  const std::size_t columns = std::min(table.columns.size(), kShownColumns);
  TextTable text(alignment(table, columns));
  text.header(
      {table.columns.begin(), table.columns.begin() + static_cast<std::ptrdiff_t>(columns)});
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<std::string> cells;
    for (std::size_t c = 0; c < columns; ++c) { cells.push_back(cell_text(table.rows[r][c])); }
    text.row(cells);
  }
  return fmt::format("\n{}\n{}{}", toned(printable(table.title), Tone::strong), text.text(),
                     cut_hint(table.rows.size() - rows, table.columns.size() - columns));
}

void add_likelihood(FactTable& facts, const std::optional<Likelihood>& likelihood) {
  if (!likelihood) { return; }
  facts.add("log-likelihood", short_number(likelihood->log_likelihood));
  facts.add("parameters", short_number(likelihood->parameters));
  facts.add("AIC", short_number(likelihood->aic()));
  facts.add("BIC", short_number(likelihood->bic()));
}

}  // namespace logodds::app
