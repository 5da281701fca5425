#include "optimize/projected_newton.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace logodds::optimize;

namespace {

/// 1/2 theta' A theta - b' theta, A row-major.
NonnegativeProblem quadratic(const std::vector<double>& a, const std::vector<double>& b) {
  const auto times = [&a, n = b.size()](std::span<const double> v, std::span<double> out) {
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = 0.0;
      for (std::size_t j = 0; j < n; ++j) { out[i] += a[i * n + j] * v[j]; }
    }
  };
  return {.evaluate =
              [&b, times](std::span<const double> theta, std::span<double> gradient) {
                times(theta, gradient);
                double value = 0.0;
                for (std::size_t i = 0; i < b.size(); ++i) {
                  value += theta[i] * (0.5 * gradient[i] - b[i]);
                  gradient[i] -= b[i];
                }
                return value;
              },
          .curve =
              [&a, n = b.size()](std::span<const double>, std::span<double> diagonal) {
                for (std::size_t i = 0; i < n; ++i) { diagonal[i] = a[i * n + i]; }
              },
          .hessian_times = times};
}

}  // namespace

TEST_CASE("projected newton: a quadratic whose free minimum lies outside ends on the boundary") {
  // Without the bound the minimum is at (2, -1); with it at (1.5, 0): 2 theta_1 = 3.
  const std::vector<double> a{2.0, 1.0, 1.0, 2.0};
  const std::vector<double> b{3.0, 0.0};
  const auto result = minimize_projected_newton(quadratic(a, b), {{1.0, 1.0}, 1.0}, {5.0, 5.0},
                                                {.tolerance = 1e-12});
  CHECK(result.converged);
  CHECK(result.theta[0] == doctest::Approx(1.5).epsilon(1e-12));
  CHECK(result.theta[1] == 0.0);
  CHECK(result.value == doctest::Approx(-2.25).epsilon(1e-12));
}

TEST_CASE("projected newton: a barrier keeps the steps in the domain") {
  // theta_1 + theta_2 / 4 - ln theta_1 - ln(theta_1 + theta_2): at the optimum the gradient is 0.
  double one = 0.0;
  double both = 0.0;
  const NonnegativeProblem problem{
      .evaluate =
          [](std::span<const double> theta, std::span<double> gradient) {
            const double sum = theta[0] + theta[1];
            if (!(theta[0] > 0.0)) { return std::numeric_limits<double>::infinity(); }
            gradient[0] = 1.0 - 1.0 / theta[0] - 1.0 / sum;
            gradient[1] = 0.25 - 1.0 / sum;
            return theta[0] + 0.25 * theta[1] - std::log(theta[0]) - std::log(sum);
          },
      .curve =
          [&](std::span<const double> theta, std::span<double> diagonal) {
            both = 1.0 / std::pow(theta[0] + theta[1], 2);
            one = 1.0 / (theta[0] * theta[0]) + both;
            diagonal[0] = one;
            diagonal[1] = both;
          },
      .hessian_times =
          [&](std::span<const double> v, std::span<double> out) {
            out[0] = one * v[0] + both * v[1];
            out[1] = both * (v[0] + v[1]);
          }};
  std::size_t steps = 0;
  const auto result =
      minimize_projected_newton(problem, {{1.0, 1.0}, 1.0}, {1e-6, 100.0},
                                {.tolerance = 1e-12, .trace = [&](const Step&) { ++steps; }});
  CHECK(result.converged);
  CHECK(result.theta[0] == doctest::Approx(4.0 / 3.0).epsilon(1e-10));
  CHECK(result.theta[1] == doctest::Approx(8.0 / 3.0).epsilon(1e-10));
  CHECK(steps == result.iterations + 1);
}

TEST_CASE("projected newton: the residual is 0 exactly where no step along an axis helps") {
  const Optimality optimality{{1.0, 2.0, 0.0}, 4.0};
  CHECK(optimality.residual(std::vector<double>{0.0, 1.0, 9.0},
                            std::vector<double>{3.0, 0.0, -7.0}) == 0.0);
  CHECK(optimality.residual(std::vector<double>{0.0, 1.0, 0.0},
                            std::vector<double>{-2.0, 0.0, 0.0}) == 0.5);
  CHECK(optimality.residual(std::vector<double>{0.25, 1.0, 0.0},
                            std::vector<double>{100.0, 0.0, 0.0}) == 0.25);
}
