#include "logodds/posterior/isotonic.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "random/row_draws.hpp"

using logodds::posterior::isotonic;
using logodds::posterior::MonotoneLine;

namespace {

/// max over a <= i of min over b >= i of the mean of the points a ... b (Robertson, Wright &
/// Dykstra 1988), points of one x taken together.
std::map<double, double> by_formula(const std::vector<double>& x, const std::vector<double>& y,
                                    const std::vector<double>& w) {
  std::map<double, std::pair<double, double>> at;
  for (std::size_t n = 0; n < x.size(); ++n) {
    at[x[n]].first += w[n] * y[n];
    at[x[n]].second += w[n];
  }
  std::vector<double> keys;
  std::vector<double> sums{0.0};
  std::vector<double> weights{0.0};
  for (const auto& [key, sum] : at) {
    keys.push_back(key);
    sums.push_back(sums.back() + sum.first);
    weights.push_back(weights.back() + sum.second);
  }
  std::map<double, double> result;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    double best = -1e300;
    for (std::size_t a = 0; a <= i; ++a) {
      double least = 1e300;
      for (std::size_t b = i; b < keys.size(); ++b) {
        least = std::min(least, (sums[b + 1] - sums[a]) / (weights[b + 1] - weights[a]));
      }
      best = std::max(best, least);
    }
    result[keys[i]] = best;
  }
  return result;
}

}  // namespace

TEST_CASE("isotonic regression is what its formula says, with ties and weights") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    logodds::random::RowDraws draws(seed, 0);
    std::vector<double> x;
    std::vector<double> y;
    std::vector<double> w;
    const std::size_t rows = 1 + draws.bits() % 60;
    for (std::size_t n = 0; n < rows; ++n) {
      x.push_back(seed % 2 == 0 ? draws.normal() : static_cast<double>(draws.bits() % 9) - 4.0);
      y.push_back(seed % 3 == 0 ? static_cast<double>(draws.bits() % 2)
                                : x.back() + 2.0 * draws.normal());
      w.push_back(seed % 4 == 0 ? 1.0 : draws.uniform());
    }
    const MonotoneLine line = isotonic(x, y, w);
    for (const auto& [at, value] : by_formula(x, y, w)) {
      CHECK(line.at(at) == doctest::Approx(value).epsilon(1e-11));
    }
    CHECK(std::ranges::is_sorted(line.y));
    if (seed % 4 == 0) { CHECK(isotonic(x, y).y == line.y); }
  }
}

TEST_CASE("many points are sorted another way, with the same result") {
  std::vector<double> x;
  std::vector<double> y;
  for (std::uint64_t n = 0; n < 20000; ++n) {
    logodds::random::RowDraws draws(1, n);
    x.push_back(draws.normal() * (n % 2 == 0 ? 1e-5 : 1e5));
    y.push_back(static_cast<double>(draws.bits() % 2));
  }
  x[7] = 0.0;
  x[9] = -0.0;
  const MonotoneLine line = isotonic(x, y);
  CHECK(std::ranges::is_sorted(line.x));
  CHECK(std::ranges::is_sorted(line.y));
  CHECK(std::ranges::count(line.x, 0.0) <= 1);
  double sum = 0.0;  // the fit keeps the mean
  for (std::size_t n = 0; n < x.size(); ++n) { sum += line.at(x[n]) - y[n]; }
  CHECK(std::abs(sum) < 1e-8);
}

TEST_CASE("between knots it is linear, outside of them constant") {
  const std::vector<double> x{1, 2, 3, 4};
  const std::vector<double> y{0, 2, 1, 5};
  const MonotoneLine line = isotonic(x, y);
  CHECK(line.x == std::vector<double>{1, 2, 3, 4});
  CHECK(line.y == std::vector<double>{0, 1.5, 1.5, 5});
  CHECK(line.at(0) == 0.0);
  CHECK(line.at(1.5) == 0.75);
  CHECK(line.at(2.5) == 1.5);
  CHECK(line.at(9) == 5.0);
}
