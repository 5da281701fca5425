// What a CSV file means: fields, kinds, missing values, labels, weights, blocks.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "csv_table.hpp"
#include "logodds/parallel/blocks.hpp"

using namespace logodds;
using namespace logodds::test;
using Words = std::vector<std::optional<std::string>>;

TEST_CASE("numbers, words, label") {
  const auto source = open_csv_bytes("a,y,b\n1.5,cat,x\n-2e3,dog,y\n", "t.csv", {.target = "y"});
  CHECK(source->name() == "t.csv");
  CHECK(source->target() == "y");
  REQUIRE(source->columns().size() == 2);
  CHECK(source->columns()[0].name == "a");
  CHECK_FALSE(source->columns()[0].coded);
  CHECK(source->columns()[1].coded);
  const Table table = read_all(*source);
  CHECK(table.numbers[0] == std::vector<double>{1.5, -2000});
  CHECK(table.words[0] == Words{"x", "y"});
  CHECK(table.labels == std::vector<std::string>{"cat", "dog"});
  CHECK(source->fraction_taken() == 1.0);
}

TEST_CASE("every way of writing a number") {
  const Table table = read_text(
      "x\n1\n-1\n+1\n 1 \n\"1\"\n\" "
      "1\"\n1.\n.5\n1e2\n1E-2\n12345678901234567890\n0.1234567890123456"
      "7\n\t7\n-0.0\n123456.654321\n00012\n");
  CHECK(table.numbers[0] == std::vector<double>{1, -1, 1, 1, 1, 1, 1, .5, 100, .01,
                                                12345678901234567890.0, 0.12345678901234567, 7,
                                                -0.0, 123456.654321, 12});
  CHECK(std::signbit(table.numbers[0][13]));
}

TEST_CASE("missing values: empty, NA, NaN in any case, ?, and named tokens") {
  const Table table = read_text("n,w\n,\nNA,NA\nnan,NaN\n?,?\n\"\",\"\"\n -9 ,-9\n1,N/A\n2,na\n",
                                {.missing_tokens = {"-9"}});
  for (std::size_t r = 0; r < 6; ++r) {
    CAPTURE(r);
    CHECK(std::isnan(table.numbers[0][r]));
    CHECK_FALSE(table.words[0][r].has_value());
  }
  CHECK(table.words[0][6] == "N/A");
  CHECK(table.words[0][7] == "na");
  CHECK(table.facts[0].missing == 6);
  CHECK(table.facts[1].missing == 6);
}

TEST_CASE("a token that is a number is missing only as written") {
  const Table table = read_text("n,m\n-999,1\n-999.0,2\n5,-999\n", {.missing_tokens = {"-999"}});
  CHECK(std::isnan(table.numbers[0][0]));
  CHECK(table.numbers[0][1] == -999);
  CHECK(std::isnan(table.numbers[1][2]));
}

TEST_CASE("unquoted words are trimmed, quoted ones are kept as written") {
  const Table table = read_text("a, b ,\"c \"\n x y , \" p\" ,\"q\"\"r\"\n", {.target = "b"});
  CHECK(table.words[0] == Words{"x y"});
  CHECK(table.words[1] == Words{"q\"r"});
  CHECK(table.labels == std::vector<std::string>{" p"});
}

TEST_CASE("quoted blanks are labels and levels; a quoted empty field is missing") {
  const CsvOptions options{.target = "y", .kinds = {{" g", ColumnKind::categorical}}};
  const std::string text = "\" g\",y\n\" lead\",\" lead\"\n\" \",\"\t\"\n\"\",\" \"\n";
  const auto source = open_csv_bytes(text, "t.csv", options);
  CHECK(source->columns()[0].name == " g");
  const Table table = read_all(*source);
  CHECK(table.labels == std::vector<std::string>{" lead", "\t", " "});
  CHECK(table.words[0] == Words{" lead", " ", std::nullopt});
  CHECK(error_of("x,y\n1,\"\"\n", {.target = "y"}).find("the row has no label") !=
        std::string::npos);
}

TEST_CASE("line ends, byte order mark, blank lines, no final line end") {
  for (const auto* const text : {"a,b\n1,2\n3,4\n", "a,b\r\n1,2\r\n3,4\r\n",
                                 "\xEF\xBB\xBF"
                                 "a,b\n1,2\n3,4",
                                 "\n\na,b\n\n1,2\n\r\n3,4\n\n\n", "a,b\r\n1,2\r\n3,4\r"}) {
    CAPTURE(text);
    const Table table = read_text(text);
    CHECK(table.numbers == std::vector<std::vector<double>>{{1, 3}, {2, 4}});
  }
}

TEST_CASE("in a table of one column a blank line is a missing value") {
  const Table table = read_text("a\n1\n\n3\n\n");
  CHECK(table.rows == 4);
  CHECK(std::isnan(table.numbers[0][1]));
  CHECK(std::isnan(table.numbers[0][3]));
}

TEST_CASE("quoted delimiters and line ends") {
  const Table table = read_text("a,b\n\"x,1\",1\n\"y\nz\",2\n\"\r\n\",3\n");
  CHECK(table.words[0] == Words{"x,1", "y\nz", "\r\n"});
  CHECK(table.numbers[0] == std::vector<double>{1, 2, 3});
}

TEST_CASE("the delimiter is given, guessed, or taken from the name") {
  CHECK(read_text("a;b\n1;2\n").numbers.size() == 2);
  CHECK(read_text("a\tb\n1\t2\n").numbers.size() == 2);
  CHECK(read_text("a|b\n1|2\n").numbers.size() == 2);
  CHECK(read_text("\"a;;;\",b\n1,2\n").numbers.size() == 2);
  CHECK(read_text("a,b c\n1,2 3\n", {.delimiter = ' '}).words.size() == 1);
  CHECK(read_all(*open_csv_bytes("a,b\tc\n1\t2\n", "t.tsv", {})).numbers.size() == 2);
  const auto guessed = open_csv_bytes("a;b\n1;2\n", "t.csv", {});
  CHECK(guessed->notes() ==
        std::vector<std::string>{"t.csv: fields are separated by ';' (choose with --delimiter)"});
  CHECK(open_csv_bytes("a,b\n1,2\n", "t.csv", {})->notes().empty());
  CHECK(error_of("a.b\n1.2\n", {.delimiter = '.'}).find("cannot separate fields") !=
        std::string::npos);
}

TEST_CASE("without a header columns are named by position") {
  const auto source = open_csv_bytes("1,a,2\n3,b,4\n", "t.csv", {.target = "2", .header = false});
  CHECK(source->target() == "x2");
  CHECK(source->columns()[1].name == "x3");
  CHECK(read_all(*source).numbers[1] == std::vector<double>{2, 4});
}

TEST_CASE("an empty name becomes a position, and a note says so") {
  const auto source = open_csv_bytes("\"\",b\n1,2\n", "t.csv", {});
  CHECK(source->columns()[0].name == "x1");
  REQUIRE(source->notes().size() == 1);
  CHECK(source->notes()[0].find("--ignore x1") != std::string::npos);
}

TEST_CASE("columns are named by name or number, ignored, and given kinds") {
  const CsvOptions options{.target = "d", .ignore = {"b"}, .kinds = {{"1", ColumnKind::ignore}}};
  const auto source = open_csv_bytes("a,b,c,d\n1,2,3,4\n", "t.csv", options);
  REQUIRE(source->columns().size() == 1);
  CHECK(source->columns()[0].name == "c");
  // an exact name wins over a number
  CHECK(open_csv_bytes("2,1\n5,6\n", "t.csv", {.target = "1"})->columns()[0].name == "2");
}

TEST_CASE("rows of weight 0 leave no trace") {
  const Table table = read_text("x,g,y,w\n1,a,p,1\nbad,b,NA,0\n3,c,q,2.5\n4,d,r,0.0\n",
                                {.target = "y", .weights = "w"});
  CHECK(table.rows == 2);
  CHECK(table.numbers[0] == std::vector<double>{1, 3});
  CHECK(table.words[0] == Words{"a", "c"});
  CHECK(table.labels == std::vector<std::string>{"p", "q"});
  CHECK(table.weights == std::vector<double>{1, 2.5});
  CHECK(table.row_numbers == std::vector<std::size_t>{0, 2});
  CHECK_FALSE(table.facts[0].not_number);
}

TEST_CASE("a word after the first block is recorded, and the table read again with levels") {
  std::string text = "a,b\n";
  for (int i = 0; i < 3000; ++i) { text += "1,2\n"; }
  text += "oops,3\n";
  const auto source = open_csv_bytes(text, "t.csv", {});
  const Table first = read_all(*source);
  CHECK(first.blocks == 3);
  REQUIRE(first.facts[0].not_number);
  CHECK(first.facts[0].not_number->row == 3000);
  CHECK(first.facts[0].not_number->value == "oops");
  CHECK(std::isnan(first.numbers[0][3000]));
  const std::vector<std::size_t> columns{0};
  REQUIRE(source->restart_with_coded(columns));
  const Table again = read_all(*source);
  CHECK(again.rows == 3001);
  CHECK(again.words[0][3000] == "oops");
  CHECK(again.words[0][0] == "1");
  CHECK(again.numbers[0][3000] == 3);
}

TEST_CASE("blocks hold exactly kBlockRows rows, counted before rows are dropped") {
  std::string text = "a,w\n";
  for (int i = 0; i < 2500; ++i) { text += "1," + std::to_string(i % 2) + "\n"; }
  const auto source = open_csv_bytes(text, "t.csv", {.weights = "w"});
  RowBuffer buffer;
  std::vector<std::size_t> kept;
  std::vector<std::size_t> first;
  while (source->take(buffer)) {
    source->parse(buffer);
    kept.push_back(buffer.rows);
    first.push_back(buffer.first_row);
  }
  CHECK(kept == std::vector<std::size_t>{512, 512, 226});
  CHECK(first == std::vector<std::size_t>{0, 1024, 2048});
}

TEST_CASE("three threads read what one reads") {
  std::string text = "a,b,y\n";
  for (int i = 0; i < 20000; ++i) {
    text += std::to_string(i * 37 % 1001) + ".125,\"w" + std::to_string(i % 5) + "\",";
    text += i % 2 == 0 ? "p\n" : "q\n";
  }
  const CsvOptions options{.target = "y"};
  const Table reference = read_text(text, options);
  const auto source = open_csv_bytes(text, "t.csv", options);
  Table table;
  parallel::run_blocks<RowBuffer>(
      3, 1, [&](RowBuffer& buffer) { return source->take(buffer); },
      [&](RowBuffer& buffer) { source->parse(buffer); },
      [&](RowBuffer& buffer, std::size_t) {
        CHECK(source->fraction_taken() > 0);
        append_block(table, buffer, nullptr);
      });
  CHECK(table.rows == 20000);
  CHECK(table.numbers == reference.numbers);
  CHECK(table.words == reference.words);
  CHECK(table.labels == reference.labels);
}

TEST_CASE("places are lines while lines are rows") {
  std::string text = "a,b\n";
  for (int i = 0; i < 1100; ++i) { text += "1,2\n"; }
  const auto plain = open_csv_bytes(text, "t.csv", {});
  (void)read_all(*plain);
  CHECK(plain->place(0) == "t.csv, line 2");
  CHECK(plain->place(1099) == "t.csv, line 1101");
  const std::string quoted = text + "\"x\ny\",3\n";
  const auto irregular = open_csv_bytes(quoted, "t.csv", {});
  (void)read_all(*irregular);
  CHECK(irregular->place(1000) == "t.csv, line 1002");
  CHECK(irregular->place(1100) == "t.csv, data row 1101");
}

TEST_CASE("100,000 columns") {
  std::string header = "c0";
  std::string row = "0";
  for (int i = 1; i < 100000; ++i) {
    header += ",c" + std::to_string(i);
    row += ",1";
  }
  const Table table = read_text(header + "\n" + row + "\n" + row + "\n");
  CHECK(table.rows == 2);
  CHECK(table.numbers.size() == 100000);
  CHECK(table.numbers[99999][1] == 1);
}
