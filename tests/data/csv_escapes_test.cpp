// Tables without quotes, as --format tsv has them: backslash escapes instead.
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "csv_table.hpp"

using namespace logodds;
using namespace logodds::test;
using namespace std::string_literals;

namespace {

CsvOptions tsv(CsvOptions options = {}) {
  options.quotes = false;
  options.escapes = true;
  return options;
}

const CsvOptions kBodies = tsv({.target = "y", .kinds = {{"body", ColumnKind::text}}});
using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("tsv: a quote is a character, and tabs separate fields whatever the file is called") {
  const Table table = read_text("y\tbo\"dy\na\"\tsay \"hi\"\n\"\t, ; |\n",
                                tsv({.target = "y", .kinds = {{"2", ColumnKind::text}}}));
  CHECK(table.documents[0] == Texts{"say \"hi\"", ", ; |"});
  CHECK(table.labels == Texts{"a\"", "\""});
  const auto source = open_csv_bytes("x;y\n1;2\n", "t.csv", tsv({.delimiter = ';'}));
  CHECK(source->columns().size() == 2);
  CHECK(source->notes().empty());
}

TEST_CASE("tsv: escapes are undone in documents, levels, labels and names") {
  const std::string text =
      "y\tbody\tlevel\tna\\tme\n"
      "a\\tb\tone\\ntwo\\\\n\\q\\\tp\\\\q\t1\n"
      "c\tNUL \\0 and \\r\\\\\tplain\t2\n"
      "c\t\\\\\\\\t\tplain\t3\n";
  const auto source = open_csv_bytes(text, "t.csv", kBodies);
  CHECK(source->columns()[2].name == "na\tme");
  const Table table = read_all(*source);
  CHECK(table.documents[0] == Texts{"one\ntwo\\n\\q\\", "NUL \0 and \r\\"s, "\\\\t"});
  CHECK(table.labels == Texts{"a\tb", "c", "c"});
  CHECK(table.words[0][0] == "p\\q");
  CHECK(table.words[0][1] == "plain");
  CHECK(table.numbers[0] == std::vector<double>{1, 2, 3});
}

TEST_CASE("tsv: without escapes a backslash is itself") {
  CsvOptions options = kBodies;
  options.escapes = false;
  const std::string text = "y\tbody\na\tone\\ntwo\\\\\n";
  const auto source = open_csv_bytes(text, "t.csv", options);
  RowBuffer buffer;
  REQUIRE(source->take(buffer));
  source->parse(buffer);
  CHECK(buffer.texts[0][0] == "one\\ntwo\\\\");
  CHECK(buffer.texts[0][0].data() == text.data() + 9);
}

TEST_CASE("tsv: the return of a line end goes, other returns stay") {
  const Table table = read_text("y\tbody\r\na\tone\rtwo\r\nb\tthree\r\nc\t\r\nd\tlast\r", kBodies);
  CHECK(table.documents[0] == Texts{"one\rtwo", "three", "", "last"});
  CHECK(table.labels == Texts{"a", "b", "c", "d"});
}

TEST_CASE("tsv: quotes never join lines") {
  const Table table = read_text("y\tbody\na\t\"open\nb\tnext\"\nc\t\"\"\"\n", kBodies);
  CHECK(table.documents[0] == Texts{"\"open", "next\"", "\"\"\""});
  CHECK(error_of("y\tbody\na\t\"one\nb\n", kBodies).starts_with("t.csv, line 3: 1 field, but"));
}

TEST_CASE("tsv: random documents come back as they were written") {
  std::mt19937 random(3);
  const Texts pieces{"a", " b", "\t", "\n", "\r", "\\", "\"", "\0"s, "n", "t", "0", "\\n"};
  std::string text = "y\tbody\n";
  Texts bodies;
  for (int r = 0; r < 3000; ++r) {
    std::string body;
    for (std::size_t left = random() % 60; left > 0; --left) {
      body += pieces[random() % pieces.size()];
    }
    bodies.push_back(body);
    text += "a\t";
    for (const char c : body) {
      text += c == '\\'   ? "\\\\"s
              : c == '\t' ? "\\t"s
              : c == '\n' ? "\\n"s
              : c == '\r' ? "\\r"s
              : c == '\0' ? "\\0"s
                          : std::string(1, c);
    }
    text += "\n";
  }
  CHECK(read_text(text, kBodies).documents[0] == bodies);
}

TEST_CASE("tsv: labels that are wrong still name line and column") {
  CHECK(error_of("y\tbody\n\"a\tone\n\xFF\ttwo\n", kBodies)
            .starts_with("t.csv, line 3, column 'y': '\\xff' is not valid UTF-8"));
  CHECK(error_of("y\tbody\n\"a\tone\n\ttwo\n", kBodies)
            .starts_with("t.csv, line 3, column 'y': the row has no label"));
}
