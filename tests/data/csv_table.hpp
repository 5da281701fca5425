// All rows of a source gathered in one table, so that tests can compare values.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/csv_source.hpp"
#include "logodds/data/csv.hpp"
#include "logodds/error.hpp"

namespace logodds::test {

inline constexpr double kMissingNumber = std::numeric_limits<double>::quiet_NaN();

struct Table {
  std::size_t rows = 0;
  std::size_t blocks = 0;
  std::vector<std::vector<double>> numbers;                    ///< one a column of numbers
  std::vector<std::vector<std::optional<std::string>>> words;  ///< one a coded column
  std::vector<std::vector<std::string>> documents;             ///< one a text column
  std::vector<std::size_t> first_rows;                         ///< one a block
  std::vector<std::string> labels;
  std::vector<double> weights;
  std::vector<std::size_t> row_numbers;
  std::vector<ColumnFacts> facts;
  std::size_t unseen = 0;
};

inline void append_block(Table& table, RowBuffer& buffer, const Schema* schema) {
  const RowBlock block = buffer.view();
  table.numbers.resize(block.numeric_columns);
  table.words.resize(block.codes.size());
  table.documents.resize(block.texts.size());
  table.first_rows.push_back(block.first_row);
  table.facts.resize(buffer.facts.size());
  std::vector<std::vector<std::string>> levels;
  if (schema != nullptr) {
    for (const auto& column : schema->columns) {
      if (column.coded()) { levels.push_back(column.levels); }
    }
  } else {
    for (const auto& dictionary : buffer.levels) { levels.push_back(dictionary.values()); }
  }
  const auto& labels = schema != nullptr ? schema->labels : buffer.label_values.values();
  for (std::size_t r = 0; r < block.rows; ++r) {
    for (std::size_t c = 0; c < block.numeric_columns; ++c) {
      table.numbers[c].push_back(block.numeric[r * block.numeric_stride + c]);
    }
    for (std::size_t c = 0; c < block.codes.size(); ++c) {
      const auto code = block.codes[c][r];
      table.words[c].push_back(
          code < 0 ? std::nullopt : std::optional(levels[c].at(static_cast<std::size_t>(code))));
    }
    for (std::size_t c = 0; c < block.texts.size(); ++c) {
      const auto document = block.texts[c][r];
      table.documents[c].push_back(document.data() == nullptr ? "(missing)"
                                                              : std::string(document));
    }
    if (block.labels != nullptr) {
      table.labels.push_back(labels.at(static_cast<std::size_t>(block.labels[r])));
    }
    if (block.weights != nullptr) { table.weights.push_back(block.weights[r]); }
    table.row_numbers.push_back(buffer.row_numbers.empty() ? buffer.first_row + r
                                                           : buffer.row_numbers[r]);
  }
  for (std::size_t c = 0; c < buffer.facts.size(); ++c) { table.facts[c].merge(buffer.facts[c]); }
  table.unseen += buffer.unseen_levels;
  table.rows += block.rows;
  ++table.blocks;
}

inline Table read_all(BlockSource& source, const Schema* schema = nullptr) {
  Table table;
  RowBuffer buffer;
  while (source.take(buffer)) {
    source.parse(buffer);
    append_block(table, buffer, schema);
  }
  return table;
}

inline Table read_text(std::string_view text, const CsvOptions& options = {}) {
  const auto source = open_csv_bytes(text, "t.csv", options);
  return read_all(*source);
}

/// The sentence with which reading ends, or "no error".
inline std::string error_of(std::string_view text, const CsvOptions& options = {}) {
  try {
    read_text(text, options);
  } catch (const Error& error) { return error.what(); }
  return "no error";
}

inline std::string bound_error_of(std::string_view text, const Schema& schema, bool with_labels,
                                  const CsvOptions& options = {}) {
  try {
    const auto source = open_csv_bytes(text, "t.csv", options, schema, with_labels);
    read_all(*source, &schema);
  } catch (const Error& error) { return error.what(); }
  return "no error";
}

/// Schema as a driver finds it: one pass, restarted when a column of numbers holds a word.
inline Schema discover_schema(BlockSource& source) {
  for (;;) {
    const Table table = read_all(source);
    std::vector<std::size_t> texts;
    for (std::size_t c = 0; c < table.facts.size(); ++c) {
      if (table.facts[c].not_number) { texts.push_back(c); }
    }
    if (!texts.empty() && source.restart_with_coded(texts)) { continue; }
    Dictionary labels;
    for (const auto& label : table.labels) { labels.code(label); }
    std::vector<std::vector<std::string>> levels;
    for (const auto& column : table.words) {
      Dictionary values;
      for (const auto& word : column) {
        if (word) { values.code(*word); }
      }
      levels.push_back(values.values());
    }
    return infer_schema(source, table.facts, levels, labels.values());
  }
}

}  // namespace logodds::test
