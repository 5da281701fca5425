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

namespace {

/// `count` rows whose first has this number in its source; every second one was dropped if asked.
void add_numbered(TrainingRows& rows, std::size_t ordinal, std::size_t first, std::size_t count,
                  bool dropped) {
  const std::vector<double> numbers(count, 1.0);
  const std::vector<std::int32_t> labels(count, 0);
  std::vector<std::size_t> places;
  for (std::size_t r = 0; r < count; ++r) { places.push_back(first + 2 * r); }
  rows.add({.ordinal = ordinal,
            .first_row = first,
            .rows = count,
            .numeric = numbers.data(),
            .numeric_columns = 1,
            .numeric_stride = 1,
            .codes = {},
            .labels = labels.data(),
            .row_numbers = dropped ? places.data() : nullptr},
           {.classes = 1, .numeric = 1, .levels = {}});
}

using Numbers = std::vector<std::size_t>;

}  // namespace

TEST_CASE("training rows know their numbers in the source") {
  TrainingRows in_turn;
  add_numbered(in_turn, 1, 3, 2, false);
  add_numbered(in_turn, 0, 0, 3, false);
  TrainingRows sorted;
  sorted.merge(in_turn);
  CHECK(sorted.numbers().empty());

  TrainingRows gaps;
  add_numbered(gaps, 0, 0, 2, true);
  add_numbered(gaps, 1, 4, 2, false);
  CHECK(gaps.numbers() == Numbers{0, 2, 4, 5});
  gaps.keep_rows({1, 3});
  CHECK(gaps.numbers() == Numbers{2, 5});
  CHECK(gaps.rows() == 2);
}

TEST_CASE("rows that join a finished statistic count on from its last") {
  TrainingRows model;
  add_numbered(model, 0, 0, 3, true);
  CHECK(model.numbers() == Numbers{0, 2, 4});
  TrainingRows more;
  add_numbered(more, 0, 0, 2, false);
  model.merge(more);
  CHECK(model.numbers() == Numbers{0, 2, 4, 5, 6});
  TrainingRows again = model;
  again.merge(model);
  CHECK(again.numbers() == Numbers{0, 2, 4, 5, 6, 7, 9, 11, 12, 13});
}

TEST_CASE("rows that are left with their owner can be copied later, and joined by more") {
  std::vector<double> numbers{1.0, 2.0, 0.0, 3.0, 4.0, 0.0};  // two columns of three
  const std::vector<std::int32_t> labels{0, 1};
  const Shape shape{.classes = 2, .numeric = 2, .levels = {}};
  const auto block = [&](const double* first, std::size_t rows, std::size_t ordinal) {
    return RowBlock{.ordinal = ordinal,
                    .first_row = ordinal,
                    .rows = rows,
                    .numeric = first,
                    .numeric_columns = 2,
                    .numeric_stride = 3,
                    .codes = {},
                    .labels = labels.data(),
                    .lasting = true};
  };
  TrainingRows rows;
  rows.keep_places();
  rows.add(block(numbers.data(), 2, 0), shape);
  CHECK(rows.view().numeric == numbers.data());
  rows.own(2);
  TrainingRows copy = rows;
  TrainingRows more;
  more.keep_places();
  more.add(block(numbers.data() + 3, 1, 2), shape);
  copy.merge(more);
  const RowBlock joined = copy.view();
  numbers.assign(numbers.size(), 9.0);
  const RowBlock owned = rows.view();
  CHECK(owned.numeric_stride == 2);
  CHECK(std::vector<double>(owned.numeric, owned.numeric + 4) ==
        std::vector<double>{1.0, 2.0, 3.0, 4.0});
  CHECK(joined.rows == 3);
  CHECK(std::vector<double>(joined.numeric, joined.numeric + 6) ==
        std::vector<double>{1.0, 2.0, 3.0, 4.0, 3.0, 4.0});
}
