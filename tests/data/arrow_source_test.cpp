#include "logodds/data/arrow_source.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "arrow_producer.hpp"

using namespace logodds;
using namespace logodds::test;

TEST_CASE("arrow: batches are joined, nulls are missing, everything is released once") {
  {
    std::deque<Batch> batches;
    batches.emplace_back(
        std::vector<const char*>{"x", "word"},
        std::deque<ColumnData>{numbers({1.5, 2.0, 0.0}, {0b011}), words({"b", "a", "b"})}, 3);
    batches.emplace_back(std::vector<const char*>{"x", "word"},
                         std::deque<ColumnData>{numbers({9.0, 4.0, 5.0}), words({"z", "c", "a"})},
                         2, 1);
    const ArrowTable table = table_of(batches);
    CHECK(table.rows() == 5);
    CHECK(table.names() == std::vector<std::string>{"x", "word"});
    CHECK(streams_alive == 0);
    CHECK(arrays_alive == 2);
    const std::vector<std::int64_t> labels{7, 7, -1, 7, -1};
    const auto source = open_arrow(table, {.labels = labels}, ArrowNulls::missing);
    const RowBuffer rows = only_block(*source);
    CHECK(rows.rows == 5);
    CHECK(rows.numeric[0] == 1.5);
    CHECK(std::isnan(rows.numeric[2]));
    CHECK(rows.numeric[3] == 4.0);
    CHECK(rows.facts[0].missing == 1);
    CHECK(rows.levels[0].values() == std::vector<std::string>{"b", "a", "c"});
    CHECK(rows.codes[0] == std::vector<std::int32_t>{0, 1, 0, 2, 1});
    CHECK(rows.label_values.values() == std::vector<std::string>{"7", "-1"});
    CHECK(rows.labels == std::vector<std::int32_t>{0, 0, 1, 0, 1});
  }
  CHECK(arrays_alive == 0);
}

TEST_CASE("arrow: rows of weight 0 leave nothing behind") {
  std::deque<Batch> batches;
  batches.emplace_back(std::vector<const char*>{"x"},
                       std::deque<ColumnData>{numbers({1.0, -0.5, 0.0})}, 3);
  const ArrowTable table = table_of(batches);
  const std::vector<std::int64_t> labels{0, 1, 0};
  const std::vector<double> weights{2.0, 0.0, 0.5};
  const auto source = open_arrow(
      table, {.labels = labels, .names = {"no", "yes"}, .weights = weights}, ArrowNulls::error);
  const RowBuffer rows = only_block(*source);
  CHECK(rows.rows == 2);
  CHECK(rows.weights == std::vector<double>{2.0, 0.5});
  CHECK(rows.row_numbers == std::vector<std::size_t>{0, 2});
  CHECK(rows.facts[0].zero_one);
  CHECK(rows.label_values.values() == std::vector<std::string>{"no"});
  const std::vector<double> negative{1.0, -1.0, 1.0};
  const auto bad = open_arrow(table, {.labels = labels, .weights = negative}, ArrowNulls::error);
  CHECK(refusal(*bad).find("row 2: the weight -1") != std::string::npos);
  CHECK_THROWS_AS(static_cast<void>(
                      open_arrow(table, {.labels = std::span(labels).first(2)}, ArrowNulls::error)),
                  Error);
}

TEST_CASE("arrow: blocks do not depend on the batches") {
  std::deque<Batch> batches;
  std::size_t total = 0;
  for (const std::size_t length : {700U, 1U, 0U, 1500U}) {
    std::vector<double> values;
    for (std::size_t r = 0; r < length; ++r) { values.push_back(static_cast<double>(total++)); }
    values.push_back(0.0);  // so that an empty batch has memory, too
    batches.emplace_back(std::vector<const char*>{"x"}, std::deque<ColumnData>{numbers(values)},
                         static_cast<std::int64_t>(length));
  }
  const ArrowTable table = table_of(batches);
  const auto source = open_arrow(table, ArrowLabels{}, ArrowNulls::error);
  std::size_t expected = 0;
  RowBuffer buffer;
  while (source->take(buffer)) {
    source->parse(buffer);
    CHECK(buffer.rows == std::min(kBlockRows, total - expected));
    for (std::size_t r = 0; r < buffer.rows; ++r) {
      REQUIRE(buffer.numeric[r] == static_cast<double>(expected++));
    }
  }
  CHECK(expected == 2201);
}

TEST_CASE("arrow: a schema picks columns by name and knows its levels") {
  std::deque<Batch> batches;
  batches.emplace_back(
      std::vector<const char*>{"extra", "word", "x"},
      std::deque<ColumnData>{numbers({0.0, 0.0}), words({"new", "b"}), numbers({3.0, 4.0})}, 2);
  const ArrowTable table = table_of(batches);
  Schema schema;
  schema.columns = {{.name = "x", .kind = ColumnKind::real, .levels = {}},
                    {.name = "word", .kind = ColumnKind::binary, .levels = {"a", "b"}}};
  const auto source = open_arrow(table, schema, ArrowNulls::missing);
  REQUIRE(source->notes().size() == 1);
  CHECK(source->notes().front().find("'extra'") != std::string::npos);
  const RowBuffer rows = only_block(*source);
  CHECK(rows.numeric == std::vector<double>{3.0, 4.0});
  CHECK(rows.codes[0] == std::vector<std::int32_t>{kUnseenCode, 1});
  CHECK(rows.unseen_levels == 1);
  const auto strict = open_arrow(table, schema, ArrowNulls::error);
  CHECK(refusal(*strict).find("row 1, column 'word': the value did not occur") !=
        std::string::npos);

  schema.columns[0].name = "y";
  CHECK_THROWS_WITH_AS(static_cast<void>(open_arrow(table, schema, ArrowNulls::error)),
                       doctest::Contains("no column 'y'"), Error);
  schema.columns = {{.name = "word", .kind = ColumnKind::real, .levels = {}}};
  CHECK_THROWS_WITH_AS(static_cast<void>(open_arrow(table, schema, ArrowNulls::error)),
                       doctest::Contains("'word' holds strings"), Error);
}

TEST_CASE("arrow: numbers are levels where they are said to be categorical") {
  std::deque<Batch> batches;
  batches.emplace_back(std::vector<const char*>{"code", "x", "word"},
                       std::deque<ColumnData>{numbers({10.0, 0.5, 10.0}), numbers({0.0, 1.0, 1.0}),
                                              words({"b", "a", "b"})},
                       3);
  const ArrowTable table = table_of(batches);
  const auto open = [&](std::map<std::string, ColumnKind> kinds) {
    return open_arrow(table, {.kinds = std::move(kinds)}, ArrowNulls::missing);
  };
  const auto source = open({{"code", ColumnKind::categorical}, {"x", ColumnKind::count}});
  const RowBuffer rows = only_block(*source);
  CHECK(rows.numeric_columns == 1);
  CHECK(rows.levels[0].values() == std::vector<std::string>{"10", "0.5"});
  CHECK(rows.codes[0] == std::vector<std::int32_t>{0, 1, 0});
  CHECK(source->columns()[0].given_kind == ColumnKind::categorical);
  CHECK(source->columns()[1].given_kind == ColumnKind::count);
  CHECK(!source->columns()[2].given_kind);
  CHECK_THROWS_WITH_AS(open({{"cod", ColumnKind::real}}), doctest::Contains("no column 'cod'"),
                       Error);
  CHECK_THROWS_WITH_AS(open({{"word", ColumnKind::real}}), doctest::Contains("'word' holds"),
                       Error);
  CHECK_THROWS_WITH_AS(open({{"x", ColumnKind::ignore}}), doctest::Contains("leave the column out"),
                       Error);
}

TEST_CASE("arrow: what cannot be used is refused by name, and still released") {
  std::deque<Batch> batches;
  batches.emplace_back(
      std::vector<const char*>{"x"},
      std::deque<ColumnData>{numbers({1.0, std::numeric_limits<double>::infinity()})}, 2);
  {
    const ArrowTable table = table_of(batches);
    const auto source = open_arrow(table, ArrowLabels{}, ArrowNulls::missing);
    CHECK(refusal(*source).find("row 2, column 'x': the value is infinity") != std::string::npos);
  }
  CHECK_THROWS_WITH_AS(table_of(batches, "no more"), doctest::Contains("no more"), Error);
  batches.front().columns.front().schema.format = "tdD";
  CHECK_THROWS_WITH_AS(table_of(batches), doctest::Contains("'x' has the Arrow type 'tdD'"), Error);
  batches.front().schema.format = "g";
  CHECK_THROWS_WITH_AS(table_of(batches), doctest::Contains("not a table"), Error);
  CHECK(arrays_alive == 0);
  CHECK(streams_alive == 0);
}
