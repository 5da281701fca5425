// Every refusal names file, line, column and value, and says what to do.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "csv_table.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

CsvOptions kind(const std::string& name, ColumnKind given) { return {.kinds = {{name, given}}}; }

bool contains(const std::string& text, std::string_view part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) { MESSAGE(text); }
  return found;
}

}  // namespace

TEST_CASE("ragged rows") {
  CHECK(
      error_of("a,b,c\n1,2,3\n1,2\n") ==
      "t.csv, line 3: 2 fields, but the header has 3; add or remove fields, or quote a field that "
      "contains the delimiter");
  CHECK(contains(error_of("a,b\n1,2,3\n"), "t.csv, line 2: 3 fields, but the header has 2"));
  CHECK(contains(error_of("1,2\n1\n", {.header = false}), "1 field, but the first line has 2"));
  CHECK(contains(error_of("a,b,w\n1,2,0\n1,2,0,4\n", {.weights = "w"}), "line 3: 4 fields"));
}

TEST_CASE("quotes") {
  CHECK(
      error_of("a,b\n1,x\"y\n") ==
      "t.csv, line 2, column 'b': a quote stands inside a field that does not begin with one; put "
      "the whole field in quotes and double the quotes in it");
  CHECK(contains(error_of("a,b\n1,\"x\" y\n"), "text follows a closing quote"));
  CHECK(contains(error_of("a,b\n\"p\nq\",1\n2,\"open\n3,4\n5,6\n"),
                 "t.csv, line 4, column 'b': a quote is opened here and never closed"));
  CHECK(contains(error_of("a,\"b\n1,2\n"), "line 1, column 2: a quote is opened"));
}

TEST_CASE("old Mac line ends") {
  CHECK(contains(error_of("a,b\r1,2\r3,4\r"), "line 1, column 2: a carriage return stands alone"));
  CHECK(contains(error_of("a,b\n1,x\ry\n"), "line 2, column 'b': a carriage return stands alone"));
}

TEST_CASE("encodings") {
  using namespace std::string_literals;
  CHECK(contains(error_of("\xFF\xFE"s + "a\0,\0b\0"s), "iconv -f UTF-16 -t UTF-8"));
  CHECK(error_of("a\0,\0b\0\n\0"s) ==
        "t.csv, line 1, column 1: the text holds a NUL byte; if the text is UTF-16, convert it "
        "with iconv -f UTF-16LE -t UTF-8");
  CHECK(contains(error_of("a,b\n1,2\n\"3,\",4\0\n"s), "t.csv, line 3, column 2: the text holds a"));
  CHECK(contains(error_of("\xEF\xBB\xBF"
                          "a;b\n1;\0\n"s),
                 "t.csv, line 2, column 2: the text"));
  CHECK(error_of("a,b\n1,caf\xE9\n") ==
        "t.csv, line 2, column 'b': 'caf\\xe9' is not valid UTF-8; if the text is Latin-1, convert "
        "it with iconv -f LATIN1 -t UTF-8");
  CHECK(contains(error_of("a,caf\xE9\n1,2\n"), "t.csv, line 1, column 2: the name 'caf\\xe9'"));
  CHECK(contains(error_of("a,y\n1,\xC3\n", {.target = "y"}), "is not valid UTF-8"));
  CHECK(error_of("a,b\n1,caf\xC3\xA9\n") == "no error");
}

TEST_CASE("a model file is no table") {
  using namespace std::string_literals;
  CHECK(error_of("\x40\0\0\0\0\0\0\0{\"__metadata__\":{\"format\":\"logodds\"}}"s) ==
        "t.csv: this is a model file, not a table; give a CSV file as the data");
}

TEST_CASE("values in messages are cut at 40 bytes, between characters") {
  std::string value;
  for (int i = 0; i < 30; ++i) { value += "\xC3\xA9"; }
  const auto sentence = error_of("a\nx" + value + "\n", kind("a", ColumnKind::real));
  std::string forty = "x";
  for (int i = 0; i < 19; ++i) { forty += "\xC3\xA9"; }
  CHECK(contains(sentence, "'" + forty + "...' is not a number"));
}

TEST_CASE("kinds that the user names are held to") {
  CHECK(
      error_of("a\n1\nabc\n", kind("a", ColumnKind::real)) ==
      "t.csv, line 3, column 'a': 'abc' is not a number; correct it, make it a missing value with "
      "--missing-tokens, or use --kinds a=categorical");
  CHECK(contains(error_of("a;b\n1,5;1\n", kind("a", ColumnKind::real)), "with a point"));
  CHECK(contains(error_of("a\n1\n-1\n", kind("a", ColumnKind::count)), "'-1' is not a count"));
  CHECK(contains(error_of("a\n1\n1.5\n", kind("a", ColumnKind::count)), "--kinds a=real"));
  CHECK(error_of("a\n1\n2e3\nNA\n", kind("a", ColumnKind::count)) == "no error");
}

TEST_CASE("infinite numbers are refused among numbers, and are a word among words") {
  CHECK(error_of("a\n1\n-inf\n") ==
        "t.csv, line 3, column 'a': '-inf' is not a finite number; remove the row, or make it a "
        "missing value with --missing-tokens");
  CHECK(contains(error_of("a\n1\n1e999\n"), "'1e999' is not a finite number"));
  CHECK(error_of("a\ninf\nabc\n") == "no error");
  CHECK(error_of("a\n1\ninf\n", {.missing_tokens = {"inf"}}) == "no error");
}

TEST_CASE("labels and weights must be there") {
  CHECK(error_of("a,y\n1,p\n2,\n", {.target = "y"}) ==
        "t.csv, line 3, column 'y': the row has no label; remove the row or fill it in, or let EM "
        "use it with --unlabeled em (models gaussian and naive-bayes)");
  CHECK(contains(error_of("a,w\n1,\n", {.weights = "w"}), "has no weight"));
  CHECK(contains(error_of("a,w\n1,-1\n", {.weights = "w"}), "column 'w': '-1' is not a weight"));
  CHECK(contains(error_of("a,w\n1,x\n", {.weights = "w"}), "'x' is not a weight"));
  CHECK(contains(error_of("a,w\n1,inf\n", {.weights = "w"}), "'inf' is not a weight"));
}

TEST_CASE("columns that do not exist, twice, or in two roles") {
  CHECK(contains(error_of("species,b\n1,2\n", {.target = "specis"}), "did you mean 'species'"));
  CHECK(error_of("a,b\n1,2\n", {.target = "zzzzzz"}) ==
        "t.csv has no column 'zzzzzz' (target); the columns are a, b");
  CHECK(error_of("a,b\n1,2\n", {.target = "99"}) ==
        "t.csv has no column '99' (target); there are 2 columns, numbered from 1");
  CHECK(contains(error_of("a\n1\n", {.target = "2"}), "there is 1 column, numbered from 1"));
  CHECK(contains(error_of("a,b\n1,2\n", {.ignore = {"0"}}), "has no column '0' (ignore)"));
  CHECK(contains(error_of("a,b,a\n1,2,3\n"), "columns 1 and 3 are both called 'a'"));
  CHECK(contains(error_of("a,b\n1,2\n", {.target = "b", .weights = "2"}), "both as the target"));
  CHECK(contains(error_of("a,b\n1,2\n", {.target = "b", .ignore = {"b"}}), "one to ignore"));
  CHECK(contains(error_of("a,b\n1,2\n", {.target = "b", .kinds = {{"b", ColumnKind::real}}}),
                 "is the target, so its kind cannot be chosen"));
  CHECK(contains(error_of("y\n1\n", {.target = "y"}), "no column left"));
}

TEST_CASE("nothing to read") {
  CHECK(contains(error_of(""), "t.csv: the file is empty"));
  CHECK(contains(error_of("\xEF\xBB\xBF"), "only blank lines"));
  CHECK(contains(error_of("\n\n"), "only blank lines"));
  CHECK(contains(error_of("a,b\n"), "a header but no row"));
  CHECK(contains(error_of("a,b\n\n\n"), "a header but no row"));
}

TEST_CASE("files that cannot be opened") {
  const auto missing = [](const std::string& path) {
    try {
      (void)open_csv(path, {});
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::io);
      return std::string(error.what());
    }
    return std::string("no error");
  };
  CHECK(contains(missing("no/such/file.csv"), "cannot open no/such/file.csv: No such file"));
  CHECK(contains(missing(std::filesystem::temp_directory_path().string()), "is a folder"));
}
