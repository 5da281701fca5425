#include "models/naive_bayes/columns/bump_cells.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace logodds::models::naive_bayes::columns;

namespace {

/// `count` values from `low` on, `step` apart.
std::vector<double> ladder(std::size_t count, double low, double step) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) { values[i] = low + step * static_cast<double>(i); }
  return values;
}

}  // namespace

TEST_CASE("bump cells: many equally spaced values give a flat sum") {
  // sum exp(-(i s)^2 / 2 h^2) = sqrt(2 pi) h / s, but for exp(-2 pi^2 h^2 / s^2)
  constexpr double kStep = 0.01;
  const auto values = ladder(4001, -20.0, kStep);
  const std::vector<double> weights(values.size(), 2.0);
  const BumpCells cells(values, weights, 1.0);
  const double expected = std::log(2.0 * std::sqrt(2.0 * M_PI) / kStep);
  for (const double x : {-10.0, -3.21, 0.0, 0.25, 7.77, 10.0}) {
    const auto found = cells.log_sum(x);
    REQUIRE(found.has_value());
    CHECK(std::fabs(*found - expected) < 1e-14);
  }
}

TEST_CASE("bump cells: nothing where values are few or far") {
  auto values = ladder(1000, 0.0, 0.01);
  for (const double value : ladder(100, 1000.0, 0.01)) { values.push_back(value); }
  for (const double value : ladder(1000, 2000.0, 0.01)) { values.push_back(value); }
  const std::vector<double> weights(values.size(), 1.0);
  const BumpCells cells(values, weights, 1.0);
  for (const double x : {0.0, 5.0, 13.0, 2000.0, 2005.0}) { CHECK(cells.log_sum(x).has_value()); }
  for (const double x : {-1e300, -30.0, -7.0, 17.5, 500.0, 1000.5, 1993.0, 1e4, 1e300}) {
    CHECK_FALSE(cells.log_sum(x).has_value());
  }
  CHECK_FALSE(BumpCells(ladder(200, 0.0, 0.01), weights, 1.0).log_sum(1.0).has_value());
}

TEST_CASE("bump cells: nothing where numbers of cells would not be exact, or out of range") {
  const auto answers = [](double low, double step, double width) {
    const auto values = ladder(2000, low, step);
    const std::vector<double> weights(values.size(), 1.0);
    return BumpCells(values, weights, width).log_sum(values[1000]).has_value();
  };
  CHECK(answers(0.0, 0.01, 1.0));
  CHECK(answers(1e12, 0.01, 1.0));
  CHECK_FALSE(answers(1e16, 2.0, 1.0));
  CHECK_FALSE(answers(0.0, 1e-307, 1e-305));
}
