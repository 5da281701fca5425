#include "logodds/optimize/newton.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace logodds::optimize;

TEST_CASE("Newton: a quadratic is done in one step") {
  // f = (x - 1)^2 + 5 (y + 2)^2 + (x - 1)(y + 2)
  const auto result = minimize_newton(
      [](std::span<const double> t, std::span<double> g) {
        const double x = t[0] - 1.0;
        const double y = t[1] + 2.0;
        g[0] = 2.0 * x + y;
        g[1] = 10.0 * y + x;
        return x * x + 5.0 * y * y + x * y;
      },
      [](std::span<const double>, std::span<double> h) {
        h[0] = 2.0;
        h[2] = 1.0;
        h[3] = 10.0;
      },
      {30.0, -40.0});
  CHECK(result.converged);
  CHECK(result.iterations <= 2);
  CHECK(std::abs(result.theta[0] - 1.0) < 1e-10);
  CHECK(std::abs(result.theta[1] + 2.0) < 1e-10);
}

TEST_CASE("Newton: steps that overshoot are halved, flat directions are left alone") {
  // f = ln(e^x + e^-x) overshoots from far out; y does not matter.
  const auto result = minimize_newton(
      [](std::span<const double> t, std::span<double> g) {
        g[0] = std::tanh(t[0]);
        g[1] = 0.0;
        return std::log(2.0 * std::cosh(t[0]));
      },
      [](std::span<const double> t, std::span<double> h) {
        h[0] = 1.0 / (std::cosh(t[0]) * std::cosh(t[0]));
        h[2] = 0.0;
        h[3] = 0.0;
      },
      {3.0, 7.0}, {.gradient_tolerance = 1e-12});
  CHECK(result.converged);
  CHECK(std::abs(result.theta[0]) < 1e-12);
  CHECK(result.theta[1] == 7.0);
}
