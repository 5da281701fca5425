#include "report/importance.hpp"

#include <doctest/doctest.h>

#include <set>

#include "support/sample.hpp"

namespace logodds::report {

namespace {

/// Two classes, and columns of noise but for some that tell them apart.
test::Sample noise_with(const std::set<std::size_t>& telling, std::size_t rows,
                        std::size_t columns) {
  test::Sample sample{.columns = columns, .classes = 2, .values = {}, .labels = {}, .weights = {}};
  std::uint64_t state = 1;
  const auto uniform = [&state] {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state >> 11U) / 9007199254740992.0;
  };
  for (std::size_t r = 0; r < rows; ++r) {
    sample.labels.push_back(static_cast<std::int64_t>(r % 2));
    for (std::size_t c = 0; c < columns; ++c) {
      const double shift = telling.contains(c) ? static_cast<double>(r % 2) : 0.0;
      sample.values.push_back(uniform() + shift);
    }
  }
  return sample;
}

Importance importance_of(const test::Sample& sample, double most_values) {
  const auto model = std::move(fit(sample, {{"covariance", "diagonal"}}).model);
  std::vector<std::int32_t> codes;
  const RowBlock block = sample.block(codes);
  RowSample rows(model->schema());
  for (std::size_t r = 0; r < sample.rows(); ++r) { rows.add(block, r); }
  return column_importance(*model, rows, {}, most_values);
}

std::set<std::size_t> first(const Importance& importance, std::size_t n) {
  std::set<std::size_t> columns;
  for (std::size_t i = 0; i < std::min(n, importance.columns.size()); ++i) {
    columns.insert(importance.columns[i].column);
  }
  return columns;
}

}  // namespace

TEST_CASE("columns that tell the classes apart matter, noise does not") {
  const Importance all = importance_of(noise_with({1, 3}, 200, 5), kImportanceValues);
  CHECK(all.columns.size() == 5);
  CHECK(all.rows == 200);
  CHECK(all.left_out.empty());
  CHECK(first(all, 2) == std::set<std::size_t>{1, 3});
  CHECK(all.columns[1].loss > 4.0 * all.columns[1].standard_error);
  CHECK(std::abs(all.columns[4].loss) < 0.1 * all.columns[0].loss);
}

TEST_CASE("too many columns are tried in groups, and the page is told") {
  const std::set<std::size_t> telling{7, 300, 599};
  const test::Sample sample = noise_with(telling, 100, 600);
  // 600 columns by themselves: 50 rows x 600 x 600 x 2 classes = 3.6e7 values.
  const Importance some = importance_of(sample, 3.5e7);
  CHECK(first(some, 3) == telling);
  CHECK(some.columns.size() < 100);
  CHECK(some.left_out.starts_with("Of 600 columns"));
  CHECK(importance_of(sample, 3.7e7).columns.size() == 600);
  const Importance none = importance_of(sample, 1e7);
  CHECK(none.columns.empty());
  CHECK(none.left_out.starts_with("With 600 columns and 2 classes"));
}

TEST_CASE("rows that were not kept are spoken of") {
  const test::Sample sample = noise_with({0}, 10, 2);
  const auto model = std::move(fit(sample).model);
  const Importance none = column_importance(*model, RowSample(model->schema()), {});
  CHECK(none.columns.empty());
  CHECK(none.left_out.starts_with("Rows of 2 columns are not kept"));
}

}  // namespace logodds::report
