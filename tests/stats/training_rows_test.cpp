#include "logodds/stats/training_rows.hpp"

#include <doctest/doctest.h>

using namespace logodds;

namespace {

/// One row of one number and one coded column.
struct Row {
  double number;
  std::int32_t code;
  std::int32_t label;
  double weight;
};

void add(TrainingRows& rows, const Row& row, std::size_t ordinal, bool weighted) {
  const std::vector<const std::int32_t*> codes{&row.code};
  rows.add({.ordinal = ordinal,
            .first_row = 0,
            .rows = 1,
            .numeric = &row.number,
            .numeric_columns = 1,
            .numeric_stride = 1,
            .codes = codes,
            .labels = &row.label,
            .weights = weighted ? &row.weight : nullptr},
           {.classes = 2, .numeric = 1, .levels = {2}});
}

}  // namespace

TEST_CASE("training rows stand in the order of their blocks, whoever brought them") {
  TrainingRows one;
  TrainingRows other;
  add(one, {.number = 3.0, .code = 0, .label = 1, .weight = 1.0}, 2, false);
  add(other, {.number = 1.0, .code = 1, .label = 0, .weight = 4.0}, 0, true);
  add(other, {.number = 2.0, .code = 0, .label = 1, .weight = 1.0}, 1, false);
  REQUIRE(one.compatible(other));
  one.merge(other);
  CHECK(one.rows() == 3);
  CHECK(one.weight() == 6.0);
  const RowBlock all = one.view();
  for (std::size_t r = 0; r < 3; ++r) { CHECK(all.numeric[r] == 1.0 + static_cast<double>(r)); }
  CHECK(all.weight(0) == 4.0);  // rows without weights among rows with them weigh 1
  CHECK(all.weight(2) == 1.0);
}

TEST_CASE("recoding training rows changes labels and levels and nothing else") {
  TrainingRows rows;
  add(rows, {.number = 5.0, .code = 1, .label = 0, .weight = 1.0}, 0, false);
  Recoding recoding;
  recoding.shape = {.classes = 3, .numeric = 1, .levels = {3}};
  recoding.labels = {2, 0};
  recoding.levels = {{0, 2}};
  rows.recode(recoding);
  const RowBlock all = rows.view();
  CHECK(all.labels[0] == 2);
  CHECK(all.codes[0][0] == 2);
  CHECK(all.numeric[0] == 5.0);
  CHECK(all.weights == nullptr);
}
