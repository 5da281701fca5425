#include "kernels/layers.hpp"

#include <cstdint>

#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Activation kAll[] = {Activation::tanh, Activation::sigmoid, Activation::linear,
                               Activation::relu};

long double exact(Activation kind, double a) {
  const auto wide = static_cast<long double>(a);
  switch (kind) {
    case Activation::tanh:
      return std::tanh(wide);
    case Activation::sigmoid:
      return 1.0L / (1.0L + std::exp(-wide));
    case Activation::relu:
      return std::max(wide, 0.0L);
    case Activation::linear:
      break;
  }
  return wide;
}

/// Of every size from subnormal to huge, and of both signs.
std::vector<double> arguments() {
  std::vector<double> values{0.0, -0.0, kInfinity, -kInfinity, 1e300, -1e300, 1e-310, -1e-310};
  for (const double scale : {1e-200, 1e-9, 1e-3, 0.1, 0.3, 1.0, 5.0, 30.0, 300.0, 1000.0}) {
    const auto some = normal_values(301, 0.0, scale);
    values.insert(values.end(), some.begin(), some.end());
  }
  return values;
}

}  // namespace

TEST_CASE("activate: tanh and sigmoid to 4 units for arguments of every size") {
  const auto a = arguments();
  for_each_level([&] {
    for (const Activation kind : kAll) {
      auto h = a;
      activate(kind, h.data(), h.size());
      for (std::size_t i = 0; i < a.size(); ++i) {
        const double wanted = static_cast<double>(exact(kind, a[i]));
        const double bound =
            4.0 * kEpsilon * std::fabs(wanted) + 2.0 * std::numeric_limits<double>::denorm_min();
        if (!(std::fabs(h[i] - wanted) <= bound) && h[i] != wanted) {
          CAPTURE(a[i]);
          CHECK(h[i] == wanted);
        }
      }
    }
  });
}

TEST_CASE("activate: what is not a number stays so, and zeros keep their place") {
  for_each_level([] {
    for (const Activation kind : kAll) {
      for (const std::size_t n : {1UL, 3UL, 8UL, 11UL}) {
        std::vector<double> values(n, 0.0);
        values[n / 2] = std::numeric_limits<double>::quiet_NaN();
        activate(kind, values.data(), n);
        for (std::size_t i = 0; i < n; ++i) {
          CHECK(std::isnan(values[i]) == (i == n / 2));
          if (i != n / 2) { CHECK(values[i] == (kind == Activation::sigmoid ? 0.5 : 0.0)); }
        }
      }
    }
  });
}

TEST_CASE("multiply_slopes: derivatives of the units, from their outputs") {
  for (const std::size_t n : {0UL, 1UL, 2UL, 7UL, 8UL, 9UL, 100UL}) {
    const auto a = normal_values(n);
    const auto deltas = normal_values(n);
    for_each_level([&] {
      for (const Activation kind : kAll) {
        auto h = a;
        activate(kind, h.data(), n);
        auto actual = deltas;
        multiply_slopes(kind, h.data(), n, actual.data());
        for (std::size_t i = 0; i < n; ++i) {
          constexpr long double kStep = 1e-6L;
          const auto low = static_cast<double>(static_cast<long double>(a[i]) - kStep);
          const auto high = static_cast<double>(static_cast<long double>(a[i]) + kStep);
          const auto slope = static_cast<double>((exact(kind, high) - exact(kind, low)) /
                                                 static_cast<long double>(high - low));
          CHECK(actual[i] == doctest::Approx(deltas[i] * slope).epsilon(1e-8));
        }
      }
    });
  }
}

TEST_CASE("adam_update is the algorithm of the paper, two steps by hand") {
  for (const std::size_t n : {1UL, 5UL, 8UL, 19UL}) {
    for_each_level([&] {
      std::vector<double> theta(n, 1.0), m(n, 0.0), v(n, 0.0);
      const std::vector<double> first(n, 2.0), second(n, -1.0);
      adam_update({0.9, 0.999, 0.01 / 0.1, 0.001, 1e-8}, first.data(), n, theta.data(), m.data(),
                  v.data());
      // m = 0.2, v = 0.004; corrected 2 and 4: a step of 0.01 * 2 / 2.
      for (const double value : theta) { CHECK(value == doctest::Approx(0.99).epsilon(1e-9)); }
      adam_update({0.9, 0.999, 0.01 / 0.19, 0.001999, 1e-8}, second.data(), n, theta.data(),
                  m.data(), v.data());
      const double corrected_m = (0.9 * 0.2 - 0.1) / 0.19;
      const double corrected_v = (0.999 * 0.004 + 0.001) / 0.001999;
      const double wanted = 0.99 - 0.01 * corrected_m / std::sqrt(corrected_v);
      for (const double value : theta) { CHECK(value == doctest::Approx(wanted).epsilon(1e-7)); }
    });
  }
}
