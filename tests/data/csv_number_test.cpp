// The quick number parser against strtod, which rounds correctly.
#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

#include "data/csv_number.hpp"

using logodds::csv::kPlainReach;
using logodds::csv::plain_decimal;
using logodds::csv::short_decimal;

namespace {

std::string padded(const std::string& text) {
  return text + std::string(static_cast<std::size_t>(kPlainReach), ',');
}

bool taken_as_short(const std::string& text) {
  const std::string input = padded(text);
  double value = 0;
  if (!short_decimal(input.data(), input.data() + text.size(), value)) { return false; }
  const double reference = std::strtod(text.c_str(), nullptr);
  CAPTURE(text);
  CHECK(std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(reference));
  return true;
}

/// True when the parser took all of `text`; then its value must be strtod's, to the bit.
bool taken(const std::string& text) {
  const std::string input = padded(text);
  double value = 0;
  const char* const next = plain_decimal(input.data(), value);
  if (next != input.data() + text.size()) { return false; }
  const double reference = std::strtod(text.c_str(), nullptr);
  CAPTURE(text);
  CHECK(std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(reference));
  return true;
}

}  // namespace

TEST_CASE("plain decimals are taken and correct to the bit") {
  for (const auto* const text :
       {"0", "-0", "7", "-7", "1234567", "0.5", "-0.5", "3.14159265", "0.12345678", "0.123456789",
        "999.999999999999", "0000001.5", "-1234567.7654321", "1.000000000000000", "0.1", "0.3"}) {
    CAPTURE(text);
    CHECK(taken(text));
  }
}

TEST_CASE("other forms are left to the general parser") {
  for (const auto* const text :
       {"", "-", "+1", ".5", "1.", "12345678", "1.1234567890123456", "1234.123456789", "abc", "nan",
        "--1", " 1", "0x1", "9007199254740993.0", "0.9007199254740993"}) {
    CAPTURE(text);
    const std::string input = padded(text);
    double value = 0;
    const char* const next = plain_decimal(input.data(), value);
    CHECK((next == nullptr || next != input.data() + std::string_view(text).size()));
  }
}

TEST_CASE("short decimals are taken between given ends") {
  for (const auto* const text : {"0", "-0", "7", "12345678", "-12345678", "1.5", "-.5", ".5", "5.",
                                 "0.123456", "-1234567.", ".1234567", "99999.99"}) {
    CAPTURE(text);
    CHECK(taken_as_short(text));
  }
  for (const auto* const text : {"",
                                 "-",
                                 ".",
                                 "-.",
                                 "1..2",
                                 "1.2.3",
                                 "..",
                                 "123456789",
                                 "0.1234567",
                                 "1e5",
                                 "+1",
                                 " 1",
                                 "1 ",
                                 "--1",
                                 "1-",
                                 "/1",
                                 "1:",
                                 "nan",
                                 "1\xB1",
                                 "\xAE"
                                 "1"}) {
    CAPTURE(text);
    CHECK_FALSE(taken_as_short(text));
  }
}

TEST_CASE("a number stops at the first byte that does not belong to it") {
  for (const std::string text :
       {"1;", "1.5x", "1.5e3", "12\n", "12.25\r", "3.5.5", "7-2", "4/", "4:"}) {
    const std::string input = padded(text);
    double value = 0;
    const char* const next = plain_decimal(input.data(), value);
    char* reference_next = nullptr;
    const std::string mantissa = text.substr(0, text.find('e'));
    const double reference = std::strtod(mantissa.c_str(), &reference_next);
    CAPTURE(text);
    CHECK(value == reference);
    REQUIRE(next != nullptr);
    CHECK(*next == (text.find('e') == std::string::npos ? *reference_next : 'e'));
  }
}

TEST_CASE("random decimals agree with strtod") {
  std::mt19937_64 random(20240607);
  const auto digits = [&](std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
      text += static_cast<char>('0' + static_cast<int>(random() % 10));
    }
    return text;
  };
  std::size_t plain = 0;
  std::size_t brief = 0;
  for (int i = 0; i < 100000; ++i) {
    std::string text = random() % 2 == 0 ? "-" : "";
    text += digits(1 + random() % 8);
    if (random() % 4 != 0) { (text += '.') += digits(1 + random() % 17); }
    plain += taken(text) ? 1U : 0U;
    brief += taken_as_short(text) ? 1U : 0U;
  }
  CHECK(brief > 10000);
  CHECK(plain > 50000);
}
