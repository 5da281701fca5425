#include "models/naive_bayes/columns/special.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

using namespace logodds::models::naive_bayes::columns;

namespace {

doctest::Approx near(double value) { return doctest::Approx(value).epsilon(1e-13); }

}  // namespace

TEST_CASE("log_factorial agrees with sums of logarithms") {
  double sum = 0.0;
  for (int x = 1; x < 400; ++x) {
    sum += std::log(x);
    CHECK(log_factorial(x) == near(sum));
  }
  CHECK(log_factorial(0) == 0.0);
  CHECK(log_factorial(1) == 0.0);
}

TEST_CASE("stirling_remainder: recurrence on both sides of the series") {
  // s(z) - s(z + 1) = (z + 1/2) ln(1 + 1/z) - 1
  for (double z = 0.5; z < 60.0; z += 0.37) {
    CAPTURE(z);
    const double expected = (z + 0.5) * std::log1p(1.0 / z) - 1.0;
    CHECK(std::fabs(stirling_remainder(z) - stirling_remainder(z + 1.0) - expected) < 1e-14);
  }
  CHECK(stirling_remainder(1e9) == near(1.0 / 12e9));
}

TEST_CASE("log_minus_digamma: known values, recurrence and slope") {
  constexpr double kEuler = 0.57721566490153286;
  CHECK(log_minus_digamma(1.0) == near(kEuler));
  CHECK(log_minus_digamma(0.5) == near(kEuler + 2.0 * std::log(2.0) - std::log(2.0)));
  // digamma(a + 1) = digamma(a) + 1 / a
  for (double a = 0.3; a < 40.0; a += 0.41) {
    CAPTURE(a);
    const double expected = std::log1p(1.0 / a) - 1.0 / a;
    CHECK(std::fabs(log_minus_digamma(a + 1.0) - log_minus_digamma(a) - expected) < 2e-14);
    const double step = 1e-5 * a;
    const double slope = (log_minus_digamma(a + step) - log_minus_digamma(a - step)) / (2 * step);
    CHECK(log_minus_digamma_slope(a) == doctest::Approx(slope).epsilon(1e-7));
  }
  CHECK(log_minus_digamma(1e12) == near(0.5e-12));
}

TEST_CASE("log1p_minus keeps its digits near 0") {
  for (const double u : {-0.9, -0.011, -0.0099, -1e-5, 1e-9, 0.005, 0.0099, 0.02, 3.0}) {
    const auto wide = static_cast<long double>(u);
    // the series where the long double difference cancels, too
    const long double expected = std::fabs(u) < 1e-4 ? -wide * wide / 2 + wide * wide * wide / 3 -
                                                           wide * wide * wide * wide / 4
                                                     : std::log1p(wide) - wide;
    CHECK(log1p_minus(u) == doctest::Approx(static_cast<double>(expected)).epsilon(1e-13));
  }
}
