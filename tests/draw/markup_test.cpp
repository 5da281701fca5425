#include "logodds/draw/markup.hpp"

#include <doctest/doctest.h>

using namespace logodds::draw;

TEST_CASE("markup in text is text") {
  CHECK(escaped("<a href=\"x\">R&D's</a>") == "&lt;a href=&quot;x&quot;&gt;R&amp;D's&lt;/a&gt;");
  CHECK(escaped("\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x90\xA7") == "\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x90\xA7");
  CHECK(escaped("two\nlines\tand") == "two\nlines\tand");
}

TEST_CASE("what XML does not hold is replaced") {
  const std::string replaced = "\xEF\xBF\xBD";
  CHECK(escaped(std::string("a\0b\x01\x1b\x7f", 6)) == "a b   ");
  CHECK(escaped("\xFF") == replaced);
  CHECK(escaped("\xC3") == replaced);                         // cut short
  CHECK(escaped("\xC0\xAF") == replaced + replaced);          // overlong
  CHECK(escaped("\xED\xA0\x80x").ends_with(replaced + "x"));  // a surrogate
  CHECK(escaped("\xEF\xBF\xBE\xEF\xBF\xBF") == replaced + replaced);
}

TEST_CASE("base 64: the vectors of RFC 4648") {
  CHECK(base64("").empty());
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("foob") == "Zm9vYg==");
  CHECK(base64("fooba") == "Zm9vYmE=");
  CHECK(base64("foobar") == "Zm9vYmFy");
  CHECK(base64(std::string("\xFF\xFE\x00", 3)) == "//4A");
}
