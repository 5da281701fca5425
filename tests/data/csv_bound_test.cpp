// Reading rows against the schema of a fitted model.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "csv_table.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

Schema pets() {
  Schema schema;
  schema.columns = {{"size", ColumnKind::real, {}},
                    {"color", ColumnKind::categorical, {"black", "red", "white"}},
                    {"age", ColumnKind::count, {}}};
  schema.target = "species";
  schema.labels = {"cat", "dog"};
  return schema;
}

Schema numbered() {  // trained on a file without a header, label first
  Schema schema;
  schema.columns = {{"x2", ColumnKind::real, {}}, {"x3", ColumnKind::real, {}}};
  schema.target = "x1";
  schema.labels = {"a", "b"};
  return schema;
}

bool contains(const std::string& text, std::string_view part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) { MESSAGE(text); }
  return found;
}

}  // namespace

TEST_CASE("columns are matched by name, in any order, with the model's codes") {
  const Schema schema = pets();
  const auto source =
      open_csv_bytes("age,note,species,color,size\n3,z,dog,white,1.5\n-1.5,z,cat,red,2\n", "t.csv",
                     {}, schema, true);
  CHECK(source->columns().size() == 3);
  CHECK(source->target() == "species");
  CHECK(source->notes() == std::vector<std::string>{"t.csv: columns not used by the model: note"});
  RowBuffer buffer;
  REQUIRE(source->take(buffer));
  source->parse(buffer);
  CHECK(buffer.numeric == std::vector<double>{1.5, 3, 2, -1.5});
  CHECK(buffer.codes[0] == std::vector<std::int32_t>{2, 1});
  CHECK(buffer.labels == std::vector<std::int32_t>{1, 0});
  CHECK_FALSE(source->take(buffer));
}

TEST_CASE("labels are not looked at unless asked for") {
  const auto source =
      open_csv_bytes("size,color,age,species\n1,red,2,unicorn\n", "t.csv", {}, pets(), false);
  CHECK(source->notes().empty());
  CHECK(source->target().empty());
  const Schema schema = pets();
  CHECK(read_all(*source, &schema).labels.empty());
}

TEST_CASE("an unknown level is missing and counted") {
  const Schema schema = pets();
  const auto source =
      open_csv_bytes("size,color,age\n1,green,2\n1,,2\n1,red,NA\n", "t.csv", {}, schema, false);
  const Table table = read_all(*source, &schema);
  CHECK_FALSE(table.words[0][0].has_value());
  CHECK(table.words[0][2] == "red");
  CHECK(table.unseen == 1);
  CHECK(table.facts[1].missing == 1);
  CHECK(std::isnan(table.numbers[1][2]));
}

TEST_CASE("what does not fit the model is refused") {
  CHECK(contains(bound_error_of("size,colour,age\n1,red,2\n", pets(), false),
                 "t.csv has no column 'color', which the model needs (did you mean 'colour'?); "
                 "rename or add the column (its values may be empty)"));
  CHECK(contains(bound_error_of("size,color,age\nbig,red,2\n", pets(), false),
                 "t.csv, line 2, column 'size': 'big' is not a number; the model was trained"));
  CHECK(contains(bound_error_of("size,color,age,species\n1,red,2,fox\n", pets(), true),
                 "'fox' is not one of the classes of the model (cat, dog)"));
  CHECK(contains(bound_error_of("size,color,age\n1,red,2\n", pets(), true),
                 "has no label column 'species'"));
  CHECK(contains(bound_error_of("size,color,age,species\n1,red,2,\n", pets(), true),
                 "the row has no label"));
}

TEST_CASE("only columns that the model does not use are suggested") {
  Schema schema;
  schema.columns = {{"bill_length", ColumnKind::real, {}}, {"bill_lenth", ColumnKind::real, {}}};
  schema.target = "species";
  schema.labels = {"a", "b"};
  CHECK(bound_error_of("bill_lenth,x\n1,2\n", schema, false) ==
        "t.csv has no column 'bill_length', which the model needs; add the column (its values may "
        "be empty)");
  schema.columns[0].name = "specie";
  CHECK(bound_error_of("bill_lenth,species\n1,a\n", schema, true) ==
        "t.csv has no column 'specie', which the model needs; add the column (its values may be "
        "empty)");
  CHECK(bound_error_of("bill_lenth,specie,specis\n1,2,a\n", schema, true) ==
        "t.csv has no label column 'species' (did you mean 'specis'?); name the column with "
        "--target");
}

TEST_CASE("the label column may have another name") {
  const Schema schema = pets();
  const auto source = open_csv_bytes("kind,size,color,age\ncat,1,red,2\n", "t.csv",
                                     {.target = "kind"}, schema, true);
  CHECK(read_all(*source, &schema).labels == std::vector<std::string>{"cat"});
}

TEST_CASE("without a header columns are matched by position") {
  const Schema schema = numbered();
  const CsvOptions plain{.header = false};
  const auto features = [&](std::string_view text, bool with_labels, const CsvOptions& options) {
    const auto source = open_csv_bytes(text, "t.csv", options, schema, with_labels);
    return read_all(*source, &schema);
  };
  CHECK(features("5,6\n", false, plain).numbers[0][0] == 5);
  CHECK(features("a,5,6\n", false, plain).numbers[0][0] == 5);
  CHECK(features("b,5,6\n", true, plain).labels[0] == "b");
  const auto last = features("5,6,a\n", true, {.target = "3", .header = false});
  CHECK(last.numbers[1][0] == 6);
  CHECK(last.labels[0] == "a");
  CHECK(contains(bound_error_of("1,2,3,4\n", schema, false, plain),
                 "has 4 feature columns, but the model has 2"));
}

TEST_CASE("a bound table can be read again, but not with other codes") {
  const Schema schema = pets();
  const auto source =
      open_csv_bytes("size,color,age\n1,red,2\n3,red,4\n", "t.csv", {}, schema, false);
  CHECK(read_all(*source, &schema).rows == 2);
  REQUIRE(source->restart_with_coded({}));
  CHECK(read_all(*source, &schema).rows == 2);
  const std::vector<std::size_t> columns{0};
  CHECK_FALSE(source->restart_with_coded(columns));
}
