#include "models/naive_bayes/columns/bump_tails.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace logodds::models::naive_bayes::columns;

namespace {

constexpr double kWidth = 0.5;
constexpr double kReach = 110.0;

/// ln sum w exp(-d (z + d / 2)) over all values on the side of the edge.
double plain(const std::vector<double>& values, const std::vector<double>& weights,
             BumpTails::Side side, std::size_t edge, double z) {
  long double sum = 0.0L;
  const bool below = side == BumpTails::Side::below;
  for (std::size_t v = below ? 0 : edge; v < (below ? edge + 1 : values.size()); ++v) {
    const long double d =
        std::fabs(static_cast<long double>(values[v]) - static_cast<long double>(values[edge])) /
        static_cast<long double>(kWidth);
    sum += static_cast<long double>(weights[v]) *
           std::exp(-d * (static_cast<long double>(z) + 0.5L * d));
  }
  return static_cast<double>(std::log(sum));
}

void check(const std::vector<double>& values, std::size_t edge, BumpTails::Side side) {
  std::vector<double> weights;
  for (std::size_t v = 0; v < values.size(); ++v) {
    weights.push_back(1.0 + static_cast<double>(v % 5));
  }
  const BumpTails tails(values, kWidth, kReach);
  for (double z = BumpTails::kLeast; z < 1e7; z *= 1.013) {
    CAPTURE(z);
    CAPTURE(edge);
    CHECK(std::fabs(tails.log_sum(values, weights, side, edge, z) -
                    plain(values, weights, side, edge, z)) < 1e-14);
  }
}

}  // namespace

TEST_CASE("bump tails: the plain sum behind a hard edge, behind a soft one, and behind a gap") {
  std::mt19937_64 generator(3);
  std::vector<double> values;
  for (int i = 0; i < 4000; ++i) {
    values.push_back(std::uniform_real_distribution<double>(0.0, 10.0)(generator));
    values.push_back(std::normal_distribution<double>(40.0, 2.0)(generator));
  }
  std::ranges::sort(values);
  const auto gap =
      static_cast<std::size_t>(std::ranges::upper_bound(values, 20.0) - values.begin());
  check(values, 0, BumpTails::Side::above);
  check(values, gap - 1, BumpTails::Side::below);
  check(values, gap, BumpTails::Side::above);
  check(values, values.size() - 1, BumpTails::Side::below);
}

TEST_CASE("bump tails: the plain sum behind a light value with heavy ones at a distance") {
  std::vector<double> values{0.0};
  for (int i = 0; i < 3000; ++i) { values.push_back(2.0 + 0.001 * i); }
  check(values, 0, BumpTails::Side::above);
}
