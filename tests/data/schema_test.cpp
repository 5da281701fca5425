#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "logodds/data/schema.hpp"
#include "logodds/error.hpp"

using namespace logodds;

TEST_CASE("kinds have names, and an unknown one is answered with the list") {
  for (const auto kind : {ColumnKind::real, ColumnKind::binary, ColumnKind::categorical,
                          ColumnKind::count, ColumnKind::text, ColumnKind::ignore}) {
    CHECK(parse_column_kind(to_string(kind)) == kind);
  }
  try {
    (void)parse_column_kind("reel");
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::usage);
    CHECK(std::string(error.what()) ==
          "'reel' is no column kind; the kinds are real, binary, categorical, count, text, ignore");
  }
  CHECK_THROWS_WITH_AS((void)parse_column_kind(""), doctest::Contains("'' is no column kind"),
                       Error);
}

TEST_CASE("label order: numbers by value, then strings by bytes, and total") {
  std::vector<std::string> labels{"b", "10", "9", "a", "1.0", "1", "-3", "B", "1e1", "", "nan"};
  std::ranges::sort(labels, label_less);
  CHECK(labels ==
        std::vector<std::string>{"-3", "1", "1.0", "9", "10", "1e1", "", "B", "a", "b", "nan"});
  for (const auto& a : labels) {
    for (const auto& b : labels) { CHECK((label_less(a, b) || label_less(b, a)) == (a != b)); }
  }
}

TEST_CASE("parse_number takes finite decimals from end to end") {
  CHECK(parse_number("3") == 3.0);
  CHECK(parse_number("-1.5e3") == -1500.0);
  CHECK(parse_number("+2") == 2.0);
  CHECK(parse_number(".5") == 0.5);
  CHECK(parse_number("5.") == 5.0);
  CHECK(parse_number("1e-400") == 0.0);
  for (const auto* const token : {"", " 1", "1 ", "1x", "inf", "-inf", "nan", "0x10", "1e999",
                                  "+-1", "++1", "1,5", "-", "+", ".", "e5"}) {
    CAPTURE(token);
    CHECK_FALSE(parse_number(token).has_value());
  }
}

TEST_CASE("format_number is short and reads back as the same double") {
  CHECK(format_number(0.1) == "0.1");
  CHECK(format_number(17) == "17");
  CHECK(format_number(1e300) == "1e+300");
  for (const double value :
       {1.0 / 3, -2.5e-310, 123456789.125, std::numeric_limits<double>::max(), -0.0}) {
    CHECK(parse_number(format_number(value)) == value);
  }
}

TEST_CASE("a schema counts its columns of numbers and its coded columns") {
  Schema schema;
  schema.columns = {{"a", ColumnKind::real, {}},
                    {"b", ColumnKind::categorical, {"x", "y"}},
                    {"c", ColumnKind::binary, {}}};
  CHECK(schema.numeric_count() == 2);
  CHECK(schema.coded_count() == 1);
}
