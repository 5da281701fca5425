#include "logodds/nearest.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "logodds/data/matrix_source.hpp"
#include "logodds/error.hpp"
#include "logodds/logodds.hpp"

using namespace logodds;

namespace {

constexpr std::size_t kColumns = 3;

std::vector<double> drawn(std::size_t rows, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<double> values(rows * kColumns);
  for (double& value : values) { value = static_cast<double>(random() % 64) / 8.0; }  // with ties
  return values;
}

std::unique_ptr<Classifier> trained(const std::vector<double>& rows, const char* family) {
  const std::size_t count = rows.size() / kColumns;
  std::vector<std::int64_t> labels(count);
  for (std::size_t r = 0; r < count; ++r) { labels[r] = static_cast<std::int64_t>(r % 2); }
  const auto source =
      open_matrix({.features = row_major(rows.data(), count, kColumns), .labels = labels.data()});
  return train(*source, family, {}, {.threads = 2}).model;
}

struct Found {
  std::vector<std::int64_t> numbers;
  std::vector<double> distances;
  bool operator==(const Found&) const = default;
};

Found nearest(const Classifier& model, const std::vector<double>& rows, std::size_t count,
              int threads) {
  const auto source = open_matrix(
      {.features = row_major(rows.data(), rows.size() / kColumns, kColumns)}, model.schema());
  Found found;
  find_nearest(model, *source, count, {.threads = threads}, [&](const NearestBlock& block) {
    found.numbers.insert(found.numbers.end(), block.numbers.begin(), block.numbers.end());
    found.distances.insert(found.distances.end(), block.distances.begin(), block.distances.end());
  });
  return found;
}

}  // namespace

TEST_CASE("the nearest rows are those that scoring tells beside the votes [threads]") {
  const auto rows = drawn(2000, 1);
  const auto queries = drawn(3000, 2);
  const auto model = trained(rows, "neighbors");
  const auto source =
      open_matrix({.features = row_major(queries.data(), 3000, kColumns)}, model->schema());
  Found expected;
  static_cast<void>(score(*model, *source,
                          [&](const ScoredBlock& block) {
                            expected.numbers.insert(expected.numbers.end(), block.neighbors.begin(),
                                                    block.neighbors.end());
                            expected.distances.insert(expected.distances.end(),
                                                      block.neighbor_distances.begin(),
                                                      block.neighbor_distances.end());
                          },
                          {.threads = 1}, {.missing = MissingRows::error, .neighbors = 7}));
  CHECK(expected.numbers.size() == 21000);
  CHECK(nearest(*model, queries, 7, 1) == expected);
  CHECK(nearest(*model, queries, 7, 3) == expected);
}

TEST_CASE("the nearest rows of models without rows, of too few and of gaps are refused") {
  const auto rows = drawn(50, 1);
  const auto model = trained(rows, "neighbors");
  CHECK_THROWS_AS(nearest(*trained(rows, "gaussian"), rows, 1, 1), Error);
  CHECK_THROWS_AS(nearest(*model, rows, 51, 1), Error);
  CHECK_THROWS_AS(nearest(*model, rows, 0, 1), Error);
  auto gaps = rows;
  gaps[7] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(nearest(*model, gaps, 1, 1), Error);
}
