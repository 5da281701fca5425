#include "logodds/optimize/descent.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "logodds/error.hpp"
#include "logodds/optimize/bfgs.hpp"
#include "optimize/problems.hpp"

using namespace logodds::optimize;

namespace {

template <class Problem>
ObjectiveFunction function(Problem& problem) {
  return [&problem](std::span<const double> theta, std::span<double> gradient) {
    return problem.evaluate(theta, gradient);
  };
}

void check_near(const Result& result, const std::vector<double>& optimum, double within) {
  REQUIRE(result.theta.size() == optimum.size());
  for (std::size_t i = 0; i < optimum.size(); ++i) {
    CHECK(std::abs(result.theta[i] - optimum[i]) <= within);
  }
}

}  // namespace

TEST_CASE("gradient descent: a fixed step below 2 / curvature converges, and each step is told") {
  logodds::test::Quadratic problem{.condition = 50.0};
  std::vector<Step> steps;
  const auto result =
      minimize_descent(function(problem), {5.0, -3.0, 8.0},
                       {.step = 0.03, .trace = [&](const Step& step) { steps.push_back(step); }});
  CHECK(result.converged);
  check_near(result, {0.0, 1.0, 2.0}, 1e-7);
  REQUIRE(steps.size() == result.iterations + 1);
  CHECK(steps[1].step == 0.03);
  for (std::size_t i = 1; i < steps.size(); ++i) { CHECK(steps[i].value < steps[i - 1].value); }
}

TEST_CASE("gradient descent: a step that is too long is an error that says so") {
  logodds::test::Quadratic problem{.condition = 50.0};
  const auto run = [&] {
    return minimize_descent(function(problem), {5.0, -3.0, 8.0}, {.step = 1.0});
  };
  CHECK_THROWS_WITH_AS(static_cast<void>(run()), doctest::Contains("smaller --step"),
                       logodds::Error);
}

TEST_CASE("gradient descent: with a line search the step is found") {
  logodds::test::Booth booth;
  const auto result =
      minimize_descent(function(booth), {0.0, 0.0}, {.step = 0.0, .gradient_tolerance = 1e-9});
  CHECK(result.converged);
  check_near(result, {1.0, 3.0}, 1e-8);
  logodds::test::Barrier barrier{.pull = 0.5};
  const auto inside =
      minimize_descent(function(barrier), {0.9, -0.99}, {.step = 0.0, .gradient_tolerance = 1e-9});
  CHECK(inside.converged);
  check_near(inside, {barrier.optimum(), barrier.optimum()}, 1e-8);
}

TEST_CASE("BFGS: problems with known answers, and a Quadratic far faster than descent") {
  logodds::test::Rosenbrock rosenbrock;
  const auto banana =
      minimize_bfgs(function(rosenbrock), {-1.2, 1.0}, {.gradient_tolerance = 1e-10});
  CHECK(banana.converged);
  CHECK(banana.iterations < 60);
  check_near(banana, {1.0, 1.0}, 1e-9);
  logodds::test::Wood wood;
  check_near(minimize_bfgs(function(wood), {-3.0, -1.0, -3.0, -1.0}, {.gradient_tolerance = 1e-9}),
             {1.0, 1.0, 1.0, 1.0}, 1e-7);
  logodds::test::Quadratic quadratic{.condition = 1e6};
  const auto square =
      minimize_bfgs(function(quadratic), std::vector<double>(8, 0.0), {.gradient_tolerance = 1e-7});
  CHECK(square.converged);
  CHECK(square.iterations < 150);  // descent would take millions
  check_near(square, {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0}, 1e-6);
}
