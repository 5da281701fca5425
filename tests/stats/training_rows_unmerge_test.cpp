#include <doctest/doctest.h>

#include "logodds/error.hpp"
#include "logodds/stats/training_rows.hpp"

using namespace logodds;

namespace {

struct Row {
  double number;
  std::int32_t level;
  std::int32_t label;
  double weight = 1.0;
};

Schema schema() {
  Schema made;
  made.columns = {{.name = "x", .kind = ColumnKind::real, .levels = {}},
                  {.name = "color", .kind = ColumnKind::categorical, .levels = {"b", "g", "r"}}};
  made.labels = {"no", "yes"};
  return made;
}

TrainingRows rows_of(const std::vector<Row>& rows, bool weighted = false) {
  TrainingRows result;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::vector<const std::int32_t*> codes{&rows[r].level};
    result.add({.ordinal = r,
                .rows = 1,
                .numeric = &rows[r].number,
                .numeric_columns = 1,
                .numeric_stride = 1,
                .codes = codes,
                .labels = &rows[r].label,
                .weights = weighted ? &rows[r].weight : nullptr},
               shape_of(schema()));
  }
  return result;
}

std::vector<double> numbers(const TrainingRows& rows) {
  const RowBlock view = rows.view();
  return {view.numeric, view.numeric + view.rows};
}

}  // namespace

TEST_CASE(
    "training rows: each forgotten row takes one equal row away, the others keep their order") {
  TrainingRows rows = rows_of({{3, 0, 0}, {1, 1, 1}, {3, 0, 0}, {2, 2, 1}, {0, 0, 0}});
  rows.unmerge(rows_of({{2, 2, 1}, {3, 0, 0}, {-0.0, 0, 0}}), schema());
  CHECK(numbers(rows) == std::vector<double>{1, 3});
  CHECK(rows.weight() == 2.0);
  CHECK(rows.view().labels[0] == 1);
  CHECK(rows.view().codes[0][0] == 1);
}

TEST_CASE("training rows: a row that differs in anything was never there") {
  const std::vector<Row> all{{3, 0, 0, 2.0}, {1, 1, 1, 1.0}};
  for (const Row& stray :
       {Row{3.5, 0, 0, 2.0}, Row{3, 1, 0, 2.0}, Row{3, 0, 1, 2.0}, Row{3, 0, 0}}) {
    TrainingRows rows = rows_of(all, true);
    std::string message;
    try {
      rows.unmerge(rows_of({{1, 1, 1, 1.0}, stray}, true), schema());
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::input);
      message = error.what();
    }
    CHECK(message.find("class '" + schema().labels[static_cast<std::size_t>(stray.label)] +
                       "': row 2 of those to be forgotten") == 0);
  }
  TrainingRows rows = rows_of({{3, 0, 0}});
  CHECK_THROWS_AS(rows.unmerge(rows_of({{3, 0, 0}, {3, 0, 0}}), schema()), Error);  // there once
}

TEST_CASE("training rows: classes and levels without a row are not in the remaining schema") {
  TrainingRows rows = rows_of({{3, 0, 0}, {1, 1, 1}, {2, 2, 0}});
  CHECK(rows.remaining(schema()) == schema());
  rows.unmerge(rows_of({{1, 1, 1}}), schema());
  const Schema rest = rows.remaining(schema());
  CHECK(rest.labels == std::vector<std::string>{"no"});
  CHECK(rest.columns[1].levels == std::vector<std::string>{"b", "r"});
  CHECK(rest.columns[0] == schema().columns[0]);
}
