#include "optimize/adam.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "logodds/error.hpp"

using namespace logodds;
using namespace logodds::optimize;

namespace {

/// Mean of (theta - x_r)^2 / 2 over rows x_r = 0, 1, ..., n - 1: the minimum is at their mean.
double squares(std::span<const double> theta, std::span<const std::uint32_t> rows,
               std::span<double> gradient) {
  double value = 0.0;
  gradient[0] = 0.0;
  for (const auto row : rows) {
    const double off = theta[0] - static_cast<double>(row);
    value += off * off / 2.0 / static_cast<double>(rows.size());
    gradient[0] += off / static_cast<double>(rows.size());
  }
  return value;
}

}  // namespace

TEST_CASE("adam: full batches find the minimum, and the work ends there") {
  const auto result = minimize_adam(
      squares, {0.0},
      {.rows = 11, .batch = 1000, .passes = 100000, .step = 0.01, .tolerance = 1e-12});
  CHECK(result.theta[0] == doctest::Approx(5.0).epsilon(1e-4));
  CHECK(result.converged);
  CHECK(result.iterations < 100000);
}

TEST_CASE("adam: every row comes once in each pass, in an order of the seed and the pass") {
  std::vector<std::vector<std::uint32_t>> passes(1);
  std::vector<std::size_t> sizes;
  const auto run = [&](std::uint64_t seed) {
    passes.assign(1, {});
    sizes.clear();
    return minimize_adam(
        [&](std::span<const double> theta, std::span<const std::uint32_t> rows,
            std::span<double> gradient) {
          passes.back().insert(passes.back().end(), rows.begin(), rows.end());
          sizes.push_back(rows.size());
          return squares(theta, rows, gradient);
        },
        {0.0},
        {.rows = 10,
         .batch = 4,
         .passes = 3,
         .seed = seed,
         .after_pass = [&](const Step&, std::span<const double>) {
           passes.emplace_back();
           return false;
         }});
  };
  const double first = run(1).theta[0];
  CHECK(sizes == std::vector<std::size_t>{4, 4, 2, 4, 4, 2, 4, 4, 2});
  const auto order = passes;
  CHECK(order[0] != order[1]);
  for (std::size_t pass = 0; pass < 3; ++pass) {
    auto sorted = order[pass];
    std::ranges::sort(sorted);
    for (std::uint32_t r = 0; r < 10; ++r) { CHECK(sorted[r] == r); }
  }
  CHECK(run(1).theta[0] == first);
  CHECK(passes == order);
  CHECK(run(2).theta[0] != first);
}

TEST_CASE("adam: a pass may end the work, and a value that is not finite does, with a sentence") {
  const auto stopped = minimize_adam(
      squares, {0.0}, {.rows = 10, .after_pass = [](const Step& step, std::span<const double>) {
                         return step.iteration == 4;
                       }});
  CHECK(stopped.iterations == 4);
  CHECK(stopped.converged);
  const auto overflowing = [](std::span<const double>, std::span<const std::uint32_t>,
                              std::span<double> gradient) {
    gradient[0] = 1.0;
    return std::nan("");
  };
  CHECK_THROWS_WITH_AS(static_cast<void>(minimize_adam(overflowing, {0.0}, {.rows = 3})),
                       doctest::Contains("--step"), Error);
}
