#include "logodds/optimize/stochastic.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "logodds/error.hpp"

using namespace logodds::optimize;

namespace {

// Least squares on y = 2 - 3 x without noise: at the optimum every batch has the gradient 0.
constexpr std::size_t kRows = 64;

double x_of(std::size_t row) { return static_cast<double>(row % 9) / 4.0 - 1.0; }

void batch(std::span<const double> theta, std::span<const std::uint32_t> rows,
           std::span<double> gradient) {
  gradient[0] = gradient[1] = 0.0;
  for (const auto row : rows) {
    const double off = theta[0] + theta[1] * x_of(row) - (2.0 - 3.0 * x_of(row));
    gradient[0] += off / static_cast<double>(rows.size());
    gradient[1] += off * x_of(row) / static_cast<double>(rows.size());
  }
}

double whole(std::span<const double> theta, std::span<double> gradient) {
  std::vector<std::uint32_t> all(kRows);
  double value = 0.0;
  for (std::uint32_t row = 0; row < kRows; ++row) {
    all[row] = row;
    const double off = theta[0] + theta[1] * x_of(row) - (2.0 - 3.0 * x_of(row));
    value += 0.5 * off * off / static_cast<double>(kRows);
  }
  batch(theta, all, gradient);
  return value;
}

Result run(std::uint64_t seed, double step = 0.5) {
  return minimize_stochastic(whole, batch, kRows, {0.0, 0.0},
                             {.step = step, .batch = 5, .passes = 60, .seed = seed});
}

}  // namespace

TEST_CASE("stochastic gradient: finds the optimum that all batches share") {
  const auto result = run(1);
  CHECK(std::abs(result.theta[0] - 2.0) < 1e-3);
  CHECK(std::abs(result.theta[1] + 3.0) < 1e-3);
}

TEST_CASE("stochastic gradient: the seed decides, and nothing else") {
  CHECK(run(1).theta == run(1).theta);
  CHECK(run(1).theta != run(2).theta);
}

TEST_CASE("stochastic gradient: running away is an error with a cure") {
  CHECK_THROWS_WITH_AS(static_cast<void>(run(1, 1e200)), doctest::Contains("smaller --step"),
                       logodds::Error);
}
