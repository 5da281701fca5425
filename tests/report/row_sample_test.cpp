#include "report/row_sample.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace logodds::report {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

const Schema& mixed_schema() {
  static const Schema schema{.columns = {{"level", ColumnKind::categorical, {"x", "y", "z"}},
                                         {"number", ColumnKind::real, {}},
                                         {"text", ColumnKind::text, {}},
                                         {"other", ColumnKind::real, {}}},
                             .target = "class",
                             .labels = {"a", "b"}};
  return schema;
}

/// Row r holds r, 10 r, level r mod 3, "document r", label r mod 2 and weight r + 1.
RowSample rows_counted(std::size_t rows) {
  RowSample sample(mixed_schema());
  for (std::size_t r = 0; r < rows; ++r) {
    const std::vector<double> numbers{static_cast<double>(r), 10.0 * static_cast<double>(r)};
    const auto level = static_cast<std::int32_t>(r % 3);
    const std::int32_t* const codes = &level;
    const std::string document = "document " + std::to_string(r);
    const std::string_view view = document;
    const std::string_view* const texts = &view;
    const auto label = static_cast<std::int32_t>(r % 2);
    const double weight = static_cast<double>(r) + 1.0;
    RowBlock block;
    block.rows = 1;
    block.numeric = numbers.data();
    block.numeric_columns = block.numeric_stride = 2;
    block.codes = {&codes, 1};
    block.texts = {&texts, 1};
    block.labels = &label;
    block.weights = &weight;
    sample.add(block, 0);
  }
  return sample;
}

}  // namespace

TEST_CASE("every second row of a sample is dropped, in all its columns") {
  for (const std::size_t rows : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{7}}) {
    CAPTURE(rows);
    RowSample sample = rows_counted(rows);
    sample.keep_every_second();
    REQUIRE(sample.rows() == (rows + 1) / 2);
    CHECK(sample.numbers().size() == 2 * sample.rows());
    for (std::size_t r = 0; r < sample.rows(); ++r) {
      CHECK(sample.numbers()[2 * r] == 2.0 * static_cast<double>(r));
      CHECK(sample.numbers()[2 * r + 1] == 20.0 * static_cast<double>(r));
      CHECK(sample.codes()[0][r] == static_cast<std::int32_t>(2 * r % 3));
      CHECK(sample.document(r, 0) == "document " + std::to_string(2 * r));
      CHECK(sample.labels()[r] == 0);
      CHECK(sample.weight(r) == 2.0 * static_cast<double>(r) + 1.0);
    }
  }
}

TEST_CASE("values of a sample are shown by their column") {
  const RowSample sample = rows_counted(3);
  CHECK(sample.value_text(2, 0) == "z");
  CHECK(sample.value_text(2, 1) == "2");
  CHECK(sample.value_text(2, 2) == "document 2");
  CHECK(sample.value_text(2, 3) == "20");
}

TEST_CASE("what is missing is shown, and is no difference between equal rows") {
  RowSample sample(mixed_schema());
  const std::vector<double> numbers{kNan, 1.0};
  const std::int32_t missing = kMissingCode;
  const std::int32_t* const codes = &missing;
  const std::string_view none;
  const std::string_view* const texts = &none;
  RowBlock block;
  block.rows = 1;
  block.numeric = numbers.data();
  block.numeric_columns = block.numeric_stride = 2;
  block.codes = {&codes, 1};
  block.texts = {&texts, 1};
  sample.add(block, 0);
  CHECK(sample.value_text(0, 0) == "missing");
  CHECK(sample.value_text(0, 1) == "missing");
  CHECK(sample.value_text(0, 2) == "missing");
  const RowSample& copy = RowSample(sample);
  CHECK(sample.same_rows(copy));
  CHECK_FALSE(rows_counted(3).same_rows(rows_counted(4)));
  CHECK(rows_counted(3).same_rows(rows_counted(3)));
}

TEST_CASE("a sample is a source of its rows") {
  const RowSample sample = rows_counted(kBlockRows + 3);
  const auto source = sample.open();
  RowBuffer buffer;
  REQUIRE(source->take(buffer));
  REQUIRE(source->take(buffer));
  source->parse(buffer);
  CHECK(buffer.rows == 3);
  const RowBlock block = buffer.view();
  CHECK(block.numeric[0] == static_cast<double>(kBlockRows));
  CHECK(block.weight(2) == static_cast<double>(kBlockRows) + 3.0);
  CHECK(block.texts[0][0] == "document " + std::to_string(kBlockRows));
  CHECK_FALSE(source->take(buffer));
}

}  // namespace logodds::report
