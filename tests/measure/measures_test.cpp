#include "logodds/measure/measures.hpp"

#include <doctest/doctest.h>

#include <cmath>

using logodds::measure::Measures;

TEST_CASE("measures of three rows, worked by hand") {
  Measures measures(2);
  const std::vector<double> sure{0.9, 0.1};
  const std::vector<double> even{0.5, 0.5};
  const std::vector<double> wrong{0.8, 0.2};
  measures.add(0, sure);
  measures.add(0, even);  // a tie goes to the first class: right
  measures.add(1, wrong, 2.0);
  CHECK(measures.rows() == 3);
  CHECK(measures.weight() == 4.0);
  CHECK(measures.errors() == 2.0);
  CHECK(measures.error_rate() == 0.5);
  CHECK(measures.accuracy() == 0.5);
  CHECK(measures.confusion() == std::vector<double>{2, 0, 2, 0});
  CHECK(measures.log_loss() ==
        doctest::Approx(-(std::log(0.9) + std::log(0.5) + 2 * std::log(0.2)) / 4).epsilon(1e-15));
  CHECK(measures.brier() == doctest::Approx((0.02 + 0.5 + 2 * 1.28) / 4).epsilon(1e-15));
}

TEST_CASE("a posterior of 0 for the truth costs much, but not infinitely much") {
  Measures measures(2);
  const std::vector<double> never{0.0, 1.0};
  measures.add(0, never);
  CHECK(measures.log_loss() == doctest::Approx(708.396).epsilon(1e-5));
  CHECK(measures.brier() == 2.0);
  CHECK(measures.rows_ruled_out() == 1);
}

TEST_CASE("merged measures are those of all rows") {
  Measures one(3);
  Measures other(3);
  Measures both(3);
  const std::vector<double> p{0.2, 0.5, 0.3};
  one.add(1, p);
  both.add(1, p);
  other.add(2, p, 3.0);
  both.add(2, p, 3.0);
  one.merge(other);
  CHECK(one.confusion() == both.confusion());
  CHECK(one.log_loss() == both.log_loss());
  CHECK(one.rows() == 2);
}
