#include <doctest/doctest.h>

#include <string>

#include "data/csv_splitter.hpp"

using namespace logodds::csv;

TEST_CASE("rows are counted outside quotes, blank lines only when they are values") {
  const std::string text = "a,\"x\ny\"\n\n\r\nb,\"\"\"\n\"\nc\n";
  RowScanner scanner({.most_rows = 10});
  CHECK(scanner.scan(text, true));
  CHECK(scanner.rows() == 3);
  CHECK(scanner.lines() == 7);
  CHECK(scanner.bytes() == text.size());
  RowScanner single({.most_rows = 10, .blank_lines_are_rows = true});
  CHECK(single.scan(text, true));
  CHECK(single.rows() == 5);
}

TEST_CASE("a scan stops behind the last row wanted") {
  RowScanner scanner({.most_rows = 2});
  CHECK(scanner.scan("a\n\nb\nc\n", false));
  CHECK(scanner.rows() == 2);
  CHECK(scanner.bytes() == 5);
}

TEST_CASE("text that grows byte by byte gives the same rows") {
  const std::string text = "a,\"x\n\"\"y\",1\r\n\n\"\n\n\",2\r\nlast";
  RowScanner whole({.most_rows = 10});
  CHECK(whole.scan(text, true));
  RowScanner pieces({.most_rows = 10});
  for (std::size_t bytes = 0; bytes <= text.size(); ++bytes) {
    CHECK_FALSE(pieces.scan(std::string_view(text).substr(0, bytes), false));
  }
  CHECK(pieces.scan(text, true));
  CHECK(pieces.rows() == whole.rows());
  CHECK(pieces.rows() == 3);
  CHECK(pieces.lines() == whole.lines());
  CHECK(pieces.bytes() == text.size());
}

TEST_CASE("a quote that is never closed takes the rest, for the parser to complain about") {
  RowScanner scanner({.most_rows = 10});
  CHECK(scanner.scan("a\n\"b\nc\nd\n", true));
  CHECK(scanner.rows() == 2);
  CHECK(scanner.lines() == 5);
}

TEST_CASE("a scan stops behind the row that brings it to the bytes wanted") {
  const std::string text = "\n\nab\ncd\nef\n";
  RowScanner scanner({.most_rows = 10, .most_bytes = 6});
  CHECK(scanner.scan(text, false));
  CHECK(scanner.rows() == 2);
  CHECK(scanner.bytes() == 8);
  RowScanner blank({.most_rows = 10, .most_bytes = 1});  // blank lines make no block
  CHECK(blank.scan(text, false));
  CHECK(blank.rows() == 1);
  CHECK(blank.bytes() == 5);
  RowScanner pieces({.most_rows = 10, .most_bytes = 6});
  for (std::size_t bytes = 0; bytes < 8; ++bytes) {
    CHECK_FALSE(pieces.scan(std::string_view(text).substr(0, bytes), false));
  }
  CHECK(pieces.scan(text, false));
  CHECK(pieces.bytes() == 8);
}

TEST_CASE("where quotes are characters, every line is a row") {
  RowScanner scanner({.most_rows = 10, .quotes = false});
  CHECK(scanner.scan("a\"b\nc\n\"\n", true));
  CHECK(scanner.rows() == 3);
  CHECK(scanner.lines() == 3);
}

TEST_CASE("lines inside quotes are counted, however many there are") {
  std::string text = "\"";
  for (int i = 0; i < 1000; ++i) { text += i % 3 == 0 ? "\n" : "\n\n some text"; }
  RowScanner scanner({.most_rows = 10});
  CHECK(scanner.scan(text + "\"\n", true));
  CHECK(scanner.rows() == 1);
  CHECK(scanner.lines() == 334 + 666 * 2 + 1);
}
