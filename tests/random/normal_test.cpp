#include "random/normal.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

using namespace logodds::random;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// Phi(z) for z <= 0.
long double lower_tail(double z) {
  return 0.5L * std::erfc(-static_cast<long double>(z) / std::sqrt(2.0L));
}

}  // namespace

TEST_CASE("Normal quantiles agree with 20 digits computed elsewhere") {
  const std::vector<std::pair<double, double>> known = {
      {0.025, -1.9599639845400542118},  {0.001, -3.0902323061678135354},
      {0.075, -1.4395314709384559349},  {1e-9, -5.9978070150076868614},
      {0.3, -0.52440051270804081597},   {0.84, 0.99445788320975303998},
      {0x1p-53, -8.2095361516013868556}};
  for (const auto& [p, z] : known) {
    CAPTURE(p);
    CHECK(std::fabs(normal_quantile(p) - z) <= 1e-15 * std::fabs(z));
  }
  CHECK(normal_quantile(0.5) == 0.0);
}

TEST_CASE("Normal quantiles undo the distribution function and are antisymmetric") {
  for (int i = 1; i < 5000; ++i) {
    const double p = std::ldexp(1.0 - i / 20000.0, -1 - i % 52);
    const double z = normal_quantile(p);
    CAPTURE(p);
    // dp/p = phi(z)/Phi(z) dz, and phi/Phi <= |z| + 1
    const double bound = 2e-15 * std::fabs(z) * (std::fabs(z) + 1.0) + 1e-16;
    const auto exact = static_cast<long double>(p);
    CHECK(std::fabs(static_cast<double>(lower_tail(z) / exact - 1.0L)) <= bound);
    if (1.0 - (1.0 - p) == p) { CHECK(normal_quantile(1.0 - p) == -z); }
  }
}

TEST_CASE("The portable logarithm is good to the last place") {
  double worst = 0.0;
  for (int i = 0; i < 20000; ++i) {
    const double x = std::ldexp(1.0 + i / 20011.0, i % 2000 - 1000);
    const long double exact = std::log(static_cast<long double>(x));
    const auto actual = static_cast<long double>(portable_log(x));
    const double error = std::fabs(static_cast<double>(actual - exact));
    worst = std::max(worst, error / std::fabs(static_cast<double>(exact)));
  }
  CHECK(worst <= kEpsilon);
  CHECK(portable_log(1.0) == 0.0);
  CHECK(std::fabs(portable_log(1.0 + kEpsilon) / kEpsilon - 1.0) <= kEpsilon);
}
