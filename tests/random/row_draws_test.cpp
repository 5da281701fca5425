#include "random/row_draws.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace logodds::random;

namespace {

constexpr int kRows = 100000;
constexpr int kDraws = 10;
constexpr int kCount = kRows * kDraws;

/// Ten draws from each of many rows.
template <class Draw>
std::vector<double> sample(const Draw& draw) {
  std::vector<double> values;
  for (std::uint64_t row = 0; row < kRows; ++row) {
    RowDraws draws(42, row);
    for (int i = 0; i < kDraws; ++i) { values.push_back(draw(draws)); }
  }
  return values;
}

double correlation(const std::vector<double>& values, std::size_t lag) {
  double sum = 0.0;
  for (std::size_t i = lag; i < values.size(); ++i) { sum += values[i] * values[i - lag]; }
  return sum / static_cast<double>(values.size() - lag);
}

}  // namespace

TEST_CASE("Rows and seeds have their own numbers, whatever was drawn before") {
  RowDraws first(1, 5);
  RowDraws again(1, 5);
  RowDraws other_row(1, 6);
  RowDraws other_seed(2, 5);
  RowDraws far_row(1, 5 + (std::uint64_t{1} << 32U));
  RowDraws far_seed(1 + (std::uint64_t{1} << 32U), 5);
  for (int i = 0; i < 5; ++i) {
    const std::uint64_t bits = first.bits();
    CHECK(bits == again.bits());
    for (RowDraws* draws : {&other_row, &other_seed, &far_row, &far_seed}) {
      CHECK(bits != draws->bits());
    }
  }
}

TEST_CASE("A million uniform draws fill their bins evenly") {
  const std::vector<double> values = sample([](RowDraws& draws) { return draws.uniform(); });
  constexpr std::size_t kBins = 1000;
  std::vector<int> bins(kBins, 0);
  CHECK(*std::ranges::min_element(values) > 0.0);
  REQUIRE(*std::ranges::max_element(values) < 1.0);
  for (const double value : values) { ++bins[static_cast<std::size_t>(value * kBins)]; }
  const double expected = static_cast<double>(kCount) / kBins;
  double chi_square = 0.0;
  for (const int count : bins) { chi_square += (count - expected) * (count - expected) / expected; }
  // 999 degrees of freedom: mean 999, standard deviation 44.7
  CHECK(chi_square > 999.0 - 4 * 44.7);
  CHECK(chi_square < 999.0 + 4 * 44.7);
}

TEST_CASE("A million normal draws have the normal law's moments and distribution") {
  std::vector<double> values = sample([](RowDraws& draws) { return draws.normal(); });
  double moments[5] = {};
  for (const double value : values) {
    for (int power = 1; power <= 4; ++power) { moments[power] += std::pow(value, power) / kCount; }
  }
  const double error = 1.0 / std::sqrt(kCount);  // of a mean of numbers with variance 1
  CHECK(std::fabs(moments[1]) < 4 * error);
  CHECK(std::fabs(moments[2] - 1.0) < 4 * std::sqrt(2.0) * error);
  CHECK(std::fabs(moments[3]) < 4 * std::sqrt(15.0) * error);
  CHECK(std::fabs(moments[4] - 3.0) < 4 * std::sqrt(96.0) * error);
  for (const std::size_t lag : {1UL, 2UL, 3UL, 10UL}) {
    CHECK(std::fabs(correlation(values, lag)) < 4 * error);
  }
  std::ranges::sort(values);
  double distance = 0.0;  // Kolmogorov-Smirnov
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double law = 0.5 * std::erfc(-values[i] / std::sqrt(2.0));
    distance = std::max({distance, law - static_cast<double>(i) / kCount,
                         static_cast<double>(i + 1) / kCount - law});
  }
  CHECK(distance < 1.95 / std::sqrt(kCount));  // level 0.001
}
