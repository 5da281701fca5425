#include "models/naive_bayes/notes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logodds::models::naive_bayes {

namespace {

/// "'a', 'b' and 3 more"
std::string few(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) {
    text += (i == 0 ? "'" : ", '") + names[i] + "'";
  }
  if (names.size() > kShown) { text += " and " + std::to_string(names.size() - kShown) + " more"; }
  return text;
}

void note_identifiers(const Schema& schema, double weight, std::vector<std::string>& notes) {
  constexpr std::size_t kFew = 20;
  constexpr double kNearlyAll = 0.9;
  for (const auto& column : schema.columns) {
    const auto levels = static_cast<double>(column.levels.size());
    if (column.levels.size() < kFew || levels < kNearlyAll * weight) { continue; }
    notes.push_back("column '" + column.name + "' has " + std::to_string(column.levels.size()) +
                    " levels in rows of weight " + format_number(weight) +
                    ", which looks like an identifier; leave it out with --ignore " + column.name);
  }
}

/// One note a class.
void note_empty(const NaiveStatistics& statistics, const Schema& schema,
                std::vector<std::string>& notes) {
  std::vector<std::vector<std::string>> empty(schema.labels.size());
  for (const auto& place : places_of(schema)) {
    const auto weights = statistics.summary_weights(place);
    for (std::size_t k = 0; k < weights.size(); ++k) {
      if (weights[k] == 0.0) { empty[k].push_back(place.name); }
    }
  }
  for (std::size_t k = 0; k < empty.size(); ++k) {
    if (empty[k].empty()) { continue; }
    std::string list;
    for (const auto& name : empty[k]) { list += (list.empty() ? "" : ",") + name; }
    notes.push_back((empty[k].size() == 1 ? "column " : "columns ") + few(empty[k]) +
                    (empty[k].size() == 1 ? " has" : " have") + " no value in class '" +
                    schema.labels[k] +
                    "', where the law is that of all classes together (of levels: all alike); if "
                    "that is not wanted, --ignore " +
                    list);
  }
}

}  // namespace

double dispersion(const ColumnSummary& rows) {
  const auto sum = [](const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
  };
  const double total = sum(rows.sums);
  return total > 0.0 ? sum(rows.scatters) / total : 1.0;
}

void note_columns(const NaiveStatistics& statistics, const Schema& schema,
                  std::vector<std::string>& notes) {
  note_identifiers(schema, statistics.weight(), notes);
  for (const auto& column : schema.columns) {
    if (column.levels.size() == 1) {
      notes.push_back("column '" + column.name +
                      "' has the same value in every row and says nothing");
    }
  }
  note_empty(statistics, schema, notes);
}

}  // namespace logodds::models::naive_bayes
