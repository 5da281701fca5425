#include "search/selection.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

using namespace logodds::search;

namespace {

/// Keys before the middle are below it, the others are not, and none is lost.
void check_halved(const std::vector<Key>& keys, std::vector<Key> sorted) {
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = keys.size() / 2;
  CHECK(keys[middle].row() == sorted[middle].row());
  const auto place = keys.begin() + static_cast<std::ptrdiff_t>(middle);
  CHECK(std::all_of(keys.begin(), place, [&](const Key& key) { return key < *place; }));
  CHECK(std::none_of(place, keys.end(), [&](const Key& key) { return key < *place; }));
  std::vector<std::uint32_t> rows;
  for (const auto& key : keys) { rows.push_back(key.row()); }
  std::sort(rows.begin(), rows.end());
  CHECK(std::adjacent_find(rows.begin(), rows.end()) == rows.end());
}

}  // namespace

TEST_CASE("select halves keys as sorting would, with ties and without") {
  std::mt19937_64 random(3);
  // Places of the last are spread over all that there are.
  for (const std::size_t values : {1UL, 2UL, 50UL, 1000000UL, 4294967296UL}) {
    for (const std::size_t size : {1UL, 2UL, 63UL, 64UL, 65UL, 256UL, 257UL, 1000UL, 20000UL}) {
      CAPTURE(values);
      CAPTURE(size);
      std::vector<Key> given;
      for (std::uint32_t r = 0; r < size; ++r) {
        given.push_back(Key::of(static_cast<std::uint32_t>(random() % values), r));
      }
      const std::size_t middle = size / 2;
      auto keys = given;
      select(keys.data(), keys.data() + middle, keys.data() + size);
      check_halved(keys, given);
      keys = given;
      std::vector<Key> room(size);
      select_spread(keys.data(), keys.data() + middle, keys.data() + size, room.data());
      check_halved(keys, given);
    }
  }
}
