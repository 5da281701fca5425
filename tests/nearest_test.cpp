#include "logodds/nearest.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>
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

std::unique_ptr<Classifier> trained(std::vector<double> rows, const char* family,
                                    const std::map<std::string, std::string>& options = {}) {
  if (options.contains("metric")) {  // no row is without a direction
    for (double& value : rows) { value += 1.0; }
  }
  const std::size_t count = rows.size() / kColumns;
  std::vector<std::int64_t> labels(count);
  for (std::size_t r = 0; r < count; ++r) { labels[r] = static_cast<std::int64_t>(r % 2); }
  const auto source =
      open_matrix({.features = row_major(rows.data(), count, kColumns), .labels = labels.data()});
  return train(*source, family, options, {.threads = 2}).model;
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
  found.numbers.resize(rows.size() / kColumns * count);
  found.distances.resize(found.numbers.size());
  find_nearest(model, *source, count, {.threads = threads}, {found.numbers, found.distances});
  return found;
}

/// What scoring tells beside the votes.
Found scored(const Classifier& model, const std::vector<double>& rows, std::size_t count) {
  const auto source = open_matrix(
      {.features = row_major(rows.data(), rows.size() / kColumns, kColumns)}, model.schema());
  Found found;
  static_cast<void>(score(
      model, *source,
      [&](const ScoredBlock& block) {
        found.numbers.insert(found.numbers.end(), block.neighbors.begin(), block.neighbors.end());
        found.distances.insert(found.distances.end(), block.neighbor_distances.begin(),
                               block.neighbor_distances.end());
      },
      {.threads = 1}, {.missing = MissingRows::error, .neighbors = count}));
  return found;
}

}  // namespace

TEST_CASE("the nearest rows are those that scoring tells beside the votes [threads]") {
  const auto queries = drawn(3000, 2);
  for (const std::size_t size : {900UL, 2000UL, 20000UL}) {  // brute force, then trees
    CAPTURE(size);
    const auto model = trained(drawn(size, 1), "neighbors");
    const Found expected = scored(*model, queries, 7);
    CHECK(expected.numbers.size() == 21000);
    CHECK(nearest(*model, queries, 7, 1) == expected);
    CHECK(nearest(*model, queries, 7, 3) == expected);
  }
}

TEST_CASE("many rows are searched one batch after the other [threads]") {
  const auto model = trained(drawn(5000, 1), "neighbors");
  const auto queries = drawn(40000, 2);
  const Found expected = scored(*model, queries, 2);
  CHECK(nearest(*model, queries, 2, 1) == expected);
  CHECK(nearest(*model, queries, 2, 4) == expected);
}

TEST_CASE("rows without a direction are named, and so is a lack of room") {
  const auto rows = drawn(5000, 1);
  const auto model = trained(rows, "neighbors", {{"metric", "cosine"}});
  auto queries = rows;
  std::fill_n(queries.begin() + 3 * 2345, 3, 0.0);
  try {
    nearest(*model, queries, 1, 2);
    FAIL("a row of zeros was taken");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("row 2346") != std::string::npos);
  }
  const auto source = open_matrix({.features = row_major(rows.data(), 5000, kColumns)},
                                  trained(rows, "neighbors")->schema());
  std::vector<std::int64_t> numbers(4999);
  std::vector<double> distances(4999);
  CHECK_THROWS_AS(find_nearest(*model, *source, 1, {.threads = 2}, {numbers, distances}), Error);
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
