#include <doctest/doctest.h>

#include <string>

#include "csv_table.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

Schema schema_of(std::string_view text, const CsvOptions& options = {}) {
  const auto source = open_csv_bytes(text, "t.csv", options);
  return discover_schema(*source);
}

std::string schema_error(std::string_view text, const CsvOptions& options = {}) {
  try {
    (void)schema_of(text, options);
  } catch (const Error& error) { return error.what(); }
  return "no error";
}

}  // namespace

TEST_CASE("kinds are inferred from all values") {
  const Schema schema =
      schema_of("r,b,n,w,c,y\n1.5,0,3,yes,red,no\n-2,1,0,no,green,10\n,,,,,9\n2,1,7,yes,blue,no\n",
                {.target = "y"});
  REQUIRE(schema.columns.size() == 5);
  CHECK(schema.columns[0] == Column{"r", ColumnKind::real, {}});
  CHECK(schema.columns[1] == Column{"b", ColumnKind::binary, {}});
  CHECK(schema.columns[2] == Column{"n", ColumnKind::count, {}});
  CHECK(schema.columns[3] == Column{"w", ColumnKind::binary, {"no", "yes"}});
  CHECK(schema.columns[4] == Column{"c", ColumnKind::categorical, {"blue", "green", "red"}});
  CHECK(schema.target == "y");
  CHECK(schema.labels == std::vector<std::string>{"9", "10", "no"});
}

TEST_CASE("kinds that the user names win, and are checked") {
  const auto text = "a,b,c,d\n0,1,2,x\n1,5,3,y\n";
  const Schema schema = schema_of(text, {.kinds = {{"a", ColumnKind::real},
                                                   {"b", ColumnKind::categorical},
                                                   {"c", ColumnKind::binary},
                                                   {"4", ColumnKind::text}}});
  CHECK(schema.columns[0] == Column{"a", ColumnKind::real, {}});
  CHECK(schema.columns[1] == Column{"b", ColumnKind::categorical, {"1", "5"}});
  CHECK(schema.columns[2] == Column{"c", ColumnKind::binary, {"2", "3"}});
  CHECK(schema.columns[3] == Column{"d", ColumnKind::text, {}});
  CHECK(schema_error("a\nx\ny\nz\n", {.kinds = {{"a", ColumnKind::binary}}}) ==
        "t.csv, column 'a': has 3 different values ('x', 'y', 'z', ...), so it is not binary; use "
        "--kinds a=categorical");
}

TEST_CASE("a binary column of 0 and 1 stays numbers, and becomes levels when a third value comes") {
  CHECK(schema_of("a\n0\n1\n", {.kinds = {{"a", ColumnKind::binary}}}).columns[0].levels.empty());
  std::string text = "a\n";
  for (int i = 0; i < 2000; ++i) { text += "1\n"; }
  const auto two = schema_of(text + "2\n", {.kinds = {{"a", ColumnKind::binary}}});
  CHECK(two.columns[0] == Column{"a", ColumnKind::binary, {"1", "2"}});
  const auto three = schema_error(text + "2\n0\n", {.kinds = {{"a", ColumnKind::binary}}});
  CHECK(three.find("has 3 different values") != std::string::npos);
}

TEST_CASE("a column without any value is refused by name, with the cure") {
  CHECK(schema_error("a,b\n1,\n2,NA\n") ==
        "t.csv, column 'b': every value is missing; leave the column out with --ignore b");
  CHECK(schema_error("a,b\n1,\n2,?\n", {.kinds = {{"b", ColumnKind::categorical}}}) ==
        "t.csv, column 'b': every value is missing; leave the column out with --ignore b");
}

TEST_CASE("a column that a trailing comma makes is refused by the name it was given") {
  CHECK(schema_error("a,b,\n1,2,\n3,4,\n") ==
        "t.csv, column 'x3': every value is missing; leave the column out with --ignore x3");
  CHECK(schema_error("a,b,,c\n1,2,,\n3,4,NA,\n") ==
        "t.csv, columns 'x3', 'c': every value is missing; leave the columns out with --ignore "
        "x3,c");
}
