#include "stats/sub_block.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace logodds;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Three rows of two numbers (in a stride of three) and one coded column; the second row lacks x1
/// and its level, the third nothing.
struct Rows {
  std::vector<double> numbers{1, 2, 99, kNone, 4, 99, 5, 6, 99};
  std::vector<std::int32_t> levels{kMissingCode, kMissingCode, 1};
  std::vector<std::int32_t> labels{0, 1, 1};
  std::vector<double> weights{0.5, 1.5, 2.5};
  std::vector<const std::int32_t*> pointers{levels.data()};

  [[nodiscard]] RowBlock block() const {
    return {.rows = 3,
            .numeric = numbers.data(),
            .numeric_columns = 2,
            .numeric_stride = 3,
            .codes = pointers,
            .labels = labels.data(),
            .weights = weights.data()};
  }
};

}  // namespace

TEST_CASE("sub-block: patterns say which values a row has, numbers first") {
  const Rows rows;
  CHECK(pattern_of(rows.block(), 0) == "110");
  CHECK(pattern_of(rows.block(), 1) == "010");
  CHECK(pattern_of(rows.block(), 2) == "111");
  CHECK(incomplete_rows(rows.block()) == std::vector<std::uint8_t>{1, 1, 0});
}

TEST_CASE("sub-block: rows that lack nothing need no flags") {
  Rows rows;
  rows.levels = {0, 0, 1};
  rows.numbers[3] = 3.0;
  CHECK(incomplete_rows(rows.block()).empty());
}

TEST_CASE("sub-block: the columns of a pattern, of some rows, with labels and weights") {
  const Rows rows;
  const std::vector<std::size_t> members{1, 2};
  const SubBlock part(rows.block(), "010", members);
  const RowBlock view = part.view();
  REQUIRE(view.rows == 2);
  CHECK(view.numeric_columns == 1);
  CHECK(view.codes.empty());
  CHECK(view.numeric[0] == 4.0);
  CHECK(view.numeric[1] == 6.0);
  CHECK(view.labels[1] == 1);
  CHECK(view.weight(0) == 1.5);
}

TEST_CASE("sub-block: complete rows keep all their columns") {
  const Rows rows;
  const auto flags = incomplete_rows(rows.block());
  const SubBlock part = complete_rows(rows.block(), flags);
  const RowBlock view = part.view();
  REQUIRE(view.rows == 1);
  CHECK(view.numeric_columns == 2);
  CHECK(view.numeric[0] == 5.0);
  CHECK(view.numeric[1] == 6.0);
  CHECK(view.codes[0][0] == 1);
  CHECK(view.weight(0) == 2.5);
}
