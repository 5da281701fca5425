#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "logodds/data/row_block.hpp"

using namespace logodds;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

RowBuffer three_rows() {
  RowBuffer buffer;
  buffer.first_row = 100;
  buffer.rows = 3;
  buffer.numeric = {1, 2, 3, kNan, 5, 6};
  buffer.numeric_data = buffer.numeric.data();
  buffer.numeric_columns = buffer.numeric_stride = 2;
  buffer.codes = {{0, 1, kMissingCode}};
  buffer.labels = {7, 8, 9};
  buffer.weights = {0.5, 1.5, 2.5};
  return buffer;
}

ColumnFacts facts_with_word(std::size_t row) {
  ColumnFacts facts;
  facts.not_number = ColumnFacts::NotNumber{row, "w"};
  return facts;
}

}  // namespace

TEST_CASE("a view points into its buffer") {
  RowBuffer buffer = three_rows();
  const RowBlock block = buffer.view();
  CHECK(block.rows == 3);
  CHECK(block.first_row == 100);
  CHECK(block.numeric[2 * block.numeric_stride + 1] == 6);
  REQUIRE(block.codes.size() == 1);
  CHECK(block.codes[0][1] == 1);
  CHECK(block.labels[2] == 9);
  CHECK(block.weights[0] == 0.5);
}

TEST_CASE("rows without labels and weights show none") {
  RowBuffer buffer = three_rows();
  buffer.labels.clear();
  buffer.weights.clear();
  CHECK(buffer.view().labels == nullptr);
  CHECK(buffer.view().weights == nullptr);
}

TEST_CASE("incomplete rows are found among numbers and codes, and dropped everywhere") {
  RowBuffer buffer = three_rows();
  const auto flags = buffer.incomplete_rows();
  CHECK(flags == std::vector<std::uint8_t>{0, 1, 1});
  buffer.drop_rows({1, 1, 0});
  CHECK(buffer.rows == 1);
  CHECK(buffer.view().numeric[0] == 5);
  CHECK(buffer.codes[0] == std::vector<std::int32_t>{kMissingCode});
  CHECK(buffer.labels == std::vector<std::int32_t>{9});
  CHECK(buffer.weights == std::vector<double>{2.5});
  CHECK(buffer.row_numbers == std::vector<std::size_t>{102});
  buffer.drop_rows({0});
  CHECK(buffer.row_numbers == std::vector<std::size_t>{102});
}

TEST_CASE("complete rows give no flags") {
  RowBuffer buffer = three_rows();
  buffer.numeric[3] = 4;
  buffer.codes[0][2] = 0;
  CHECK(buffer.incomplete_rows().empty());
  buffer.drop_rows({});
  CHECK(buffer.rows == 3);
  CHECK(buffer.row_numbers.empty());
}

TEST_CASE("missing values are filled in flagged rows only") {
  RowBuffer buffer = three_rows();
  buffer.fill_missing({0, 1, 0});
  CHECK(buffer.numeric[3] == 0);
  CHECK(buffer.codes[0][2] == kMissingCode);
  buffer.fill_missing({0, 0, 1});
  CHECK(buffer.codes[0][2] == 0);
}

TEST_CASE("the caller's numbers are copied before they would be changed") {
  const std::vector<double> given{1, 2, -1, kNan, 4, -1, 5, 6, -1};  // stride 3, two columns
  RowBuffer buffer;
  buffer.rows = 3;
  buffer.numeric_data = given.data();
  buffer.numeric_columns = 2;
  buffer.numeric_stride = 3;
  SUBCASE("dropping") {
    buffer.drop_rows(buffer.incomplete_rows());
    const RowBlock block = buffer.view();
    CHECK(block.rows == 2);
    CHECK(block.numeric[block.numeric_stride + 1] == 6);
  }
  SUBCASE("filling") {
    buffer.fill_missing(buffer.incomplete_rows());
    CHECK(buffer.view().numeric[buffer.numeric_stride] == 0);
  }
  CHECK(std::isnan(given[3]));
}

TEST_CASE("facts merge: every claim must hold in both, and the first word is kept") {
  ColumnFacts left = facts_with_word(9);
  left.missing = 2;
  left.zero_one = false;
  ColumnFacts right = facts_with_word(4);
  right.missing = 3;
  right.any_value = true;
  left.merge(right);
  CHECK(left.missing == 5);
  CHECK(left.any_value);
  CHECK_FALSE(left.zero_one);
  CHECK(left.counts);
  CHECK(left.not_number->row == 4);
  left.merge(facts_with_word(7));
  CHECK(left.not_number->row == 4);
}

TEST_CASE("facts tell zeros and ones, counts and other numbers apart") {
  const auto facts_of = [](const std::vector<double>& values) {
    ColumnFacts facts;
    for (const double value : values) { facts.add(value); }
    return facts;
  };
  CHECK_FALSE(facts_of({}).any_value);
  const ColumnFacts zeros = facts_of({0, 1, -0.0});
  CHECK(zeros.any_value);
  CHECK(zeros.zero_one);
  CHECK(zeros.counts);
  const ColumnFacts counts = facts_of({0, 7, 1});
  CHECK_FALSE(counts.zero_one);
  CHECK(counts.counts);
  for (const auto& values : {std::vector<double>{1, 0.5, 1}, {-1, 0, 1}, {0.5}}) {
    const ColumnFacts real = facts_of(values);
    CHECK(real.any_value);
    CHECK_FALSE(real.zero_one);
    CHECK_FALSE(real.counts);
  }
}
