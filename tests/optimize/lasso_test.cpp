#include "logodds/optimize/lasso.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace logodds::optimize;

namespace {

// 1/2 a (x - 3)^2 + 1/2 b (y - 0.1)^2 + 1/2 (z + 2)^2, separable, so that the optimum with costs c
// is the soft threshold: x = 3 - c / a, y = 0 for c >= 0.1 b, z = -2 + c.
double smooth(std::span<const double> t, std::span<double> g) {
  g[0] = 4.0 * (t[0] - 3.0);
  g[1] = 2.0 * (t[1] - 0.1);
  g[2] = t[2] + 2.0;
  return 2.0 * (t[0] - 3.0) * (t[0] - 3.0) + (t[1] - 0.1) * (t[1] - 0.1) +
         0.5 * (t[2] + 2.0) * (t[2] + 2.0);
}

void hessian(std::span<const double>, std::span<double> h) {
  h[0] = 4.0;
  h[4] = 2.0;
  h[8] = 1.0;
  h[3] = h[6] = h[7] = 0.0;
}

const std::vector<double> kCosts{1.0, 0.5, 0.0};

void check_thresholds(const Result& result) {
  CHECK(result.converged);
  CHECK(std::abs(result.theta[0] - 2.75) < 1e-7);
  CHECK(result.theta[1] == 0.0);  // exactly
  CHECK(std::abs(result.theta[2] + 2.0) < 1e-7);
  const double value = 2.0 * 0.0625 + 0.01 + 2.75;
  CHECK(result.value == doctest::Approx(value).epsilon(1e-10));
}

}  // namespace

TEST_CASE("OWL-QN and proximal Newton: soft thresholds, with exact zeros") {
  for (const std::vector<double>& start :
       {std::vector<double>{0.0, 0.0, 0.0}, std::vector<double>{-5.0, 3.0, 2.0}}) {
    check_thresholds(minimize_owlqn(smooth, kCosts, start));
    check_thresholds(minimize_proximal_newton(smooth, hessian, kCosts, start));
  }
}

TEST_CASE("proximal Newton: a quadratic takes one step; costs large enough make all 0") {
  const auto one = minimize_proximal_newton(smooth, hessian, kCosts, {1.0, 1.0, 1.0});
  CHECK(one.iterations <= 2);
  const std::vector<double> large{100.0, 100.0, 100.0};
  for (const auto& result : {minimize_proximal_newton(smooth, hessian, large, {1.0, -1.0, 0.0}),
                             minimize_owlqn(smooth, large, {1.0, -1.0, 0.0})}) {
    CHECK(result.converged);
    CHECK(result.theta == std::vector<double>{0.0, 0.0, 0.0});
    CHECK(result.gradient_norm == 0.0);
  }
}

TEST_CASE("OWL-QN: the trace goes down and the iterations are kept") {
  std::vector<Step> steps;
  const auto result = minimize_owlqn(
      smooth, kCosts, {-5.0, 3.0, 2.0},
      {.max_iterations = 3, .trace = [&](const Step& step) { steps.push_back(step); }});
  CHECK(result.iterations <= 3);
  REQUIRE(steps.size() == result.iterations + 1);
  for (std::size_t i = 1; i < steps.size(); ++i) { CHECK(steps[i].value < steps[i - 1].value); }
}

// 1/2 (x + y - 3)^2 + e/2 (x - y - 1)^2 with small e: coordinate descent would take 1 / e sweeps.
// As long as both stay positive x - y = 1, and x + y = 3 - c.
TEST_CASE("proximal Newton: columns that are nearly the same") {
  for (const double e : {1e-4, 1e-8, 1e-11}) {
    const ObjectiveFunction valley = [e](std::span<const double> t, std::span<double> g) {
      const double sum = t[0] + t[1] - 3.0;
      const double difference = t[0] - t[1] - 1.0;
      g[0] = sum + e * difference;
      g[1] = sum - e * difference;
      return 0.5 * (sum * sum + e * difference * difference);
    };
    const HessianFunction curved = [e](std::span<const double>, std::span<double> h) {
      h[0] = h[3] = 1.0 + e;
      h[2] = 1.0 - e;
    };
    for (const double c : {0.0, 1e-3, 0.5}) {
      const auto result = minimize_proximal_newton(valley, curved, std::vector{c, c}, {5.0, 0.0},
                                                   {.gradient_tolerance = 1e-13});
      CAPTURE(e);
      CAPTURE(c);
      CHECK(result.iterations <= 5);
      CHECK(std::abs(result.theta[0] - (4.0 - c) / 2.0) < 1e-14 / e);
      CHECK(std::abs(result.theta[1] - (2.0 - c) / 2.0) < 1e-14 / e);
    }
  }
}
