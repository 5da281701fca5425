#include "data/arrow_documents.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "arrow_producer.hpp"
#include "csv_table.hpp"
#include "data/document_columns.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

const std::vector<std::string> kMails{"buy these six cheap pills now, please", "",
                                      "see you at noon at the usual place"};

ArrowTable table_of_column(std::deque<Batch>& batches, ColumnData column, std::int64_t rows) {
  std::deque<ColumnData> columns;
  columns.push_back(std::move(column));
  batches.emplace_back(std::vector<const char*>{"body"}, std::move(columns), rows);
  return table_of(batches);
}

std::string error_opening(const ArrowTable& table, ColumnKind kind) {
  try {
    (void)open_arrow(table, {.kinds = {{"body", kind}}}, ArrowNulls::missing);
  } catch (const Error& error) { return error.what(); }
  return "no error";
}

}  // namespace

TEST_CASE("arrow: strings of every layout are documents, in the producer's memory") {
  ColumnData dictionary = words(kMails);
  std::deque<ColumnData> layouts;
  layouts.push_back(words(kMails));
  layouts.push_back(words<std::int64_t>(kMails));
  layouts.push_back(word_views(kMails));
  layouts.push_back(entries_of(dictionary, {0, 1, 2}));
  for (auto& layout : layouts) {
    CAPTURE(layout.format);
    std::deque<Batch> batches;
    const ArrowTable table = table_of_column(batches, std::move(layout), 3);
    const auto source =
        open_arrow(table, {.kinds = {{"body", ColumnKind::text}}}, ArrowNulls::missing);
    CHECK(source->columns()[0].text);
    CHECK_FALSE(source->columns()[0].coded);
    const Table read = read_all(*source);
    REQUIRE(read.documents.size() == 1);
    CHECK(read.documents[0] == kMails);
    CHECK(read.words.empty());
    CHECK(read.numbers.empty());
    CHECK(source->notes().empty());
  }
}

TEST_CASE("arrow: a null document is missing, an empty one is not, also without memory") {
  std::deque<Batch> batches;
  const ArrowTable table = table_of_column(batches, words({"", "", ""}, {0b101}), 3);
  const ArrowLabels text{.kinds = {{"body", ColumnKind::text}}};
  const auto source = open_arrow(table, text, ArrowNulls::missing);
  const RowBuffer buffer = only_block(*source);
  CHECK(buffer.texts[0][0].data() != nullptr);
  CHECK(buffer.texts[0][1].data() == nullptr);
  CHECK(buffer.facts[0].missing == 1);
  CHECK(buffer.facts[0].any_value);
  CHECK(refusal(*open_arrow(table, text, ArrowNulls::error)).starts_with("row 2, column 'body'"));
}

TEST_CASE("arrow: strings that look like documents are read as such, dictionaries are levels") {
  std::deque<Batch> batches;
  const ArrowTable table = table_of_column(batches, words(kMails), 3);
  const auto source = open_arrow(table, ArrowLabels{}, ArrowNulls::missing);
  CHECK(source->columns()[0].text);
  REQUIRE(source->notes().size() == 1);
  CHECK(source->notes()[0] ==
        "column 'body' is read as documents (8 words on average); --kinds body=categorical reads "
        "it as levels");
  const ArrowLabels levels{.kinds = {{"body", ColumnKind::categorical}}};
  CHECK(open_arrow(table, levels, ArrowNulls::missing)->columns()[0].coded);
  const std::vector<double> weights{0, 1, 0};
  CHECK(open_arrow(table, {.weights = weights}, ArrowNulls::missing)->columns()[0].coded);

  ColumnData dictionary = words(kMails);
  std::deque<Batch> coded;
  const ArrowTable second = table_of_column(coded, entries_of(dictionary, {0, 1, 2}), 3);
  CHECK(open_arrow(second, ArrowLabels{}, ArrowNulls::missing)->columns()[0].coded);
}

TEST_CASE("arrow: documents against a schema, and columns that hold none") {
  std::deque<Batch> batches;
  const ArrowTable table = table_of_column(batches, words(kMails), 3);
  Schema schema{{{"body", ColumnKind::text, {}}}, "y", {"a", "b"}};
  const Table read = read_all(*open_arrow(table, schema, ArrowNulls::missing), &schema);
  CHECK(read.documents[0] == kMails);
  std::deque<Batch> others;
  const ArrowTable floats = table_of_column(others, numbers({1, 2, 3}), 3);
  CHECK(error_opening(floats, ColumnKind::text) ==
        "column 'body' holds no strings, so it is not text; convert it to strings");
  CHECK_THROWS_WITH_AS((void)open_arrow(floats, schema, ArrowNulls::missing),
                       doctest::Contains("trained on documents"), Error);
  CHECK(error_opening(table, ColumnKind::ignore) ==
        "kinds: column 'body' cannot be 'ignore'; leave the column out of the table");
}

TEST_CASE("arrow: blocks of documents end at 1024 rows or behind the row that brings 512 KiB") {
  std::deque<Batch> batches;
  const std::string half(kBlockTextBytes / 2, 'x');
  for (const int rows : {3, 1500}) {
    std::vector<std::string> values(static_cast<std::size_t>(rows), "y");
    if (rows == 3) { values[1] = values[2] = half; }
    std::deque<ColumnData> columns;
    columns.push_back(words(values));
    batches.emplace_back(std::vector<const char*>{"body"}, std::move(columns), rows);
  }
  const ArrowTable table = table_of(batches);
  const ArrowLabels text{.kinds = {{"body", ColumnKind::text}}};
  const Table read = read_all(*open_arrow(table, text, ArrowNulls::missing));
  CHECK(read.rows == 1503);
  CHECK(read.first_rows == std::vector<std::size_t>{0, 3, 1027});
}
