#include "kernels/bumps.hpp"

#include <algorithm>

#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

constexpr double kCenter = 3.0;
constexpr double kInverseWidth = 2.0;

/// n values with |v - center| / h <= 1/4.
std::vector<double> cell_values(std::size_t n) {
  std::uniform_real_distribution<double> law(-0.25, 0.25);
  std::vector<double> values(n);
  for (double& value : values) { value = kCenter + law(generator()) / kInverseWidth; }
  return values;
}

BumpPlaces places_from(double low, double step) {
  BumpPlaces places;
  for (std::size_t i = 0; i < kBumpPlaces; ++i) { places[i] = low + step * static_cast<double>(i); }
  return places;
}

}  // namespace

TEST_CASE("bump_moments agrees with the plain loop for any number of values") {
  for (const std::size_t n : {0UL, 1UL, 2UL, 7UL, 8UL, 9UL, 100UL}) {
    const auto values = cell_values(n), weights = positive_values(n);
    const auto expected =
        reference::bump_moments(values.data(), weights.data(), n, kCenter, kInverseWidth);
    for_each_level([&] {
      const auto found = bump_moments(values.data(), weights.data(), n, kCenter, kInverseWidth);
      for (std::size_t p = 0; p < kBumpMoments; ++p) {
        // odd powers cancel: an error is relative to the sum of absolute values, 4^-p of M_0
        const double bound = expected[0] * std::pow(0.25, static_cast<double>(p));
        CHECK(std::fabs(found[p] - expected[p]) <=
              (static_cast<double>(n) + 40.0) * kEpsilon * bound);
      }
    });
  }
}

TEST_CASE("bump_sums_add gives the sum of the bumps themselves, up to 7 bandwidths away") {
  const auto values = cell_values(37), weights = positive_values(37);
  const auto places = places_from(-0.25, 1.0 / 30);
  for (const double shift : {-7.0, -3.0, 0.0, 0.5, 5.0}) {
    BumpPlaces bumps, expected{};
    for (std::size_t i = 0; i < kBumpPlaces; ++i) {
      const double t = places[i] - shift;
      bumps[i] = std::exp(-0.5 * t * t);
      for (std::size_t v = 0; v < values.size(); ++v) {
        const double z = t - (values[v] - kCenter) * kInverseWidth;
        expected[i] += weights[v] * std::exp(-0.5 * z * z);
      }
    }
    for_each_level([&] {
      const auto moments =
          bump_moments(values.data(), weights.data(), values.size(), kCenter, kInverseWidth);
      BumpPlaces sums = places, plain = places;
      bump_sums_add(moments, places, shift, bumps, sums);
      reference::bump_sums_add(moments, places, shift, bumps, plain);
      for (std::size_t i = 0; i < kBumpPlaces; ++i) {
        CAPTURE(shift);
        const double rounding = kEpsilon * std::fabs(places[i]);
        CHECK(std::fabs(sums[i] - places[i] - expected[i]) <= 2e-14 * expected[i] + rounding);
        CHECK(std::fabs(sums[i] - plain[i]) <= 1e-14 * expected[i] + rounding);
      }
    });
  }
}

TEST_CASE("bump_tail_sum agrees with the plain loop on both sides of an edge") {
  for (const std::size_t n : {1UL, 2UL, 8UL, 9UL, 300UL, 1000UL}) {
    auto values = absolute(normal_values(n));
    values.front() = 0.0;
    const auto weights = positive_values(n);
    for (const double sign : {1.0, -1.0}) {
      auto placed = values;
      for (double& value : placed) { value = 5.0 + sign * value; }
      for (const double z : {4.0, 33.0, 1e3, 1e12, 1e150}) {
        const double expected =
            reference::bump_tail_sum(placed.data(), weights.data(), n, 5.0, 3.0 * sign, z);
        for_each_level([&] {
          const double found = bump_tail_sum(placed.data(), weights.data(), n, 5.0, 3.0 * sign, z);
          CHECK(std::fabs(found - expected) <=
                (static_cast<double>(n) + 200.0) * kEpsilon * expected);
          CHECK(found >= weights.front());
        });
      }
    }
  }
}
