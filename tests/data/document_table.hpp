// All rows of a source of documents gathered, so that tests can compare them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "logodds/data/source.hpp"
#include "logodds/error.hpp"

namespace logodds::test {

struct DocumentTable {
  std::vector<std::string> documents;
  std::vector<std::optional<std::string>> labels;  ///< empty when the rows carry none
  std::vector<std::vector<double>> numbers;        ///< one a row, of sources of numbers
  std::vector<std::size_t> block_rows;
  std::vector<ColumnFacts> facts;
};

inline void append_documents(DocumentTable& table, RowBuffer& buffer, const Schema* schema) {
  const RowBlock block = buffer.view();
  const auto& names = schema != nullptr ? schema->labels : buffer.label_values.values();
  for (std::size_t r = 0; r < block.rows; ++r) {
    if (!block.texts.empty()) { table.documents.emplace_back(block.texts[0][r]); }
    if (block.numeric_columns > 0) {
      const double* const row = block.numeric + r * block.numeric_stride;
      table.numbers.emplace_back(row, row + block.numeric_columns);
    }
    if (block.labels == nullptr) { continue; }
    const std::int32_t code = block.labels[r];
    table.labels.push_back(code < 0 ? std::nullopt
                                    : std::optional(names.at(static_cast<std::size_t>(code))));
  }
  table.block_rows.push_back(block.rows);
  table.facts.resize(buffer.facts.size());
  for (std::size_t c = 0; c < buffer.facts.size(); ++c) { table.facts[c].merge(buffer.facts[c]); }
}

inline DocumentTable read_documents(BlockSource& source, const Schema* schema = nullptr) {
  DocumentTable table;
  RowBuffer buffer;
  while (source.take(buffer)) {
    source.parse(buffer);
    append_documents(table, buffer, schema);
  }
  return table;
}

/// The sentence with which `read` ends, or "no error".
template <class Read>
std::string sentence_of(const Read& read) {
  try {
    read();
  } catch (const Error& error) { return error.what(); }
  return "no error";
}

inline bool holds(const std::string& sentence, const std::string& part) {
  return sentence.find(part) != std::string::npos;
}

inline Schema document_schema(std::vector<std::string> labels) {
  return {.columns = {{.name = "text", .kind = ColumnKind::text, .levels = {}}},
          .target = "label",
          .labels = std::move(labels)};
}

}  // namespace logodds::test
