#include "memory/large_array.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>

using logodds::memory::LargeArray;

TEST_CASE("large array: zeros at a cache line, whatever the size") {
  for (const std::size_t size : {1U, 1000U, (2U << 20U) - 1, 2U << 20U, (5U << 20U) + 3}) {
    LargeArray<char> array(size);
    CHECK(array.size() == size);
    CHECK(reinterpret_cast<std::uintptr_t>(array.data()) % 64 == 0);
    CHECK(std::ranges::all_of(array, [](char byte) { return byte == 0; }));
    array[size - 1] = 'x';
    const LargeArray<char> copy = array;
    array[size - 1] = 'y';
    CHECK(copy[size - 1] == 'x');
    LargeArray<char> moved = std::move(array);
    CHECK(moved[size - 1] == 'y');
    CHECK(array.empty());  // NOLINT(bugprone-use-after-move)
    moved = copy;
    CHECK(moved[size - 1] == 'x');
  }
  CHECK(LargeArray<int>().empty());
  CHECK(LargeArray<int>(0).begin() == LargeArray<int>(0).end());
}
