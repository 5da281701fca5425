#include "tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "output.hpp"

namespace logodds::app {

std::string few(const std::vector<std::string>& words) {
  constexpr std::size_t kShown = 8;
  if (words.size() <= kShown) { return fmt::format("{}", fmt::join(words, ", ")); }
  const auto last = words.begin() + static_cast<std::ptrdiff_t>(kShown);
  return fmt::format("{} and {} more", fmt::join(words.begin(), last, ", "), words.size() - kShown);
}

std::string model_title(const Classifier& model) {
  std::vector<std::string> settings;
  for (const OptionSpec& spec : find_family(model.family()).options) {
    const auto found = model.options().values().find(spec.name);
    if (found != model.options().values().end()) {
      settings.push_back(spec.name + " " + found->second);
    }
  }
  if (settings.empty()) { return model.family(); }
  return fmt::format("{} ({})", model.family(), fmt::join(settings, ", "));
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

}  // namespace logodds::app
