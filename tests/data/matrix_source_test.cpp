// Arrays in the caller's memory: every layout, weights, labels, and what is refused.
#include "logodds/data/matrix_source.hpp"

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "csv_table.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

using Numbers = std::vector<std::vector<double>>;
constexpr std::ptrdiff_t kDouble = sizeof(double);
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const std::vector<double> kSix{1, 2, 3, 4, 5, 6};  // 3 x 2 or 2 x 3

Numbers numbers_of(const MatrixView& view) {
  return read_all(*open_matrix({.features = view})).numbers;
}

Schema two_reals() {
  Schema schema;
  schema.columns = {{"a", ColumnKind::real, {}}, {"b", ColumnKind::real, {}}};
  schema.labels = {"no", "yes"};
  return schema;
}

template <class... Bound>
std::string error_reading(MatrixData data, const Bound&... schema) {
  try {
    (void)read_all(*open_matrix(std::move(data), schema...));
  } catch (const Error& error) { return error.what(); }
  return "no error";
}

}  // namespace

TEST_CASE("row-major doubles are used where they lie") {
  const auto source = open_matrix({.features = row_major(kSix.data(), 3, 2)});
  CHECK(source->columns()[1].name == "x2");
  CHECK(source->place(6) == "row 7");
  RowBuffer buffer;
  REQUIRE(source->take(buffer));
  source->parse(buffer);
  CHECK(buffer.numeric_data == kSix.data());
  CHECK(buffer.numeric_stride == 2);
  CHECK(source->fraction_taken() == 1.0);
  CHECK_FALSE(source->take(buffer));
  CHECK(numbers_of(row_major(kSix.data(), 3, 2)) == Numbers{{1, 3, 5}, {2, 4, 6}});
}

TEST_CASE("column-major, reversed, transposed and sliced arrays") {
  const double* const data = kSix.data();
  constexpr auto k64 = Scalar::float64;
  CHECK(numbers_of({data, k64, 3, 2, kDouble, 3 * kDouble}) == Numbers{{1, 2, 3}, {4, 5, 6}});
  CHECK(numbers_of({data + 4, k64, 3, 2, -2 * kDouble, kDouble}) == Numbers{{5, 3, 1}, {6, 4, 2}});
  CHECK(numbers_of({data + 5, k64, 3, 2, -2 * kDouble, -kDouble}) == Numbers{{6, 4, 2}, {5, 3, 1}});
  CHECK(numbers_of({data + 1, k64, 2, 2, 3 * kDouble, kDouble}) == Numbers{{2, 5}, {3, 6}});
  CHECK(numbers_of({data, k64, 2, 2, 3 * kDouble, 2 * kDouble}) == Numbers{{1, 4}, {3, 6}});
  CHECK(numbers_of({data, k64, 3, 2, 0, kDouble}) == Numbers{{1, 1, 1}, {2, 2, 2}});
}

TEST_CASE("float32 is widened, in either order") {
  const std::array<float, 4> values{0.5F, 0.1F, -2.0F, 3.0F};
  constexpr std::ptrdiff_t kFloat = sizeof(float);
  const auto tenth = static_cast<double>(0.1F);
  CHECK(numbers_of({values.data(), Scalar::float32, 2, 2, 2 * kFloat, kFloat}) ==
        Numbers{{0.5, -2}, {tenth, 3}});
  CHECK(numbers_of({values.data(), Scalar::float32, 2, 2, kFloat, 2 * kFloat}) ==
        Numbers{{0.5, tenth}, {-2, 3}});
}

TEST_CASE("every row comes once, in blocks, when the array must be converted") {
  constexpr std::size_t kRows = 2 * kBlockRows + 5;
  std::vector<double> columns(2 * kRows);
  for (std::size_t i = 0; i < columns.size(); ++i) { columns[i] = static_cast<double>(i); }
  const MatrixView view{columns.data(), Scalar::float64,
                        kRows,          2,
                        kDouble,        kDouble * static_cast<std::ptrdiff_t>(kRows)};
  const Table table = read_all(*open_matrix({.features = view}));
  CHECK(table.blocks == 3);
  const auto middle = columns.begin() + static_cast<std::ptrdiff_t>(kRows);
  CHECK(table.numbers[0] == std::vector<double>(columns.begin(), middle));
  CHECK(table.numbers[1] == std::vector<double>(middle, columns.end()));
}

TEST_CASE("rows of weight 0 leave no trace, neither labels nor kinds") {
  const std::vector<double> values{1, 0.5, 0};
  const std::vector<double> weights{2, 0, 0.5};
  const std::vector<std::int64_t> labels{7, 8, -9};
  const auto source = open_matrix({.features = row_major(values.data(), 3, 1),
                                   .labels = labels.data(),
                                   .weights = weights.data()});
  RowBuffer buffer;
  REQUIRE(source->take(buffer));
  source->parse(buffer);
  CHECK(buffer.rows == 2);
  CHECK(buffer.weights == std::vector<double>{2, 0.5});
  CHECK(buffer.label_values.values() == std::vector<std::string>{"7", "-9"});
  CHECK(buffer.labels == std::vector<std::int32_t>{0, 1});
  CHECK(buffer.row_numbers == std::vector<std::size_t>{0, 2});
  CHECK(buffer.facts[0].zero_one);
}

TEST_CASE("weights must be finite and not negative") {
  for (const double bad : {-1.0, kInfinity, kMissingNumber}) {
    const std::vector<double> weights{1, bad, 1};
    const auto sentence =
        error_reading({.features = row_major(kSix.data(), 3, 2), .weights = weights.data()});
    CHECK(sentence == "row 2: the weight " + format_number(bad) +
                          " is not a finite number of at least 0; correct it");
  }
}

TEST_CASE("NaN and infinity are refused with row and column; NaN may mean missing") {
  std::vector<double> values = kSix;
  const auto data = [&](bool allow_missing) {
    return MatrixData{.features = row_major(values.data(), 3, 2),
                      .names = {"a", "b"},
                      .allow_missing = allow_missing};
  };
  values[3] = kMissingNumber;
  CHECK(error_reading(data(false)) ==
        "row 2, column 'b': input X contains NaN; remove the row or replace the value");
  CHECK(error_reading(data(true)) == "no error");
  values[4] = -kInfinity;
  for (const bool allow_missing : {false, true}) {
    values[3] = allow_missing ? kMissingNumber : 4;
    CHECK(error_reading(data(allow_missing)) ==
          "row 3, column 'a': input X contains infinity; remove the row or replace the value");
  }
}

TEST_CASE("labels are codes into names, or integers that are the labels") {
  const std::vector<std::int64_t> labels{1, 0, 1};
  MatrixData data{.features = row_major(kSix.data(), 3, 2), .labels = labels.data()};
  CHECK(read_all(*open_matrix(data)).labels == std::vector<std::string>{"1", "0", "1"});
  data.label_names = {"no", "yes"};
  CHECK(read_all(*open_matrix(data)).labels == std::vector<std::string>{"yes", "no", "yes"});
  const std::vector<std::int64_t> far{-3, 253, 1LL << 40U};  // -3 and 253 agree modulo 256
  const Table table =
      read_all(*open_matrix({.features = row_major(kSix.data(), 3, 2), .labels = far.data()}));
  CHECK(table.labels == std::vector<std::string>{"-3", "253", "1099511627776"});
}

TEST_CASE("a bound array takes its names from the model, and its labels are the model's codes") {
  const Schema schema = two_reals();
  const std::vector<std::int64_t> labels{1, 1, 0};
  const std::vector<double> weights{1, 0, 3};
  const auto source = open_matrix({.features = row_major(kSix.data(), 3, 2),
                                   .labels = labels.data(),
                                   .weights = weights.data()},
                                  schema);
  CHECK(source->columns()[1].name == "b");
  const Table table = read_all(*source, &schema);
  CHECK(table.labels == std::vector<std::string>{"yes", "no"});
  CHECK(table.row_numbers == std::vector<std::size_t>{0, 2});
}

TEST_CASE("an array that does not fit the model is refused") {
  Schema schema = two_reals();
  CHECK(error_reading({.features = row_major(kSix.data(), 2, 3)}, schema) ==
        "the array has 3 columns, but the model was trained on 2");
  schema.columns[1].levels = {"p", "q"};
  CHECK(
      error_reading({.features = row_major(kSix.data(), 3, 2)}, schema).find("column 'b' holds") !=
      std::string::npos);
}
