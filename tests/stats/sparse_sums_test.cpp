#include "stats/sparse_sums.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

TEST_CASE("sparse sums: as a map would have them") {
  logodds::SparseSums sums;
  std::map<std::uint32_t, double> expected;
  std::mt19937_64 random(3);
  for (int i = 0; i < 50000; ++i) {
    const auto key = static_cast<std::uint32_t>(random() % 4000 * (random() % 3 + 1));
    const auto value = static_cast<double>(random() % 10);
    sums.prefetch(key);
    sums.add(key, value);
    expected[key] += value;
  }
  std::map<std::uint32_t, double> found;
  for (const auto& slot : sums.slots()) {
    if (slot.key_plus_1 != 0) { found[slot.key_plus_1 - 1] = slot.sum; }
  }
  CHECK(found == expected);
  CHECK(sums.size() == expected.size());
}
