#include "plots/plane_columns.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <random>

#include "plots/plane_support.hpp"
#include "plots/plot_options.hpp"

using namespace logodds;
using test::input_of;
using test::Sample;

namespace {

std::pair<std::size_t, std::size_t> pair_of(const Sample& sample,
                                            const std::map<std::string, std::string>& given = {}) {
  const Fit fit = test::trained(sample, "naive-bayes");
  const auto rows =
      plots::plane_rows(input_of(*fit.model, sample), *fit.model, "regions", Context{});
  return plots::chosen_pair(fit.model->schema(), rows, Options(plots::plane_options(), given));
}

/// Columns that say nothing about the class, nor about each other.
Sample noise(std::size_t columns) {
  std::mt19937_64 random(21);
  std::normal_distribution<double> any;
  Sample sample{.columns = columns, .classes = 2, .values = {}, .labels = {}, .weights = {}};
  for (std::size_t r = 0; r < 120; ++r) {
    sample.labels.push_back(static_cast<std::int64_t>(r % 2));
    for (std::size_t c = 0; c < columns; ++c) { sample.values.push_back(any(random)); }
  }
  return sample;
}

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("the pair that is chosen holds the columns that tell most, in the order of the data") {
  Sample sample = noise(5);
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    sample.values[5 * r + 1] += 6.0 * static_cast<double>(r % 2);
    sample.values[5 * r + 3] += 6.0 * static_cast<double>(r % 2);
  }
  CHECK(pair_of(sample) == std::pair<std::size_t, std::size_t>{1, 3});
  CHECK(pair_of(sample, {{"y", "x1"}}).second == 0);
  CHECK(pair_of(sample, {{"x", "x5"}}).first == 4);
}

TEST_CASE("a column that is one number in each class separates best, and is chosen") {
  Sample sample = noise(4);
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    sample.values[4 * r + 2] = 1.5 * static_cast<double>(r % 2);
    sample.values[4 * r + 3] += 2.0 * static_cast<double>(r % 2);
  }
  CHECK(pair_of(sample) == std::pair<std::size_t, std::size_t>{2, 3});
}

TEST_CASE("of two columns that are the same, one is drawn") {
  Sample sample = noise(3);
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    sample.values[3 * r] += 6.0 * static_cast<double>(r % 2);
    sample.values[3 * r + 1] = sample.values[3 * r];
  }
  const auto pair = pair_of(sample);
  CHECK(pair.second == 2);
}

TEST_CASE("columns are compared by the rows that have both, though no row has all") {
  Sample sample = noise(5);
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    sample.values[5 * r + 2] += 6.0 * static_cast<double>(r % 2);
    sample.values[5 * r + 4] += 6.0 * static_cast<double>(r % 2);
    sample.values[5 * r + r / 2 % 2] = kMissing;  // every row lacks x1 or x2
  }
  CHECK(pair_of(sample) == std::pair<std::size_t, std::size_t>{2, 4});
}
