#include "stats/sparse_sums.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

namespace {

using Map = std::map<std::uint32_t, double>;

Map all_of(const logodds::SparseSums& sums) {
  Map found;
  sums.each([&](std::uint32_t key, double sum) { found[key] = sum; });
  return found;
}

}  // namespace

TEST_CASE("sparse sums: as a map would have them") {
  logodds::SparseSums sums;
  Map expected;
  std::mt19937_64 random(3);
  for (int i = 0; i < 50000; ++i) {
    const auto key = static_cast<std::uint32_t>(random() % 4000 * (random() % 3 + 1));
    const auto value = static_cast<double>(random() % 10);
    sums.prefetch(key);
    sums.add(key, value);
    expected[key] += value;
  }
  CHECK(all_of(sums) == expected);
  CHECK(sums.size() == expected.size());
}

TEST_CASE("sparse sums: values that are not whole are added to those that are") {
  for (const double odd : {0.25, 5e9, 1e300}) {
    logodds::SparseSums sums;
    Map expected;
    for (std::uint32_t i = 0; i < 3000; ++i) {
      const double value = i == 1700 ? odd : i % 7;
      sums.prefetch(i % 500);
      sums.add(i % 500, value);
      expected[i % 500] += value;
    }
    CHECK(all_of(sums) == expected);
    CHECK(sums.size() == expected.size());
  }
}

TEST_CASE("sparse sums: of whole numbers beyond 32 bits") {
  logodds::SparseSums sums;
  for (int i = 0; i < 5; ++i) { sums.add(9, 3e9); }
  sums.add(2, 1.0);
  CHECK(all_of(sums) == Map{{2, 1.0}, {9, 15e9}});
}
