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

TEST_CASE("kept pages: the smallest piece that suffices is taken") {
  std::array<char, 128> memory{};
  KeptPages pages;
  REQUIRE(pages.keep(memory.data(), 64));
  REQUIRE(pages.keep(memory.data() + 80, 32));
  CHECK(pages.take(32) == memory.data() + 80);
}

TEST_CASE("kept pages: pieces that touch become one, from whichever side they come") {
  std::array<char, 96> memory{};
  KeptPages pages;
  REQUIRE(pages.keep(memory.data(), 32));
  REQUIRE(pages.keep(memory.data() + 64, 32));
  CHECK(pages.take(64) == nullptr);
  REQUIRE(pages.keep(memory.data() + 32, 32));
  CHECK(pages.take(96) == memory.data());
  CHECK(pages.take(1) == nullptr);
}

TEST_CASE("kept pages: no more than a bound is kept") {
  KeptPages pages;
  std::array<char, 128> memory{};
  CHECK_FALSE(pages.keep(memory.data(), std::size_t{65} << 20U));
  for (std::size_t i = 0; i < 32; ++i) { CHECK(pages.keep(memory.data() + 2 * i, 1)); }
  CHECK_FALSE(pages.keep(memory.data() + 64, 1));
  CHECK(pages.keep(memory.data() + 1, 1));  // between two
}
