// Reading rows to add to a model: its columns, but labels and levels that may be new.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "csv_table.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

using Words = std::vector<std::optional<std::string>>;

Schema pets() {
  Schema schema;
  schema.columns = {{"size", ColumnKind::count, {}},
                    {"color", ColumnKind::binary, {"black", "red"}},
                    {"age", ColumnKind::count, {}}};
  schema.target = "species";
  schema.labels = {"cat", "dog"};
  return schema;
}

Table extending(std::string_view text, const Schema& schema, const CsvOptions& options = {}) {
  const auto source = open_csv_bytes_extending(text, "t.csv", options, schema);
  return read_all(*source);
}

std::string extending_error(std::string_view text, const CsvOptions& options = {}) {
  try {
    extending(text, pets(), options);
  } catch (const Error& error) { return error.what(); }
  return "no error";
}

}  // namespace

TEST_CASE("rows that extend a model have its columns in its order, and new labels and levels") {
  const auto source = open_csv_bytes_extending(
      "age,note,species,color,size\n3,z,fox,white,1.5\n-2.5,z,cat,red,2\n", "t.csv", {}, pets());
  REQUIRE(source->columns().size() == 3);
  CHECK(source->columns()[0].name == "size");
  CHECK(source->columns()[1].coded);
  CHECK(source->target() == "species");
  CHECK(source->notes() == std::vector<std::string>{"t.csv: columns not used by the model: note"});
  const Table table = read_all(*source);
  CHECK(table.numbers[0] == std::vector<double>{1.5, 2});
  CHECK(table.numbers[1] == std::vector<double>{3, -2.5});
  CHECK(table.words[0] == Words{"white", "red"});
  CHECK(table.labels == std::vector<std::string>{"fox", "cat"});
  CHECK_FALSE(table.facts[0].counts);
  CHECK(table.unseen == 0);
}

TEST_CASE("a coded column stays one where the new rows hold numbers in it") {
  const Table table = extending("size,color,age,species\n1,7,2,cat\n1,8,2,dog\n", pets());
  CHECK(table.words[0] == Words{"7", "8"});
  CHECK(table.numbers.size() == 2);
}

TEST_CASE("missing values and weights are read as in training") {
  const Table table =
      extending("size,color,age,species,w\nNA,?,-,cat,2\n1,red,2,dog,0\n1,red,3,dog,1\n", pets(),
                {.weights = "w", .missing_tokens = {"-"}});
  REQUIRE(table.rows == 2);
  CHECK(std::isnan(table.numbers[0][0]));
  CHECK(std::isnan(table.numbers[1][0]));
  CHECK_FALSE(table.words[0][0].has_value());
  CHECK(table.weights == std::vector<double>{2, 1});
}

TEST_CASE("a column of another kind is refused where it stands") {
  CHECK(extending_error("size,color,age,species\n1,red,2,cat\nbig,red,2,cat\n") ==
        "t.csv, line 3, column 'size': 'big' is not a number; the model was trained on numbers "
        "there, so correct it or leave it empty");
  std::string long_table = "size,color,age,species\n";
  for (int row = 0; row < 3000; ++row) { long_table += "1,red,2,cat\n"; }
  CHECK(extending_error(long_table + "1,red,old,cat\n").find("line 3002, column 'age': 'old'") !=
        std::string::npos);
}

TEST_CASE("columns and labels that are not there are named") {
  CHECK(extending_error("size,age,species\n1,2,cat\n") ==
        "t.csv has no column 'color', which the model needs; add the column (its values may be "
        "empty)");
  CHECK(extending_error("size,color,age\n1,red,2\n").find("has no label column 'species'") !=
        std::string::npos);
  CHECK(extending_error("size,color,age,species\n1,red,2,\n").find("the row has no label") !=
        std::string::npos);
}

TEST_CASE("labels may stand under another name, and the model's name stays") {
  const auto source = open_csv_bytes_extending("kind,size,color,age\ncow,1,red,2\n", "t.csv",
                                               {.target = "kind"}, pets());
  CHECK(source->target() == "species");
  CHECK(read_all(*source).labels == std::vector<std::string>{"cow"});
  Schema unnamed = pets();
  unnamed.target.clear();
  CHECK(open_csv_bytes_extending("kind,size,color,age\ncow,1,red,2\n", "t.csv", {.target = "kind"},
                                 unnamed)
            ->target() == "kind");
}

TEST_CASE("without a header the columns are taken by position") {
  const Table table = extending("1,white,2,cow\n", pets(), {.target = "4", .header = false});
  CHECK(table.words[0] == Words{"white"});
  CHECK(table.labels == std::vector<std::string>{"cow"});
  CHECK(extending_error("1,red,2,3,cow\n", {.target = "5", .header = false})
            .find("has 4 feature columns, but the model has 3") != std::string::npos);
}

TEST_CASE("rows that extend a model can be read again, but not with other codes") {
  const auto source =
      open_csv_bytes_extending("size,color,age,species\n1,red,2,cat\n", "t.csv", {}, pets());
  CHECK(read_all(*source).rows == 1);
  REQUIRE(source->restart_with_coded({}));
  CHECK(read_all(*source).rows == 1);
  const std::vector<std::size_t> columns{0};
  CHECK_FALSE(source->restart_with_coded(columns));
}

TEST_CASE("labels that are only wanted where they are there") {
  const Schema schema = pets();
  const auto labels_of = [&](std::string_view text) {
    const auto source = open_csv_bytes_labels_if_there(text, "t.csv", {}, schema);
    RowBuffer buffer;
    REQUIRE(source->take(buffer));
    source->parse(buffer);
    return buffer.labels;
  };
  CHECK(labels_of("size,color,age\n1,red,2\n").empty());
  CHECK(labels_of("size,color,age,species\n1,red,2,dog\n1,red,2,fox\n1,red,2,\n") ==
        std::vector<std::int32_t>{1, kMissingCode, kMissingCode});
}
