#include "data/dense_columns.hpp"

#include <charconv>
#include <optional>

#include "data/csv_text.hpp"
#include "logodds/error.hpp"

namespace logodds {
namespace {

/// 12 of "x12".
std::optional<std::size_t> number_of(std::string_view name) {
  if (!name.starts_with('x')) { return {}; }
  std::size_t number = 0;
  const char* const end = name.data() + name.size();
  const auto result = std::from_chars(name.data() + 1, end, number);
  if (result.ec != std::errc() || result.ptr != end) { return {}; }
  return number;
}

bool numbered(const Schema& schema) {
  const auto first = schema.columns.empty() ? std::nullopt : number_of(schema.columns[0].name);
  for (std::size_t c = 0; first && c < schema.columns.size(); ++c) {
    if (!schema.columns[c].number() || number_of(schema.columns[c].name) != *first + c) {
      return false;
    }
  }
  return first.has_value();
}

}  // namespace

void check_dense_columns(std::size_t columns, const std::string& name) {
  if (columns <= kMostDenseColumns) { return; }
  throw Error(ErrorCode::usage,
              name + ": " + std::to_string(columns) + " columns are more than the " +
                  std::to_string(kMostDenseColumns) +
                  " that can be columns of numbers; take --model naive-bayes, which reads such "
                  "rows as documents of pairs");
}

std::vector<SourceColumn> numbered_columns(std::size_t first, std::size_t count) {
  std::vector<SourceColumn> columns;
  columns.reserve(count);
  for (std::size_t c = 0; c < count; ++c) {
    columns.push_back({.name = "x" + std::to_string(first + c)});
  }
  return columns;
}

std::size_t first_numbered(const Schema& schema) {
  constexpr std::size_t kMostNames = 5;
  if (numbered(schema)) { return *number_of(schema.columns.front().name); }
  std::vector<std::string> names;
  for (const Column& column : schema.columns) {
    names.push_back("'" + column.name + "' (" + std::string(to_string(column.kind)) + ")");
  }
  throw Error(
      ErrorCode::usage,
      "the model wants the columns " + csv::name_list(names, kMostNames) +
          ", but svmlight rows hold numbers x1, x2, ...; give a CSV file with these columns");
}

void begin_dense(RowBuffer& buffer, std::size_t columns) {
  buffer.numeric.assign(buffer.rows * columns, 0.0);
  buffer.numeric_data = buffer.numeric.data();
  buffer.numeric_columns = buffer.numeric_stride = columns;
  buffer.codes.clear();
  buffer.levels.clear();
  buffer.texts.clear();
  buffer.weights.clear();
  buffer.row_numbers.clear();
  buffer.unseen_levels = 0;
  buffer.complete = true;
  ColumnFacts zeros;
  zeros.any_value = true;
  buffer.facts.assign(columns, zeros);
}

}  // namespace logodds
