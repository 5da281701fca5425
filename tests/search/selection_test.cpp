#include "search/selection.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

using namespace logodds::search;

TEST_CASE("select halves keys as sorting would, with ties and without") {
  std::mt19937_64 random(3);
  for (const std::size_t values : {1UL, 2UL, 50UL, 1000000UL}) {
    for (const std::size_t size : {1UL, 2UL, 63UL, 64UL, 65UL, 1000UL, 20000UL}) {
      CAPTURE(values);
      CAPTURE(size);
      std::vector<Key> keys;
      for (std::uint32_t r = 0; r < size; ++r) {
        keys.push_back(Key::of(static_cast<std::uint32_t>(random() % values), r));
      }
      auto sorted = keys;
      std::sort(sorted.begin(), sorted.end());
      const std::size_t middle = size / 2;
      select(keys.data(), keys.data() + middle, keys.data() + size);
      CHECK(keys[middle].row() == sorted[middle].row());
      const auto place = keys.begin() + static_cast<std::ptrdiff_t>(middle);
      CHECK(std::all_of(keys.begin(), place, [&](const Key& key) { return key < *place; }));
      CHECK(std::none_of(place, keys.end(), [&](const Key& key) { return key < *place; }));
      std::vector<std::uint32_t> rows;
      for (const auto& key : keys) { rows.push_back(key.row()); }
      std::sort(rows.begin(), rows.end());
      CHECK(std::adjacent_find(rows.begin(), rows.end()) == rows.end());
    }
  }
}
