#include "plots/kernel_density.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace logodds::plots {

namespace {

/// The sum over values that kernel_density() takes a short way to.
double direct(const std::vector<double>& values, double bandwidth, double at) {
  double sum = 0.0;
  for (const double value : values) {
    const double z = (at - value) / bandwidth;
    sum += std::exp(-0.5 * z * z);
  }
  return sum / (static_cast<double>(values.size()) * bandwidth * std::sqrt(2.0 * std::numbers::pi));
}

}  // namespace

TEST_CASE("kernel density: as the sum over all values, and of area 1") {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(3.0, 2.0);
  std::vector<double> values(500);
  for (double& value : values) { value = normal(random); }
  const DensityCurve curve = kernel_density(values, {-10.0, 16.0});
  CHECK(curve.bandwidth == doctest::Approx(silverman_bandwidth(values)));
  double area = 0.0;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    CHECK(std::abs(curve.y[i] - direct(values, curve.bandwidth, curve.x[i])) < 2e-4);
    area += curve.y[i] * 26.0 / 400.0;
  }
  CHECK(area == doctest::Approx(1.0).epsilon(1e-6));
}

TEST_CASE("kernel density: Silverman's bandwidth by hand") {
  // Quartiles 2 and 7, deviation 4.06: 0.9 (5 / 1.34) 5^(-1/5).
  CHECK(silverman_bandwidth({11, 1, 2, 4, 7}) ==
        doctest::Approx(0.9 * 5.0 / 1.34 * std::pow(5.0, -0.2)));
}

TEST_CASE("kernel density: equal values, one value, none, and values that are not finite") {
  CHECK(silverman_bandwidth({2.0, 2.0, 2.0}) == 0.0);
  CHECK(silverman_bandwidth({2.0}) == 0.0);
  const DensityCurve equal = kernel_density(std::vector<double>{2.0, 2.0}, {1.0, 3.0});
  CHECK(equal.bandwidth == doctest::Approx(2.0 / 400.0));
  CHECK(std::isfinite(equal.y[200]));
  CHECK(equal.y[200] > 10.0);
  const DensityCurve none = kernel_density(std::vector<double>{std::nan("")}, {0.0, 1.0});
  for (const double y : none.y) { CHECK(y == 0.0); }
}

}  // namespace logodds::plots
