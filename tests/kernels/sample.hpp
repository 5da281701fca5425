// Random input for the kernel tests, of odd sizes and without slack behind the last row, so that an
// address sanitizer sees every read too far.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernels/kernels.hpp"

namespace logodds::kernels::testing {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

inline std::mt19937_64& generator() {
  static std::mt19937_64 state(20240229);
  return state;
}

inline std::vector<double> normal_values(std::size_t count, double mean = 0.0, double scale = 1.0) {
  std::normal_distribution<double> law(mean, scale);
  std::vector<double> values(count);
  for (double& value : values) { value = law(generator()); }
  return values;
}

inline std::vector<double> positive_values(std::size_t count) {
  std::uniform_real_distribution<double> law(0.1, 3.0);
  std::vector<double> values(count);
  for (double& value : values) { value = law(generator()); }
  return values;
}

inline std::vector<double> absolute(std::vector<double> values) {
  for (double& value : values) { value = std::fabs(value); }
  return values;
}

/// n rows of d values, `stride` apart, starting one double behind an aligned address.
struct Rows {
  Rows(std::size_t count, std::size_t width, std::size_t gap)
      : n(count),
        d(width),
        stride(width + gap),
        values(normal_values(count == 0 ? 1 : 1 + (count - 1) * stride + width, 0.5)) {}
  [[nodiscard]] const double* first() const { return values.data() + 1; }
  [[nodiscard]] double at(std::size_t r, std::size_t i) const { return first()[r * stride + i]; }

  std::size_t n, d, stride;
  std::vector<double> values;
};

/// Runs `check` once with each level this machine has, and leaves the best one in use.
template <class Check>
void for_each_level(const Check& check) {
  for (const std::string& name : available_levels()) {
    CAPTURE(name);
    set_level(name);
    check();
  }
  set_level("");
}

/// Runs `check(rows)` on tiles that are full, nearly full, nearly empty, and with gaps or not.
template <class Check>
void for_each_shape(const Check& check) {
  for (const std::size_t n : {0UL, 1UL, 2UL, 5UL, 31UL, 32UL, 67UL, 300UL}) {
    for (const std::size_t d : {1UL, 2UL, 3UL, 7UL, 8UL, 13UL, 32UL, 41UL}) {
      CAPTURE(n);
      CAPTURE(d);
      check(Rows(n, d, n % 2 == 0 ? 0 : 3));
    }
  }
}

/// |actual - expected| <= bound, element by element; the first offender is reported.
inline void check_within(const std::vector<double>& actual, const std::vector<double>& expected,
                         const std::vector<double>& bound) {
  REQUIRE(actual.size() == expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (!(std::fabs(actual[i] - expected[i]) <= bound[i])) {
      CAPTURE(i);
      CAPTURE(bound[i]);
      CHECK(actual[i] == expected[i]);
      return;
    }
  }
  CHECK(true);
}

/// Both results carry at most `operations` roundings a term: 2 gamma_m sum |terms|.
inline std::vector<double> rounding_bound(std::vector<double> sum_of_absolutes,
                                          std::size_t operations) {
  for (double& value : sum_of_absolutes) {
    value *= 2.0 * static_cast<double>(operations) * kEpsilon;
  }
  return sum_of_absolutes;
}

}  // namespace logodds::kernels::testing
