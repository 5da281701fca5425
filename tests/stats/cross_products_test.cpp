#include "stats/cross_products.hpp"

#include <doctest/doctest.h>

#include "logodds/modelfile/container.hpp"
#include "support/sample.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

/// sum_n w_n a_ni a_nj with the constant 1 as column 0.
double product(const Sample& sample, std::size_t i, std::size_t j) {
  double sum = 0.0;
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    const double a = i == 0 ? 1.0 : sample.at(r, i - 1);
    const double b = j == 0 ? 1.0 : sample.at(r, j - 1);
    sum += sample.weight(r) * a * b;
  }
  return sum;
}

CrossProducts of(const Sample& sample) {
  std::vector<std::int32_t> codes;
  CrossProducts products;
  products.add(sample.block(codes), sample.shape());
  return products;
}

void check_equal(const CrossProducts& found, const CrossProducts& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      CHECK(found.at(i, j).value() == expected.at(i, j).value());
    }
  }
}

Schema schema_of(std::size_t columns) {
  Schema schema;
  for (std::size_t i = 0; i < columns; ++i) {
    schema.columns.push_back({"x" + std::to_string(i + 1), ColumnKind::real, {}});
  }
  return schema;
}

}  // namespace

TEST_CASE("cross products: sums over rows, weighted or not") {
  for (const auto& sample : {made_sample(300, 3, 2, 1), weighted(made_sample(300, 3, 2, 1), 2)}) {
    const CrossProducts products = of(sample);
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) {
        CHECK(products.at(i, j).value() == doctest::Approx(product(sample, i, j)).epsilon(1e-12));
      }
    }
    CHECK(products.weight() == doctest::Approx(product(sample, 0, 0)));
  }
}

TEST_CASE("cross products: parts merged are the whole, and taken out leave the rest") {
  const Sample sample = weighted(made_sample(500, 4, 2, 3), 4);
  CrossProducts merged = of(sample.part(0, 123));
  merged.merge(of(sample.part(123, 500)));
  check_equal(merged, of(sample));
  merged.unmerge(of(sample.part(0, 123)), schema_of(4));
  check_equal(merged, of(sample.part(123, 500)));
  CHECK_THROWS_WITH_AS(merged.unmerge(of(sample), schema_of(4)),
                       doctest::Contains("forget only rows that it was fitted to"), Error);
}

TEST_CASE("cross products: levels join as they come, and get their order") {
  // Column of levels: first block a, b; second block c as well.
  const std::vector<double> numbers{1.0, 2.0, 3.0, 4.0};
  const std::vector<std::int32_t> codes{0, 1, 2, 1};
  const std::int32_t* const pointers[] = {codes.data()};
  const std::int32_t* const later[] = {codes.data() + 2};
  CrossProducts products;
  products.add({.rows = 2,
                .numeric = numbers.data(),
                .numeric_columns = 1,
                .numeric_stride = 1,
                .codes = pointers},
               {.classes = 0, .numeric = 1, .levels = {2}});
  products.add({.rows = 2,
                .numeric = numbers.data() + 2,
                .numeric_columns = 1,
                .numeric_stride = 1,
                .codes = later},
               {.classes = 0, .numeric = 1, .levels = {3}});
  CHECK(products.size() == 5);
  CHECK(products.at(3, 3).value() == 2.0);  // two rows of level 1
  CHECK(products.at(1, 3).value() == 6.0);  // whose numbers are 2 and 4
  products.recode({.shape = {.classes = 0, .numeric = 1, .levels = {2}},
                   .labels = {},
                   .levels = {{1, 0, -1}}});  // 0 and 1 change places, 2 goes
  CHECK(products.size() == 4);
  CHECK(products.at(1, products.position({.position = 0, .level = 0})).value() == 6.0);
  CHECK(products.at(1, products.position({.position = 0, .level = 1})).value() == 1.0);
}

TEST_CASE("cross products: to a file and back, and files that are none") {
  const CrossProducts products = of(weighted(made_sample(50, 2, 2, 5), 6));
  modelfile::Writer writer;
  products.save(writer);
  const std::string bytes = writer.bytes();
  const modelfile::Reader reader(bytes, "file");
  check_equal(CrossProducts::load(reader, schema_of(2)), products);
  CHECK_THROWS_AS(static_cast<void>(CrossProducts::load(reader, schema_of(3))), Error);
  modelfile::Writer negative;
  const std::vector<double> high{1.0, 0.0, 0.0, -1.0};
  const std::vector<double> low(4, 0.0);
  negative.tensor("products.high", high, {2, 2});
  negative.tensor("products.low", low, {2, 2});
  const std::string wrong = negative.bytes();
  CHECK_THROWS_WITH_AS(
      static_cast<void>(CrossProducts::load(modelfile::Reader(wrong, "file"), schema_of(1))),
      doctest::Contains("is negative"), Error);
}
