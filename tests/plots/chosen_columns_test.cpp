#include "plots/chosen_columns.hpp"

#include <doctest/doctest.h>

#include "logodds/error.hpp"

namespace logodds::plots {

TEST_CASE("columns are found by their names, in the order of the list") {
  const std::vector<std::string> names{"a", "b,c", "d"};
  CHECK(listed_columns("d,b\\,c", names, "columns of numbers") == std::vector<std::size_t>{2, 1});
  CHECK_THROWS_WITH_AS(static_cast<void>(listed_columns("a,a", names, "columns of numbers")),
                       "option --columns names 'a' twice", Error);
  CHECK_THROWS_AS(static_cast<void>(listed_columns("e", names, "columns of numbers")), Error);
}

TEST_CASE("a list of names is cut where it is long") {
  CHECK(some_names({"a"}) == "a");
  CHECK(some_names({"a", "b"}) == "a and b");
  CHECK(some_names({"a", "b", "c", "d", "e"}) == "a, b, c, d and e");
  CHECK(some_names({"a", "b", "c", "d", "e", "f"}) == "a, b, c, d and 2 others");
}

}  // namespace logodds::plots
