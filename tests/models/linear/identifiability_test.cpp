#include "models/linear/identifiability.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace logodds;
using models::linear::identify;
using models::linear::identify_constants;
using models::linear::RowsView;

namespace {

RowsView view_of(const std::vector<double>& values, std::size_t columns) {
  const std::size_t rows = values.size() / columns;
  return {.x = {values.data(), rows, columns, columns}, .rows = rows, .columns = columns};
}

/// a, 7, b, 2 a - b + 3, a + 1e-6 c: the last is nearly, but not, collinear.
std::vector<double> made_rows() {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::vector<double> rows;
  for (int r = 0; r < 3000; ++r) {
    const double a = 1e3 + normal(random);
    const double b = 1e-3 * normal(random);
    rows.insert(rows.end(), {a, 7.0, b, 2.0 * a - b + 3.0, a + 1e-6 * normal(random)});
  }
  return rows;
}

}  // namespace

TEST_CASE("identifiability: constant columns and combinations are found, near ones are not") {
  const auto rows = made_rows();
  const auto found = identify(view_of(rows, 5), true);
  CHECK(found.constant == std::vector<bool>{false, true, false, false, false});
  CHECK(found.kept == std::vector<std::size_t>{0, 2, 4});
  REQUIRE(found.relations.size() == 1);
  CHECK(found.relations[0].column == 3);
  CHECK(found.relations[0].others == std::vector<std::size_t>{0, 2});
  CHECK(found.relations[0].constant);
  CHECK(found.involved() == std::vector<bool>{true, true, true, true, false, true});
}

TEST_CASE("identifiability: without an intercept a constant is a column like others") {
  std::vector<double> rows;
  for (int r = 0; r < 50; ++r) {
    const double x = std::sin(r);
    rows.insert(rows.end(), {x, 7.0, x + 14.0, 0.0});
  }
  const auto found = identify(view_of(rows, 4), false);
  CHECK(found.constant == std::vector<bool>{false, false, false, true});
  REQUIRE(found.relations.size() == 1);
  CHECK(found.relations[0].others == std::vector<std::size_t>{0, 1});
  CHECK_FALSE(found.relations[0].constant);
}

TEST_CASE("identifiability: of sparse rows the columns that hold nothing are constant") {
  const std::vector<std::size_t> starts{0, 1, 3, 3};
  const std::vector<std::uint32_t> indices{0, 0, 2};
  const std::vector<double> values{1.0, 2.0, 5.0};
  const RowsView rows{
      .sparse = {starts.data(), indices.data(), values.data()}, .rows = 3, .columns = 4};
  CHECK(identify_constants(rows, true).constant == std::vector<bool>{false, true, false, true});
  CHECK(identify(rows, true).constant == std::vector<bool>{false, true, false, true});
}

TEST_CASE("identifiability: the notes name columns, of many the first") {
  const auto rows = made_rows();
  const auto found = identify(view_of(rows, 5), true);
  const std::vector<std::string> names{"a", "seven", "b", "sum", "near"};
  const auto notes = models::linear::identifiability_notes(found, names, true);
  REQUIRE(notes.size() == 2);
  CHECK(notes[0].find("'seven' is constant") != std::string::npos);
  CHECK(notes[1].find("'sum' is collinear: a linear combination of 'a' and 'b' and a constant") !=
        std::string::npos);
  CHECK(models::linear::identifiability_notes(found, names, false).size() == 1);
  CHECK(models::linear::quoted_names({"a", "b", "c", "d", "e", "f", "g"}, {0, 1, 2, 3, 4, 5, 6}) ==
        "'a', 'b', 'c', 'd', 'e' and 2 more");
}
