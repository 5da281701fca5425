// Rows as vectors of numbers: which indicators there are, what they are called, what they hold.
#include "logodds/data/design.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace logodds;

namespace {

using Names = std::vector<std::string>;

/// Coded columns stand between numbers, so that positions differ from places in the schema.
Schema penguins() {
  Schema schema;
  schema.columns = {{"island", ColumnKind::categorical, {"B", "D", "T"}},
                    {"bill", ColumnKind::real, {}},
                    {"sex", ColumnKind::binary, {"f", "m"}},
                    {"mass", ColumnKind::count, {}}};
  return schema;
}

RowBuffer two_penguins() {
  RowBuffer buffer;
  buffer.rows = 2;
  buffer.numeric = {39.5, 3800, 41.25, 4100};
  buffer.numeric_data = buffer.numeric.data();
  buffer.numeric_columns = buffer.numeric_stride = 2;
  buffer.codes = {{2, 0}, {1, 0}};
  return buffer;
}

std::vector<double> values_of(const DesignRows& rows) {
  std::vector<double> values;
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const double* const row = rows.data + r * rows.stride;
    values.insert(values.end(), row, row + rows.columns);
  }
  return values;
}

}  // namespace

TEST_CASE("a full design has an indicator for each level, but one for two levels") {
  const Design design(penguins(), OneHot::full);
  CHECK(design.names() == Names{"bill", "mass", "island=B", "island=D", "island=T", "sex=m"});
  CHECK(design.columns() ==
        std::vector<DesignColumn>{{0, -1}, {1, -1}, {0, 0}, {0, 1}, {0, 2}, {1, 1}});
  CHECK(design.one_hot_note() == "one-hot: island (3 indicators), sex (1 indicator)");
  RowBuffer buffer = two_penguins();
  std::vector<double> scratch;
  const DesignRows rows = design.encode(buffer.view(), scratch);
  CHECK(rows.data == scratch.data());
  CHECK(values_of(rows) == std::vector<double>{39.5, 3800, 0, 0, 1, 1, 41.25, 4100, 1, 0, 0, 0});
}

TEST_CASE("a reference design leaves out the first level") {
  const Design design(penguins(), OneHot::reference);
  CHECK(design.size() == 5);
  CHECK(design.names() == Names{"bill", "mass", "island=D", "island=T", "sex=m"});
  CHECK(design.one_hot_note() == "one-hot: island (2 indicators), sex (1 indicator)");
  RowBuffer buffer = two_penguins();
  std::vector<double> scratch;
  CHECK(values_of(design.encode(buffer.view(), scratch)) ==
        std::vector<double>{39.5, 3800, 0, 1, 1, 41.25, 4100, 0, 0, 0});
}

TEST_CASE("a column of one level has one indicator in full, none against a reference") {
  Schema schema;
  schema.columns = {{"a", ColumnKind::real, {}}, {"k", ColumnKind::categorical, {"only"}}};
  CHECK(Design(schema, OneHot::full).names() == Names{"a", "k=only"});
  CHECK(Design(schema, OneHot::reference).names() == Names{"a"});
}

TEST_CASE("without coded columns the rows are the block's own memory, with its stride") {
  Schema schema;
  schema.columns = {{"a", ColumnKind::real, {}}, {"b", ColumnKind::binary, {}}};
  const Design design(schema, OneHot::full);
  CHECK(design.one_hot_note().empty());
  const std::vector<double> memory{1, 2, -9, 3, 4, -9};
  const RowBlock block{
      .rows = 2, .numeric = memory.data(), .numeric_columns = 2, .numeric_stride = 3, .codes = {}};
  std::vector<double> scratch;
  const DesignRows rows = design.encode(block, scratch);
  CHECK(rows.data == memory.data());
  CHECK(scratch.empty());
  CHECK(values_of(rows) == std::vector<double>{1, 2, 3, 4});
}

TEST_CASE("any list of design columns can be encoded, in its order") {
  RowBuffer buffer = two_penguins();
  std::vector<double> scratch;
  const auto rows = encode_design(buffer.view(), {{1, 0}, {1, -1}}, scratch);
  CHECK(values_of(rows) == std::vector<double>{0, 3800, 1, 4100});
}

TEST_CASE("documents are no numbers, so they stand in no vector") {
  Schema schema = penguins();
  const Design before(schema, OneHot::full);
  schema.columns.insert(schema.columns.begin() + 1, Column{"notes", ColumnKind::text, {}});
  const Design after(schema, OneHot::full);
  CHECK(after.names() == before.names());
  CHECK(after.columns().size() == before.columns().size());
}
