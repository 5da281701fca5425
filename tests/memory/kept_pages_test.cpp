#include "memory/kept_pages.hpp"

#include <doctest/doctest.h>

#include <array>

using logodds::memory::KeptPages;

TEST_CASE("kept pages: what was given back is handed out once, in parts if need be") {
  std::array<char, 64> memory{};
  KeptPages pages;
  CHECK(pages.take(16) == nullptr);
  REQUIRE(pages.keep(memory.data(), 64));
  CHECK(pages.take(65) == nullptr);
  auto* const part = static_cast<char*>(pages.take(48));
  auto* const rest = static_cast<char*>(pages.take(16));
  REQUIRE(part != nullptr);
  REQUIRE(rest != nullptr);
  CHECK(pages.take(1) == nullptr);
  const bool apart = rest + 16 <= part || part + 48 <= rest;
  CHECK(apart);
  CHECK((part >= memory.data() && part + 48 <= memory.data() + 64));
  CHECK((rest >= memory.data() && rest + 16 <= memory.data() + 64));
}

TEST_CASE("kept pages: the smallest block that suffices is taken") {
  std::array<char, 96> memory{};
  KeptPages pages;
  REQUIRE(pages.keep(memory.data(), 64));
  REQUIRE(pages.keep(memory.data() + 64, 32));
  CHECK(pages.take(32) == memory.data() + 64);
}

TEST_CASE("kept pages: no more than a bound is kept") {
  KeptPages pages;
  std::array<char, 32> memory{};
  CHECK_FALSE(pages.keep(memory.data(), std::size_t{64} << 20U));
  for (std::size_t i = 0; i < 8; ++i) { CHECK(pages.keep(memory.data() + 2 * i, 1)); }  // apart
  CHECK_FALSE(pages.keep(memory.data() + 16, 1));
}

TEST_CASE("kept pages: the pieces of a block are one block again, whatever their order") {
  std::array<char, 64> memory{};
  constexpr std::array<std::array<std::size_t, 3>, 3> kOrders = {{{0, 1, 2}, {2, 0, 1}, {2, 1, 0}}};
  for (const auto& order : kOrders) {
    KeptPages pages;
    REQUIRE(pages.keep(memory.data(), 60));
    std::array<void*, 3> pieces{};
    for (void*& piece : pieces) { piece = pages.take(20); }
    for (const std::size_t i : order) { REQUIRE(pages.keep(pieces.at(i), 20)); }
    CHECK(pages.take(60) == memory.data());
  }
}
