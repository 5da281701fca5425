#include "models/linear/linear_scores.hpp"

#include <doctest/doctest.h>

using namespace logodds;
using namespace logodds::models::linear;
using Values = std::vector<double>;

namespace {

constexpr std::size_t kColumns = 300;  // more than are spread out

struct Sparse {
  std::vector<std::size_t> starts{3, 5, 5, 8};  // the first need not be 0
  std::vector<std::uint32_t> indices{9, 9, 9, 0, 3, 1, 2, 4};
  Values values{-1, -1, -1, 2.5, -1, 7, 0.5, 1e3};
  [[nodiscard]] RowBlock block() const {
    return {.rows = 3,
            .numeric_columns = kColumns,
            .sparse = {starts.data(), indices.data(), values.data()},
            .codes = {}};
  }
};

Values dense_rows() {
  Values rows(3 * kColumns, 0.0);
  rows[0] = 2.5;
  rows[3] = -1;
  rows[2 * kColumns + 1] = 7;
  rows[2 * kColumns + 2] = 0.5;
  rows[2 * kColumns + 4] = 1e3;
  return rows;
}

LinearScores made_scores(std::size_t classes) {
  Schema schema{.columns = {}, .target = "y", .labels = {}};
  for (std::size_t c = 0; c < kColumns; ++c) {
    schema.columns.push_back({"x" + std::to_string(c), ColumnKind::real, {}});
  }
  for (std::size_t k = 0; k < classes; ++k) { schema.labels.push_back(std::to_string(k)); }
  Values coefficients;
  Values bias;
  for (std::size_t i = 0; i < kColumns * classes; ++i) {
    coefficients.push_back(static_cast<double>((i * 37) % 19) / 4.0 - 2.0);
  }
  for (std::size_t k = 0; k < classes; ++k) { bias.push_back(static_cast<double>(k) - 1.5); }
  Values center(kColumns, 0.25);
  center[1] = -2;
  return {schema.labels, Features(schema, OneHot::full), center, coefficients, bias};
}

}  // namespace

TEST_CASE("sparse rows have the scores of the same rows dense, for any number of classes") {
  const Sparse sparse;
  const Values rows = dense_rows();
  const RowBlock dense{.rows = 3,
                       .numeric = rows.data(),
                       .numeric_columns = kColumns,
                       .numeric_stride = kColumns,
                       .codes = {}};
  for (const std::size_t classes : {2UL, 3UL, 4UL, 5UL, 8UL, 20UL}) {
    const LinearScores scores = made_scores(classes);
    Values a(3 * classes);
    Values b(3 * classes);
    scores.log_scores(dense, a);
    scores.log_scores(sparse.block(), b);
    for (std::size_t i = 0; i < a.size(); ++i) { CHECK(b[i] == doctest::Approx(a[i])); }
  }
}

TEST_CASE("terms of sparse rows are those of the same rows dense") {
  const Sparse sparse;
  const LinearScores scores = made_scores(3);
  const std::vector<std::int32_t> first{0, 1, 2};
  const std::vector<std::int32_t> second{1, 2, 0};
  Values terms(3 * kColumns);
  Values base(3);
  Values all(3 * 3);
  scores.contributions(sparse.block(), first, second, terms, base);
  scores.log_scores(sparse.block(), all);
  for (std::size_t r = 0; r < 3; ++r) {
    double sum = base[r];
    for (std::size_t i = 0; i < kColumns; ++i) { sum += terms[r * kColumns + i]; }
    const double odds = all[r * 3 + static_cast<std::size_t>(first[r])] -
                        all[r * 3 + static_cast<std::size_t>(second[r])];
    CHECK(sum == doctest::Approx(odds));
  }
}
