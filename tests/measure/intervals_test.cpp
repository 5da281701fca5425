#include "measure/intervals.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace logodds::measure;

namespace {

/// P(X >= x) for X binomial.
double upper_tail(int x, int n, double p) {
  double sum = 0.0;
  for (int k = x; k <= n; ++k) {
    sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) +
                    k * std::log(p) + (n - k) * std::log1p(-p));
  }
  return sum;
}

Estimate share_of(double part, double whole) {
  return exact_share({part, part, whole, whole}, 0.95);
}

}  // namespace

TEST_CASE("the exact interval: at its ends the tails of the binomial are 2.5 %") {
  for (const auto& [x, n] : {std::pair{6, 344}, {1, 5}, {30, 40}}) {
    const Estimate found = share_of(x, n);
    CHECK(found.value == doctest::Approx(static_cast<double>(x) / n).epsilon(1e-15));
    CHECK(upper_tail(x, n, found.lower) == doctest::Approx(0.025).epsilon(1e-9));
    CHECK(1.0 - upper_tail(x + 1, n, found.upper) == doctest::Approx(0.025).epsilon(1e-9));
    CHECK(found.method == IntervalMethod::exact);
  }
}

TEST_CASE("the exact interval of none, of all, and of no rows") {
  const Estimate none = share_of(0.0, 20.0);
  CHECK(none.lower == 0.0);
  CHECK(none.upper == doctest::Approx(1.0 - std::pow(0.025, 1.0 / 20.0)).epsilon(1e-12));
  const Estimate all = share_of(20.0, 20.0);
  CHECK(all.upper == 1.0);
  CHECK(all.lower == doctest::Approx(std::pow(0.025, 1.0 / 20.0)).epsilon(1e-12));
  CHECK(std::isnan(share_of(0.0, 0.0).value));
}

TEST_CASE("the scale of weights changes nothing; unequal ones know less") {
  const Estimate plain = share_of(12.0, 40.0);
  const Estimate scaled = exact_share({36.0, 108.0, 120.0, 360.0}, 0.95);  // every weight 3
  CHECK(scaled.lower == doctest::Approx(plain.lower).epsilon(1e-12));
  CHECK(scaled.upper == doctest::Approx(plain.upper).epsilon(1e-12));
  const Estimate unequal = exact_share({12.0, 30.0, 40.0, 100.0}, 0.95);
  CHECK(unequal.lower < plain.lower);
  CHECK(unequal.upper > plain.upper);
}

TEST_CASE("quantiles of the normal and of Student's distribution") {
  CHECK(normal_quantile(0.95) == doctest::Approx(1.959963984540054).epsilon(1e-14));
  CHECK(student_quantile(0.95, 1.0) == doctest::Approx(12.70620473617471).epsilon(1e-12));
  CHECK(student_quantile(0.95, 30.0) == doctest::Approx(2.042272456301238).epsilon(1e-12));
  CHECK(student_quantile(0.95, 999999.0) == doctest::Approx(1.95996636).epsilon(1e-8));
}

TEST_CASE("a jackknife interval stays where the measure can be, and none comes from no spread") {
  const Estimate plain = jackknife(0.1, 0.01, 50.0, Scale::plain, 0.95, 0.0, 1.0);
  CHECK(plain.lower == 0.0);
  CHECK(plain.upper == doctest::Approx(0.1 + 0.1 * student_quantile(0.95, 49.0)));
  const Estimate logit = jackknife(0.9, 0.01, 50.0, Scale::logit, 0.95, 0.0, 1.0);
  CHECK(logit.lower > 0.0);
  CHECK(logit.upper < 1.0);
  CHECK(logit.lower < 0.9);
  CHECK(jackknife(1.0, 0.0, 50.0, Scale::logit, 0.95, 0.0, 1.0).method == IntervalMethod::none);
}

TEST_CASE("a few light rows that are wrong do not make a share better known than the rows can") {
  // 10 rows of weight 1 that are right, 2 of weight 0.1 that are wrong.
  const Estimate found = exact_share({0.2, 0.02, 10.2, 10.02}, 0.95);
  const Estimate plain = share_of(0.2, 10.2 * 10.2 / 10.02);
  CHECK(found.upper > 0.9 * plain.upper);
  const double huge = 1e200;
  const Estimate none = exact_share({huge, huge * huge, 2.0 * huge, huge * huge}, 0.95);
  CHECK(none.value == 0.5);
  CHECK(none.method == IntervalMethod::none);
}
