// UTF-8 and the classes of characters. All code points are compared with Python in
// tests/e2e/test_tokens.py.
#include "text/unicode.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace logodds::text;

namespace {

/// The bytes of each character, negative where they are no UTF-8.
std::vector<int> lengths(std::string_view text) {
  std::vector<int> result;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = decode(text.data() + at, text.size() - at);
    CHECK((character.valid || character.code == kReplacement));
    result.push_back(static_cast<int>(character.bytes) * (character.valid ? 1 : -1));
    at += character.bytes;
  }
  return result;
}

bool surrogate(std::uint32_t code) { return code >= 0xD800 && code < 0xE000; }

}  // namespace

TEST_CASE("every code point is encoded and decoded again, from both sides") {
  for (std::uint32_t code = 0; code <= 0x10FFFF; ++code) {
    if (surrogate(code)) { continue; }
    char bytes[4] = {};
    const std::size_t size = encode(code, bytes);
    const Character character = decode(bytes, size);
    REQUIRE(character.code == code);
    REQUIRE(character.bytes == size);
    REQUIRE(character.valid);
    REQUIRE(character_bytes(bytes[0]) == size);
    REQUIRE(decode_before({bytes, size}, size).code == code);
  }
}

TEST_CASE("bytes that are not UTF-8 are cut as Python cuts them") {
  using Lengths = std::vector<int>;
  CHECK(lengths("\xFF\xFE") == Lengths{-1, -1});
  CHECK(lengths("\xC0\x80") == Lengths{-1, -1});                  // overlong
  CHECK(lengths("\xE0\x9F\xBF") == Lengths{-1, -1, -1});          // overlong
  CHECK(lengths("\xED\xA0\x80") == Lengths{-1, -1, -1});          // a surrogate
  CHECK(lengths("\xF4\x90\x80\x80") == Lengths{-1, -1, -1, -1});  // above U+10FFFF
  CHECK(lengths("\xE4\xB8") == Lengths{-2});                      // broken off
  CHECK(lengths("\xE4\xB8z") == Lengths{-2, 1});
  CHECK(lengths("\xF0\x9F\x98") == Lengths{-3});
  CHECK(lengths("\xF0\x9F\x98\xC3\xA9") == Lengths{-3, 2});
  CHECK(lengths("\xC3") == Lengths{-1});
  CHECK(lengths("\x80\xC3\xA9") == Lengths{-1, 2});
}

TEST_CASE("a capital sigma is final after a letter and before none") {
  const auto lower = [](std::string_view before, std::string_view after) {
    const std::string text = std::string(before) + "\u03A3" + std::string(after);
    return lower_sigma(text, before.size(), before.size() + 2);
  };
  CHECK(lower("", "") == kSmallSigma);
  CHECK(lower("A", "") == kFinalSigma);
  CHECK(lower("A", "b") == kSmallSigma);
  CHECK(lower(" ", "") == kSmallSigma);
  CHECK(lower("A.\u0301", "") == kFinalSigma);
  CHECK(lower("A", "'.b") == kSmallSigma);
  CHECK(lower("A", "'. b") == kFinalSigma);
  CHECK(lower("A\xFF", "") == kSmallSigma);
  CHECK(lower("A",
              "\xFF"
              "b") == kFinalSigma);
  CHECK(lower("...", "") == kSmallSigma);
}
