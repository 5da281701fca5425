#include "data/dense_columns.hpp"

#include <charconv>
#include <new>
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
  throw Error(
      ErrorCode::usage,
      name + ": " + std::to_string(columns) + " columns are more than the " +
          std::to_string(kMostDenseColumns) +
          " that rows can be spread out to; take --model softmax, which trains and predicts "
          "without doing so, or --model naive-bayes, which reads such rows as documents "
          "of pairs");
}

void check_sparse_columns(std::size_t columns, const std::string& name) {
  if (columns <= kMostSparseColumns) { return; }
  throw Error(ErrorCode::usage,
              name + ": " + std::to_string(columns) + " columns are more than the " +
                  std::to_string(kMostSparseColumns) +
                  " that a model can have; number the columns that occur from 1 on, or hash them");
}

std::vector<SourceColumn> numbered_columns(std::size_t first, std::size_t count) {
  std::vector<SourceColumn> columns;
  try {
    columns.reserve(count);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::usage,
                std::to_string(count) +
                    " columns do not fit into memory; number the columns that occur from 1 on, or "
                    "hash them");
  }
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

namespace {

/// What a row of numbers has not.
void begin_numbers(RowBuffer& buffer) {
  buffer.sparse_starts.clear();
  buffer.sparse_indices.clear();
  buffer.sparse_values.clear();
  buffer.codes.clear();
  buffer.levels.clear();
  buffer.texts.clear();
  buffer.weights.clear();
  buffer.row_numbers.clear();
  buffer.unseen_levels = 0;
  buffer.complete = true;
}

}  // namespace

void begin_dense(RowBuffer& buffer, std::size_t columns) {
  begin_numbers(buffer);
  buffer.numeric.assign(buffer.rows * columns, 0.0);
  buffer.numeric_data = buffer.numeric.data();
  buffer.numeric_columns = buffer.numeric_stride = columns;
  ColumnFacts zeros;
  zeros.any_value = true;
  buffer.facts.assign(columns, zeros);
}

void begin_sparse(RowBuffer& buffer, std::size_t columns) {
  begin_numbers(buffer);
  buffer.numeric.clear();
  buffer.numeric_data = nullptr;
  buffer.numeric_columns = columns;
  buffer.numeric_stride = 0;
  buffer.facts.clear();
  buffer.sparse_starts.assign(1, 0);
}

}  // namespace logodds
