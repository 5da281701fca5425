// The least keys come first, in the order in which they stood, with the same bits at every level.
#include "kernels/halving.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

/// Numbers from 0 on, shuffled; the places are those of an earlier column.
template <class Key>
std::vector<Key> shuffled_keys(std::size_t n) {
  std::vector<Key> keys(n);
  std::iota(keys.begin(), keys.end(), Key{0});
  std::shuffle(keys.begin(), keys.end(), generator());
  for (Key& key : keys) { key |= Key{7} << kNumberBits<Key>; }
  return keys;
}

template <class Key>
void check_halves(const std::vector<Key>& given, std::size_t count) {
  std::vector<Key> sorted = given;
  std::sort(sorted.begin(), sorted.end());
  std::vector<Key> expected = given;
  std::stable_partition(expected.begin(), expected.end(),
                        [&](Key key) { return key < sorted[count]; });
  std::vector<Key> room(given.size() + kKeyRoom);
  std::vector<Key> keys = given;
  CHECK(reference::halve_keys(keys.data(), keys.size(), count, room.data()) == sorted[count]);
  CHECK(keys == expected);
  for_each_level([&] {
    keys = given;
    keys.push_back(-1);  // not one of them
    CHECK(halve_keys(keys.data(), given.size(), count, room.data()) == sorted[count]);
    CHECK(keys.back() == -1);
    keys.pop_back();
    CHECK(keys == expected);
  });
}

/// Values that are spread evenly, in heaps, all equal, and all near the lower end but one.
std::vector<std::vector<double>> columns_of(std::size_t n) {
  std::vector<std::vector<double>> columns(3, normal_values(n));
  for (double& value : columns[1]) { value = std::round(value); }
  std::fill(columns[2].begin(), columns[2].end(), 0.25);
  columns.push_back(columns[0]);
  columns.back()[n / 2] = 1e12;
  return columns;
}

template <class Key>
PlaceScale scale_of(const std::vector<double>& column) {
  const auto [low, high] = std::minmax_element(column.begin(), column.end());
  const double scale = static_cast<double>(kMostPlace<Key>) / (*high - *low);
  return {*low, std::isfinite(scale) ? scale : 0.0};
}

template <class Key>
void check_keys() {
  for (const std::size_t n : {2UL, 3UL, 5UL, 16UL, 17UL, 48UL, 97UL, 1001UL, 4095UL}) {
    for (const auto& column : columns_of(n)) {
      CAPTURE(n);
      const PlaceScale scale = scale_of<Key>(column);
      const std::vector<Key> given = shuffled_keys<Key>(n);
      std::vector<Key> expected = given;
      reference::place_keys(column.data(), scale, expected.data(), n);
      for_each_level([&] {
        std::vector<Key> keys = given;
        place_keys(column.data(), scale, keys.data(), n);
        CHECK(keys == expected);
      });
      for (const std::size_t count : {std::size_t{1}, n / 2, n - 1}) {
        CAPTURE(count);
        check_halves(expected, count);
      }
    }
  }
}

}  // namespace

TEST_CASE("keys take the places of their values, and the least come first, at every level") {
  check_keys<ShortKey>();
  check_keys<LongKey>();
}

TEST_CASE("places are in the order of the values, from 0 to the largest") {
  const std::vector<double> column{3.0, -1.0, 0.0, 7.0, 6.9999};
  std::vector<ShortKey> keys{0, 1, 2, 3, 4};
  place_keys(column.data(), scale_of<ShortKey>(column), keys.data(), keys.size());
  std::vector<ShortKey> places;
  for (const ShortKey key : keys) { places.push_back(key >> kNumberBits<ShortKey>); }
  CHECK(places[1] == 0);
  CHECK(places[3] == kMostPlace<ShortKey>);
  CHECK(places[0] == kMostPlace<ShortKey> / 2);
  CHECK(places[1] < places[2]);
  CHECK(places[2] < places[0]);
  CHECK(places[4] < places[3]);
}

TEST_CASE("values outside of the range go to its ends, and those without a scale to place 0") {
  const double most = std::numeric_limits<double>::max();
  const std::vector<double> column{-5.0, 5.0, most, -most, 0.5, 0.5, 0.5, 0.5, 0.5};
  const std::vector<LongKey> numbers{0, 1, 2, 3, 4, 5, 6, 7, 8};
  for_each_level([&] {
    std::vector<LongKey> keys = numbers;
    place_keys(column.data(), {0.0, 1e300}, keys.data(), keys.size());
    CHECK(keys[0] == 0);
    CHECK(keys[1] == (kMostPlace<LongKey> << 32 | 1));
    CHECK(keys[2] == (kMostPlace<LongKey> << 32 | 2));
    CHECK(keys[3] == 3);
    place_keys(column.data(), {-most, 0.0}, keys.data(), keys.size());  // infinity times 0
    CHECK(keys == numbers);
  });
}
