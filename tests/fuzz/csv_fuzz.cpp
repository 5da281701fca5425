// Any bytes, read as a table in discovery and against a schema: only logodds::Error may escape, and
// blocks must keep their invariants. The first two bytes choose options, the rest is the file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "data/csv_source.hpp"
#include "logodds/data/csv.hpp"
#include "logodds/error.hpp"

using namespace logodds;

namespace {

void require(bool condition) {
  if (!condition) { std::abort(); }
}

CsvOptions options_from(std::uint8_t first, std::uint8_t second) {
  CsvOptions options;
  options.header = (first & 1U) == 0;
  if ((first & 2U) != 0) { options.target = "1"; }
  if ((first & 4U) != 0) { options.weights = "2"; }
  if ((first & 8U) != 0) { options.ignore = {"3"}; }
  if ((first & 16U) != 0) { options.missing_tokens = {"-9", "none"}; }
  constexpr std::string_view kDelimiters{"\0,;\t |", 6};
  options.delimiter = kDelimiters[(first >> 5U) % kDelimiters.size()];
  if ((second & 7U) < 6) { options.kinds["4"] = static_cast<ColumnKind>(second & 7U); }
  if ((second >> 3U & 7U) < 6) { options.kinds["5"] = static_cast<ColumnKind>(second >> 3U & 7U); }
  if ((second & 64U) != 0) { options.kinds.clear(); }
  options.quotes = (second & 128U) == 0;
  options.escapes = !options.quotes;
  return options;
}

void check_codes(const std::int32_t* codes, std::size_t rows, std::size_t known, bool missing) {
  for (std::size_t r = 0; r < rows; ++r) {
    require(codes[r] < static_cast<std::int32_t>(known));
    require(codes[r] >= 0 || (missing && codes[r] == kMissingCode));
  }
}

/// Every document is there, in the text of the block or among the copies.
void check_documents(const RowBuffer& buffer) {
  const auto inside = [](std::string_view part, std::string_view whole) {
    return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
  };
  for (const auto& column : buffer.texts) {
    require(column.size() == buffer.rows);
    for (const auto document : column) {
      require(document.data() != nullptr);
      require(inside(document, buffer.text) || inside(document, buffer.text_copies));
    }
  }
}

void check_block(RowBuffer& buffer, const BlockSource& source, const Schema* schema) {
  const RowBlock block = buffer.view();
  std::vector<std::size_t> known;
  if (schema != nullptr) {
    for (const auto& column : schema->columns) {
      if (column.coded()) { known.push_back(column.levels.size()); }
    }
  } else {
    for (const auto& dictionary : buffer.levels) { known.push_back(dictionary.size()); }
  }
  require(block.rows <= kBlockRows);
  require(block.codes.size() == known.size());
  require(block.codes.size() + block.numeric_columns + block.texts.size() ==
          source.columns().size());
  check_documents(buffer);
  require(buffer.numeric.size() == block.rows * block.numeric_columns);
  for (std::size_t c = 0; c < known.size(); ++c) {
    check_codes(block.codes[c], block.rows, known[c], true);
  }
  if (block.labels != nullptr) {
    const auto labels = schema != nullptr ? schema->labels.size() : buffer.label_values.size();
    check_codes(block.labels, block.rows, labels, false);
  }
  require(buffer.row_numbers.empty() || buffer.row_numbers.size() == block.rows);
  for (std::size_t r = 0; r < block.rows && block.weights != nullptr; ++r) {
    require(block.weights[r] > 0);
  }
}

struct Found {
  std::vector<ColumnFacts> facts;
  std::vector<Dictionary> levels;
  Dictionary labels;
};

Found read_blocks(BlockSource& source, const Schema* schema) {
  Found found;
  RowBuffer buffer;
  std::size_t rows = 0;
  while (source.take(buffer)) {
    require(buffer.first_row == rows);
    rows += buffer.rows;
    source.parse(buffer);
    check_block(buffer, source, schema);
    found.facts.resize(buffer.facts.size());
    for (std::size_t c = 0; c < buffer.facts.size(); ++c) { found.facts[c].merge(buffer.facts[c]); }
    found.levels.resize(buffer.levels.size());
    for (std::size_t c = 0; c < buffer.levels.size(); ++c) {
      for (const auto& value : buffer.levels[c].values()) { found.levels[c].code(value); }
    }
    for (const auto& value : buffer.label_values.values()) { found.labels.code(value); }
    (void)source.place(buffer.first_row);
  }
  require(rows > 0);
  return found;
}

Found discover(BlockSource& source) {
  for (;;) {
    Found found = read_blocks(source, nullptr);
    std::vector<std::size_t> words;
    for (std::size_t c = 0; c < found.facts.size(); ++c) {
      if (found.facts[c].not_number) { words.push_back(c); }
    }
    if (words.empty()) { return found; }
    require(source.restart_with_coded(words));
  }
}

Schema schema_of(std::string_view bytes, const CsvOptions& options) {
  const auto source = open_csv_bytes(bytes, "fuzz", options);
  const Found found = discover(*source);
  std::vector<std::vector<std::string>> levels;
  levels.reserve(found.levels.size());
  for (const auto& dictionary : found.levels) { levels.push_back(dictionary.values()); }
  Schema schema = infer_schema(*source, found.facts, levels, found.labels.values());
  require(schema.columns.size() == source->columns().size());
  return schema;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) { return 0; }
  const CsvOptions options = options_from(data[0], data[1]);
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  try {
    const Schema schema = schema_of(bytes, options);
    // What was just learned from must be readable with what was learned.
    const auto bound = open_csv_bytes(bytes, "fuzz", options, schema, !options.target.empty());
    try {
      (void)read_blocks(*bound, &schema);
    } catch (const Error&) { std::abort(); }
  } catch (const Error& error) { require(!std::string_view(error.what()).empty()); }
  return 0;
}
