// Weights of levels, of values and of cells: sums, new codes, rows taken out again.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "logodds/error.hpp"
#include "stats/cell_counts.hpp"
#include "stats/level_counts.hpp"
#include "stats/value_table.hpp"

using namespace logodds;

namespace {

/// A block of one coded column.
struct Coded {
  std::vector<std::int32_t> codes;
  std::vector<std::int32_t> labels;
  std::vector<const std::int32_t*> pointers{};

  [[nodiscard]] RowBlock block() {
    pointers = {codes.data()};
    RowBlock block;
    block.rows = codes.size();
    block.codes = pointers;
    block.labels = labels.data();
    return block;
  }
};

Shape shape(std::size_t classes, std::size_t levels) {
  return {.classes = classes, .numeric = 0, .levels = {levels}};
}

template <class Work>
std::string refusal(Work work) {
  try {
    work();
  } catch (const Error& error) { return error.what(); }
  return "accepted";
}

ValueTable values(const std::vector<double>& x, const std::vector<std::int32_t>& labels) {
  RowBlock block;
  block.rows = x.size();
  block.numeric = x.data();
  block.numeric_columns = block.numeric_stride = 1;
  block.labels = labels.data();
  ValueTable table;
  table.add(block, 0);
  return table;
}

}  // namespace

TEST_CASE("level counts grow with classes and levels, and follow new codes") {
  LevelCounts counts;
  Coded first{{0, 1, kMissingCode, 0}, {0, 0, 0, 0}};
  Coded second{{2, 1, 2}, {1, 0, 1}};
  counts.add(first.block(), shape(1, 2));
  counts.add(second.block(), shape(2, 3));
  CHECK(counts.weight(0, 0, 0) == 2.0);
  CHECK(counts.weight(0, 0, 1) == 2.0);
  CHECK(counts.weight(0, 1, 2) == 2.0);
  CHECK(counts.level_weights(0) == std::vector<double>{2.0, 2.0, 2.0});
  counts.recode({.shape = shape(2, 3), .labels = {1, 0}, .levels = {{2, 0, 1}}});
  CHECK(counts.weight(0, 1, 2) == 2.0);
  CHECK(counts.weight(0, 0, 1) == 2.0);
  LevelCounts gone;
  Coded none{{1, 1, 1}, {0, 0, 0}};
  gone.add(none.block(), shape(2, 3));
  const Schema schema{.columns = {{"c", ColumnKind::categorical, {"p", "q", "r"}}},
                      .target = "y",
                      .labels = {"a", "b"}};
  CHECK(refusal([&] { counts.unmerge(gone, schema); }) ==
        "class 'a', column 'c' at 'q': a weight of 3 is to be forgotten, and there is only 2; "
        "forget only rows that the model was trained on");
}

TEST_CASE("value tables hold each value of each class once, in order") {
  ValueTable table = values({3.0, 1.0, 3.0, -0.0, 1.0, std::nan("")}, {0, 1, 0, 1, 0, 0});
  table.merge(values({3.0, 0.0}, {1, 1}));
  const auto entries = table.entries();
  REQUIRE(entries.size() == 5);
  CHECK(entries[0].value == 0.0);
  CHECK(entries[0].weight == 2.0);
  CHECK(entries[1].label == 0);
  CHECK(entries[3].value == 3.0);
  CHECK(entries[3].weight == 2.0);
  const std::vector<std::string> labels{"a", "b"};
  CHECK(refusal([&] {
          table.unmerge(values({2.0}, {0}), labels, "x");
        }).find("class 'a', column 'x' at 2") != std::string::npos);
  table.unmerge(values({3.0, 3.0}, {0, 0}), labels, "x");
  CHECK(table.entries().size() == 4);
  const std::vector<std::int32_t> swap{1, 0};
  table.recode(swap);
  CHECK(table.entries()[0].label == 0);
}

TEST_CASE("value tables are the same however their values are ordered") {
  const std::vector<double> x{1.0, 1.0, 2.0, 3.0, 3.0, 4.0};
  const std::vector<std::int32_t> y{0, 1, 0, 1, 1, 0};
  const auto expected = values(x, y).entries();
  REQUIRE(expected.size() == 5);
  const auto same = [&](const ValueTable& table) {
    return std::ranges::equal(table.entries(), expected, [](const auto& a, const auto& b) {
      return a.value == b.value && a.label == b.label && a.weight == b.weight;
    });
  };
  const std::vector<double> backward(x.rbegin(), x.rend());
  const std::vector<std::int32_t> backward_labels(y.rbegin(), y.rend());
  CHECK(same(values(backward, backward_labels)));
  for (std::size_t cut = 0; cut <= x.size();
       ++cut) {  // the second part behind the first, or before
    const auto at = static_cast<std::ptrdiff_t>(cut);
    const ValueTable low = values({x.begin(), x.begin() + at}, {y.begin(), y.begin() + at});
    const ValueTable high = values({x.begin() + at, x.end()}, {y.begin() + at, y.end()});
    ValueTable ascending = low;
    ascending.merge(high);
    ValueTable descending = high;
    descending.merge(low);
    CHECK(same(ascending));
    CHECK(same(descending));
  }
}

TEST_CASE("cell counts: cells that rows are in, by class") {
  CellCounts cells(2);
  const std::vector<std::int32_t> low{0, 1};
  const std::vector<std::int32_t> high{1, 0};
  cells.add(low, 0, 1.0);
  cells.add(low, 1, 2.0);
  cells.add(high, 1, 1.0);
  CHECK(cells.size() == 2);
  CHECK(cells.weight(1) == 3.0);
  const std::vector<std::int32_t> labels{1, 0};
  const std::vector<std::vector<std::int32_t>> codes{{1, 0}, {}};
  cells.recode(labels, codes);
  const auto all = cells.cells(2);
  REQUIRE(all.size() == 2);
  CHECK(all[0].codes == std::vector<std::int32_t>{0, 0});
  CHECK(all[1].weights == std::vector<double>{2.0, 1.0});
  CellCounts gone(2);
  gone.add(all[0].codes, 0, 1.0);
  cells.unmerge(gone, "columns a+b");
  CHECK(cells.size() == 1);
  CHECK(refusal([&] { cells.unmerge(gone, "columns a+b"); }).starts_with("columns a+b"));
}
