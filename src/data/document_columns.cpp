#include "data/document_columns.hpp"

#include <cmath>
#include <unordered_set>

#include "data/csv_text.hpp"
#include "logodds/error.hpp"

namespace logodds {
namespace {

constexpr double kFewestWords = 5;
constexpr double kFewestDifferent = 0.75;
/// Of a longer document no more is looked at.
constexpr std::size_t kMostBytes = std::size_t{64} << 10U;

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::size_t count_words(std::string_view text) {
  std::size_t words = 0;
  bool space = true;
  for (const char c : text) {
    words += space && !is_space(c) ? 1U : 0U;
    space = is_space(c);
  }
  return words;
}

}  // namespace

std::optional<double> looks_like_documents(std::span<const std::string_view> values) {
  std::size_t words = 0;
  std::size_t count = 0;
  std::unordered_set<std::string_view> different;
  for (const auto value : values) {
    if (value.empty()) { continue; }
    ++count;
    const auto start = value.substr(0, kMostBytes);
    words += count_words(start);
    different.insert(start);
  }
  if (count == 0) { return std::nullopt; }
  const auto total = static_cast<double>(count);
  const double average = static_cast<double>(words) / total;
  const double share = static_cast<double>(different.size()) / total;
  if (average < kFewestWords || share < kFewestDifferent) { return std::nullopt; }
  return average;
}

std::string documents_note(const std::string& column, double words) {
  return "column '" + column + "' is read as documents (" + std::to_string(std::llround(words)) +
         " words on average); --kinds " + column + "=categorical reads it as levels";
}

void check_document_schema(const Schema& schema, const std::string& holds) {
  constexpr std::size_t kMostNames = 10;
  if (schema.columns.size() == 1 && schema.columns.front().text()) { return; }
  std::vector<std::string> names;
  for (const Column& column : schema.columns) {
    names.push_back("'" + column.name + "' (" + std::string(to_string(column.kind)) + ")");
  }
  throw Error(ErrorCode::usage,
              "the model wants " + std::string(names.size() == 1 ? "the column " : "the columns ") +
                  csv::name_list(names, kMostNames) + ", but " + holds + "; give a CSV file with " +
                  (names.size() == 1 ? "this column" : "these columns"));
}

std::vector<SourceColumn> text_column(const std::string& name) {
  return {{.name = name, .given_kind = ColumnKind::text, .text = true}};
}

void begin_documents(RowBuffer& buffer) {
  buffer.numeric.clear();
  buffer.numeric_data = nullptr;
  buffer.numeric_columns = buffer.numeric_stride = 0;
  buffer.codes.clear();
  buffer.levels.clear();
  buffer.weights.clear();
  buffer.row_numbers.clear();
  buffer.text_copies.clear();
  buffer.unseen_levels = 0;
  buffer.complete = true;
  buffer.facts.assign(1, ColumnFacts{});
  buffer.facts.front().any_value = true;
  buffer.texts.resize(1);
  buffer.texts.front().clear();
  buffer.texts.front().reserve(buffer.rows);
}

}  // namespace logodds
