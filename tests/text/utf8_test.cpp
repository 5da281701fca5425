#include "logodds/text/utf8.hpp"

#include <doctest/doctest.h>

namespace logodds::text {

TEST_CASE("the beginning of a text ends before a character") {
  CHECK(beginning("", 3).empty());
  CHECK(beginning("abc", 3) == "abc");
  CHECK(beginning("abcd", 3) == "abc\u2026");
  CHECK(beginning("a\u00e9\u00e9", 3) == "a\u00e9\u2026");
  CHECK(beginning("a\u00e9\u00e9", 4) == "a\u00e9\u2026");
  CHECK(beginning("\U0001F427\U0001F427", 7) == "\U0001F427\u2026");
}

}  // namespace logodds::text
