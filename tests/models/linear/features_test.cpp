#include "models/linear/features.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "logodds/error.hpp"
#include "logodds/modelfile/container.hpp"

using namespace logodds;
using namespace logodds::models::linear;
using Names = std::vector<std::string>;
using Values = std::vector<double>;

namespace {

/// Numbers a and b, levels of c; the levels are in the middle of the schema.
struct Table {
  Schema schema{
      .columns = {{.name = "a", .kind = ColumnKind::real, .levels = {}},
                  {.name = "c", .kind = ColumnKind::categorical, .levels = {"u", "v", "w"}},
                  {.name = "b", .kind = ColumnKind::real, .levels = {}}},
      .target = "y",
      .labels = {"0", "1"}};
  Values numbers{1, 10, 2, 30, 3, 20, 4, 60, 5, 50, 9, 10};
  std::vector<std::int32_t> codes{0, 1, 2, 0, 1, 2};
  std::vector<const std::int32_t*> code_pointers{codes.data()};

  [[nodiscard]] RowBlock block() const {
    return {.rows = codes.size(),
            .numeric = numbers.data(),
            .numeric_columns = 2,
            .numeric_stride = 2,
            .codes = code_pointers};
  }
};

Values encoded(const Features& features, const RowBlock& block) {
  Values scratch;
  const DesignRows rows = features.encode(block, scratch);
  REQUIRE(rows.columns == features.size());
  Values all;
  for (std::size_t r = 0; r < rows.rows; ++r) {
    all.insert(all.end(), rows.data + r * rows.stride, rows.data + r * rows.stride + rows.columns);
  }
  return all;
}

Features loaded(const Features& features, const Schema& schema, const std::string& basis) {
  modelfile::Writer writer;
  features.save(writer);
  const std::string bytes = writer.bytes();
  const modelfile::Reader reader(bytes, "m");
  return Features::load(reader, schema, OneHot::reference, basis);
}

template <class Use>
std::string sentence_of(const Use& use) {
  try {
    use();
  } catch (const Error& error) { return error.what(); }
  return "no error";
}

bool holds(const std::string& sentence, const std::string& part) {
  return sentence.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("without a basis the features are the design, in the block's own memory") {
  const Table table;
  Schema numbers = table.schema;
  std::erase_if(numbers.columns, [](const Column& column) { return column.coded(); });
  const auto features = Features::fitted(numbers, OneHot::full, "none", {});
  CHECK(features.plain());
  CHECK(features.takes_sparse());
  CHECK(features.names() == Names{"a", "b"});
  CHECK(features.parts() == Names{"a", "b"});
  RowBlock block = table.block();
  block.codes = {};
  Values scratch;
  CHECK(features.encode(block, scratch).data == block.numeric);
  CHECK_FALSE(Features(table.schema, OneHot::full).takes_sparse());
}

TEST_CASE("a polynomial: columns, then products of columns minus their means") {
  const Table table;
  const auto features =
      Features::fitted(table.schema, OneHot::reference, "polynomial:2", table.block());
  CHECK(features.names() == Names{"a", "b", "c=v", "c=w", "a^2", "a x b", "a x c=v", "a x c=w",
                                  "b^2", "b x c=v", "b x c=w"});
  CHECK(features.parts() == Names{"a", "c", "b", "a+b", "a+c", "c+b"});
  CHECK(features.of_feature() == std::vector<std::size_t>{0, 2, 1, 1, 0, 3, 4, 4, 2, 5, 5});
  CHECK_FALSE(features.takes_sparse());
  const Values x = encoded(features, table.block());
  const double a = 2.0 - 4.0;  // the second row, minus the means 4 and 30
  const double b = 30.0 - 30.0;
  const Values second(x.begin() + 11, x.begin() + 22);
  CHECK(second == Values{2, 30, 1, 0, a * a, a * b, a, 0, b * b, b, 0});
}

TEST_CASE("without centering products of columns that are not negative are not negative") {
  const Table table;
  const auto features = Features::fitted(table.schema, OneHot::reference, "polynomial:2",
                                         table.block(), Centering::none);
  const Values x = encoded(features, table.block());
  CHECK(std::ranges::all_of(x, [](double value) { return value >= 0; }));
  CHECK(x[4] == 1);   // 1 * 1
  CHECK(x[5] == 10);  // 1 * 10
}

TEST_CASE("means are weighted: a row of weight 2 is two rows") {
  Table table;
  const Values weights{1, 1, 1, 1, 1, 7};
  RowBlock block = table.block();
  block.weights = weights.data();
  const auto features = Features::fitted(table.schema, OneHot::reference, "interactions", block);
  const double mean_a = (1 + 2 + 3 + 4 + 5 + 7 * 9) / 12.0;
  const double mean_b = (10 + 30 + 20 + 60 + 50 + 7 * 10) / 12.0;
  const auto at = static_cast<std::size_t>(std::ranges::find(features.names(), "a x b") -
                                           features.names().begin());
  CHECK(encoded(features, block)[at] == doctest::Approx((1 - mean_a) * (10 - mean_b)));
}

TEST_CASE("splines of columns of numbers; indicators, 0 and 1, and constants stay") {
  Table table;
  table.schema.columns[2].kind = ColumnKind::binary;
  for (std::size_t r = 0; r < 6; ++r) { table.numbers[2 * r + 1] = r % 2 == 0 ? 1 : 0; }
  const auto features =
      Features::fitted(table.schema, OneHot::reference, "spline:2", table.block());
  CHECK(features.names() == Names{"a", "b", "c=v", "c=w", "a spline 1", "a spline 2"});
  CHECK(features.of_feature() == std::vector<std::size_t>{0, 2, 1, 1, 0, 0});
  const Values x = encoded(features, table.block());
  CHECK(x[0] == 1);
  CHECK(x[4] == 0);  // the least value lies at the first knot
  CHECK(x[5 * 6 + 4] > x[4 * 6 + 4]);
  table.schema.columns[2].kind = ColumnKind::real;
  for (std::size_t r = 0; r < 6; ++r) { table.numbers[2 * r + 1] = 7; }
  CHECK(Features::fitted(table.schema, OneHot::reference, "spline:2", table.block()).size() == 6);
}

TEST_CASE("a basis is the same after saving and loading") {
  const Table table;
  for (const std::string basis : {"none", "polynomial:3", "interactions", "spline:1", "spline:2"}) {
    const auto features = Features::fitted(table.schema, OneHot::reference, basis, table.block());
    const auto again = loaded(features, table.schema, basis);
    CHECK(again.names() == features.names());
    CHECK(again.parts() == features.parts());
    CHECK(again.of_feature() == features.of_feature());
    CHECK(encoded(again, table.block()) == encoded(features, table.block()));
  }
}

TEST_CASE("a file with a basis that makes no sense is refused") {
  const Table table;
  const auto load = [&](const char* name, const Values& values,
                        const std::vector<std::size_t>& shape, const std::string& basis) {
    return sentence_of([&] {
      modelfile::Writer writer;
      writer.tensor(name, values, shape);
      const std::string bytes = writer.bytes();
      const modelfile::Reader reader(bytes, "m");
      (void)Features::load(reader, table.schema, OneHot::reference, basis);
    });
  };
  CHECK(holds(load("basis.knots", {1, 2, 2, 1, 2, 3}, {2, 3}, "spline:1"), "do not ascend"));
  CHECK(holds(load("basis.knots", {1, 2, std::nan(""), 1, 2, 3}, {2, 3}, "spline:1"),
              "do not ascend"));
  CHECK(load("basis.knots", {0, 0, 0, 1, 2, 3}, {2, 3}, "spline:1") == "no error");
  CHECK(load("basis.knots", {1, 2, 3}, {1, 3}, "spline:1") != "no error");
  CHECK(holds(
      load("basis.center", {1, std::numeric_limits<double>::infinity(), 0, 0}, {4}, "interactions"),
      "not finite"));
  CHECK(load("basis.center", {1, 2, 0, 0}, {4}, "interactions") == "no error");
}

TEST_CASE("what a basis cannot do is said with the column and the cure") {
  Table table;
  const auto fit = [&](const std::string& basis) {
    return sentence_of(
        [&] { (void)Features::fitted(table.schema, OneHot::full, basis, table.block()); });
  };
  CHECK(fit("spline:4") ==
        "column 'b' has 5 different values, too few for the 4 knots of --basis spline:4 between "
        "its ends; take spline:3 or less, or read it as levels with --kinds b=categorical");
  table.numbers[1] = 1e100;
  CHECK(holds(fit("polynomial:2"), "the feature 'b^2' that --basis makes overflows"));
  CHECK(holds(fit("polynomial:2"), "other units"));
  CHECK(fit("interactions") == "no error");
  table.numbers[2] = 1e120;
  CHECK(holds(fit("interactions"), "'a x b'"));
}

TEST_CASE("sparse rows with a basis are refused, without one they are spread out") {
  const Schema schema{.columns = {{"x1", ColumnKind::real, {}}, {"x2", ColumnKind::real, {}}},
                      .target = "y",
                      .labels = {"0", "1"}};
  const std::vector<std::size_t> starts{0, 1, 1};
  const std::vector<std::uint32_t> indices{1};
  const Values values{5};
  const RowBlock block{.rows = 2,
                       .numeric_columns = 2,
                       .sparse = {starts.data(), indices.data(), values.data()},
                       .codes = {}};
  CHECK(holds(
      sentence_of([&] { (void)Features::fitted(schema, OneHot::full, "polynomial:2", block); }),
      "leave --basis out"));
  const auto features = Features::fitted(schema, OneHot::full, "none", block);
  CHECK(encoded(features, block) == Values{0, 5, 0, 0});
}
