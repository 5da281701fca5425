#include "logodds/posterior/posterior.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using logodds::posterior::from_log_scores;

namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("posteriors of two classes are the sigmoid of the log odds") {
  for (const double a : {-800.0, -30.0, -1.5, 0.0, 2.0, 40.0}) {
    std::vector<double> p{a, 0.0};
    from_log_scores(p, 2);
    CHECK(p[0] == doctest::Approx(1.0 / (1.0 + std::exp(-a))).epsilon(1e-14));
    CHECK(p[0] + p[1] == doctest::Approx(1.0).epsilon(1e-15));
  }
}

TEST_CASE("a constant added to every score of a row changes nothing") {
  std::vector<double> p{1.0, 2.0, 4.0, 1.0 - 1e5, 2.0 - 1e5, 4.0 - 1e5};
  from_log_scores(p, 3);
  for (std::size_t k = 0; k < 3; ++k) { CHECK(p[k] == doctest::Approx(p[3 + k]).epsilon(1e-10)); }
}

TEST_CASE("-infinity is a score: posterior 0, and a row of nothing else is uniform") {
  std::vector<double> p{kNothing, 0.0, 0.0, kNothing, kNothing, kNothing};
  from_log_scores(p, 3);
  CHECK(p == std::vector<double>{0.0, 0.5, 0.5, 1.0 / 3, 1.0 / 3, 1.0 / 3});
}

TEST_CASE("the first row whose scores overflowed is found") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto first = [](std::vector<double> scores) {
    return logodds::posterior::first_overflow(scores, 2);
  };
  CHECK(first({1.0, kNothing, 2.0, 3.0}) == 2);
  CHECK(first({1.0, 2.0, nan, 3.0}) == 1);
  CHECK(first({-kNothing, 2.0, 1.0, 3.0}) == 0);
  CHECK(first({1.0, 2.0, kNothing, kNothing}) == 1);
}
