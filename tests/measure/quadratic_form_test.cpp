#include "measure/quadratic_form.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

using logodds::measure::probability_positive;
using logodds::measure::QuadraticForm;

namespace {

double positive(const std::vector<double>& squares, const std::vector<double>& slopes,
                double constant) {
  return probability_positive({squares, slopes, constant});
}

double normal_tail(double x) { return 0.5 * std::erfc(x / std::sqrt(2.0)); }

}  // namespace

TEST_CASE("quadratic form: laws that have a closed form, to 1e-11 of the probability") {
  const auto near = [](double expected) { return doctest::Approx(expected).epsilon(1e-11); };
  SUBCASE("a normal variable, far into its tail") {
    for (const double x : {-3.0, 0.0, 0.5, 2.0, 8.0, 30.0}) {
      CAPTURE(x);
      CHECK(positive({0.0}, {1.0}, -x) == near(normal_tail(x)));
      CHECK(positive({0.0, 0.0}, {3e6, 4e6}, -5e6 * x) == near(normal_tail(x)));
    }
  }
  SUBCASE("one square, positive and negative") {
    for (const double x : {1e-6, 0.1, 1.0, 30.0, 400.0}) {
      CAPTURE(x);
      CHECK(positive({1.0}, {0.0}, -x) == near(std::erfc(std::sqrt(x / 2.0))));
      CHECK(positive({-1.0}, {0.0}, x) == near(std::erf(std::sqrt(x / 2.0))));
    }
  }
  SUBCASE("two squares are exponential, four gamma") {
    CHECK(positive({2.0, 2.0}, {0.0, 0.0}, -7.0) == near(std::exp(-7.0 / 4.0)));
    CHECK(positive({1.0, 1.0, 1.0, 1.0}, {0.0, 0.0, 0.0, 0.0}, -6.0) == near(std::exp(-3.0) * 4.0));
  }
  SUBCASE("a square with its slope: (z + b)^2 > x") {
    const double b = 1.25;
    for (const double x : {0.01, 1.0, 4.0, 50.0}) {
      const double tails = normal_tail(std::sqrt(x) - b) + normal_tail(std::sqrt(x) + b);
      CHECK(positive({1.0}, {2.0 * b}, b * b - x) == near(tails));
    }
  }
  SUBCASE("a product of two normal variables is as often positive as not") {
    CHECK(positive({0.5, -0.5}, {0.0, 0.0}, 0.0) == near(0.5));
  }
}

TEST_CASE("quadratic form: nearly linear ones, and constants") {
  CHECK(positive({1e-13}, {1.0}, -2.0) == doctest::Approx(normal_tail(2.0)).epsilon(1e-10));
  CHECK(positive({-1e-300}, {1.0}, -2.0) == doctest::Approx(normal_tail(2.0)).epsilon(1e-10));
  CHECK(positive({0.0}, {0.0}, 1.0) == 1.0);
  CHECK(positive({0.0}, {0.0}, 0.0) == 0.0);
  CHECK(positive({}, {}, -1.0) == 0.0);
  CHECK(positive({1.0, 2.0}, {0.1, 0.0}, 3.0) == doctest::Approx(1.0));
  CHECK(positive({-1.0}, {0.0}, -3.0) == 0.0);
}

TEST_CASE("quadratic form: both signs add up to 1, whatever the form") {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  for (std::size_t d : {1UL, 2UL, 5UL, 20UL}) {
    for (int repeat = 0; repeat < 200; ++repeat) {
      std::vector<double> squares, slopes, minus_squares, minus_slopes;
      for (std::size_t i = 0; i < d; ++i) {
        squares.push_back(normal(random) * std::pow(10.0, 2.0 * normal(random)));
        slopes.push_back(normal(random) * std::pow(10.0, 2.0 * normal(random)));
        minus_squares.push_back(-squares.back());
        minus_slopes.push_back(-slopes.back());
      }
      const double constant = normal(random) * std::pow(10.0, 2.0 * normal(random));
      const double up = positive(squares, slopes, constant);
      const double down = positive(minus_squares, minus_slopes, -constant);
      CAPTURE(d);
      CAPTURE(up);
      CHECK(std::abs(up + down - 1.0) <= 1e-9);
    }
  }
}
