// Words of ASCII text against the plain loop: every length, place and kind of byte.
#include <cstdint>
#include <random>
#include <string>

#include "kernels/reference.hpp"
#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

struct Folded {
  std::size_t taken = 0;
  std::string bytes{};
  std::vector<std::uint64_t> marks{};
  friend bool operator==(const Folded&, const Folded&) = default;
};

/// What a kernel makes of `text` at place `at`, the places before being one word.
template <class Kernel>
Folded folded(const Kernel& kernel, const std::string& text, bool lower, Marks kind,
              std::size_t at) {
  std::string bytes(at + text.size() + 64, '\0');
  Folded result{.marks = std::vector<std::uint64_t>((at + text.size()) / 64 + 3)};
  for (std::size_t i = 0; i < at; ++i) { result.marks[i / 64] |= std::uint64_t{1} << i % 64; }
  result.taken =
      kernel(text.data(), text.size(), lower, kind, bytes.data(), result.marks.data(), at);
  result.bytes = bytes.substr(at, result.taken);
  return result;
}

void check_level(const std::string& text, bool lower, std::size_t at) {
  for (const Marks kind : {Marks::words, Marks::items}) {
    const Folded expected = folded(reference::fold_ascii, text, lower, kind, at);
    CHECK(folded(fold_ascii, text, lower, kind, at) == expected);
  }
}

}  // namespace

TEST_CASE("fold_ascii agrees with the reference at every length and place") {
  std::mt19937 random(7);
  for_each_level([&] {
    for (std::size_t n = 0; n < 200; ++n) {
      std::string text(n, ' ');
      for (char& byte : text) { byte = static_cast<char>(random() % 128); }
      if (n > 0 && n % 3 == 0) { text[random() % n] = static_cast<char>(0x80 + random() % 128); }
      check_level(text, n % 2 == 0, random() % 130);
    }
  });
}

TEST_CASE("fold_ascii knows every byte") {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text(70, static_cast<char>(byte));
    for_each_level([&] {
      check_level(text, true, 0);
      check_level(text, false, 3);
    });
  }
}

TEST_CASE("fold_ascii, by hand") {
  for_each_level([&] {
    const std::string text = "Ab_9 Z@[`{/:\xC3\xA9";
    const Folded result = folded(fold_ascii, text, true, Marks::words, 0);
    CHECK(result.taken == 12);
    CHECK(result.bytes == "ab_9 z@[`{/:");
    CHECK(result.marks[0] == 0b101111);
    CHECK(folded(fold_ascii, text, true, Marks::items, 0).marks[0] == 0b111111101111);
  });
}
