#include "memory/pool.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <utility>

using logodds::memory::Pool;

TEST_CASE("arrays of a pool have places of their own, at multiples of 64 bytes") {
  for (const std::size_t doubles : {1UL, 7UL, 300000UL}) {  // 2.4 MB in the end: huge pages
    Pool pool(Pool::bytes_for<double>(doubles) + Pool::bytes_for<std::uint32_t>(3));
    const auto numbers = pool.take<double>(doubles);
    const auto counts = pool.take<std::uint32_t>(3);
    CHECK(numbers.size() == doubles);
    CHECK(counts.size() == 3);
    std::ranges::fill(numbers, 0.5);
    std::ranges::fill(counts, 7U);
    const Pool moved = std::move(pool);
    CHECK(std::ranges::all_of(numbers, [](double number) { return number == 0.5; }));
    CHECK(std::ranges::all_of(counts, [](std::uint32_t count) { return count == 7U; }));
    CHECK(reinterpret_cast<std::uintptr_t>(numbers.data()) % 64 == 0);
    CHECK(reinterpret_cast<std::uintptr_t>(counts.data()) % 64 == 0);
  }
}
