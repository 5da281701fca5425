#include "parallel/radix_sort.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace logodds::parallel;

TEST_CASE("keys of doubles are ordered as the doubles are, and lead back to them") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::vector<double> ascending{-kInfinity, -1e300, -1.0, -5e-324, 0.0,
                                      5e-324,     0.1,    1.0,  1e300,   kInfinity};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    CHECK(value_of_key(ordered_key(ascending[i])) == ascending[i]);
    if (i > 0) { CHECK(ordered_key(ascending[i - 1]) < ordered_key(ascending[i])); }
  }
  CHECK(ordered_key(-0.0) == ordered_key(0.0));
}

TEST_CASE("radix sort is a stable sort, in one thread and in three [threads]") {
  std::mt19937_64 random(7);
  for (const std::size_t n : {0UL, 1UL, 2UL, 1000UL, 250000UL}) {
    std::vector<std::uint64_t> keys(n);
    std::vector<std::uint32_t> values(n);
    for (std::size_t i = 0; i < n; ++i) {
      keys[i] = ordered_key(std::floor(static_cast<double>(random() % 5000) - 2500.0) / 7.0);
      values[i] = static_cast<std::uint32_t>(i);
    }
    std::vector<std::uint32_t> expected = values;
    std::ranges::stable_sort(expected, {}, [&](std::uint32_t i) { return keys[i]; });
    for (const int threads : {1, 3}) {
      auto sorted = keys;
      auto moved = values;
      radix_sort(sorted, moved, threads);
      CHECK(moved == expected);
      CHECK(std::ranges::is_sorted(sorted));
    }
  }
}
