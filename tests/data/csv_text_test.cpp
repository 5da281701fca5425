#include <doctest/doctest.h>

#include <string>

#include "data/csv_text.hpp"

using namespace logodds::csv;

TEST_CASE("UTF-8 is valid as RFC 3629 says") {
  for (const auto* const text : {"", "abc", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x8E",
                                 "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF"}) {
    CHECK(valid_utf8(text));
  }
  for (const auto* const text :
       {"\x80", "\xC3", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xE2\x82", "\xE2\x28\xA1", "a\xFF"}) {
    CHECK_FALSE(valid_utf8(text));
  }
}

TEST_CASE("trimming spares the delimiter") {
  CHECK(trimmed(" \tx y\t ", ',') == "x y");
  CHECK(trimmed(" \tx\t ", '\t') == "\tx\t");
  CHECK(trimmed("   ", ',').empty());
}

TEST_CASE("shown values are one short line of valid text") {
  CHECK(shown("abc") == "'abc'");
  CHECK(shown("a\nb\xFF") == "'a\\x0ab\\xff'");
  CHECK(shown(std::string(50, 'x')) == "'" + std::string(40, 'x') + "...'");
  CHECK(shown(std::string(39, 'x') + "\xC3\xA9") == "'" + std::string(39, 'x') + "...'");
}

TEST_CASE("long lists of names are cut") {
  CHECK(name_list({"a", "b", "c"}, 3) == "a, b, c");
  CHECK(name_list({"a", "b", "c"}, 1) == "a and 2 more");
}
