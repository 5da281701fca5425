// Decimal numbers at a pointer: the short plain ones that fill most files, by arithmetic on words.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace logodds::csv {

/// plain_decimal() may read this many bytes from its first argument on.
inline constexpr std::ptrdiff_t kPlainReach = 32;

namespace detail {

inline std::uint64_t load_word(const char* from) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

/// A high bit in each byte from the first that is no digit on (bits above the lowest may lie).
inline std::uint64_t non_digits(std::uint64_t word) {
  return ((word + 0x4646464646464646U) | (word - 0x3030303030303030U)) & 0x8080808080808080U;
}

/// The value of eight digits, first digit in the lowest byte, '0' already subtracted.
/// Pairs, then fours, then eight: https://johnnylee-sde.github.io/Fast-numeric-string-to-int/
inline std::uint64_t eight_digits(std::uint64_t digits) {
  constexpr std::uint64_t kMask = 0x000000FF000000FFU;
  constexpr std::uint64_t kHigh = 100 + (1000000ULL << 32U);
  constexpr std::uint64_t kLow = 1 + (10000ULL << 32U);
  digits = digits * 10 + (digits >> 8U);
  return ((digits & kMask) * kHigh + ((digits >> 16U) & kMask) * kLow) >> 32U;
}

/// The value of the first `count` (1 to 8) digits of a word of text.
inline std::uint64_t leading_digits(std::uint64_t word, unsigned count) {
  return eight_digits((word - 0x3030303030303030U) << (64 - 8 * count));
}

inline constexpr std::array<std::uint64_t, 9> kIntegerPowers{
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
inline constexpr std::array<double, 17> kPowers{1e0, 1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7, 1e8,
                                                1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16};

/// Without a branch, because the signs of a column are often beyond guessing.
inline double with_sign(double magnitude, bool negative) {
  const std::uint64_t sign = static_cast<std::uint64_t>(negative) << 63U;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) | sign);
}

inline unsigned digit_count(std::uint64_t flags) {
  return static_cast<unsigned>(std::countr_zero(flags)) / 8;
}

}  // namespace detail

/// Reads -?D{1,7}(.D{1,15})? at `from`; the end of it, or null when the text has another form or
/// more digits than a double holds exactly. Below 2^53 the digits m are exact, and so is 10^k for
/// k <= 22: the one rounding of m / 10^k makes the value the nearest double (Clinger 1990).
inline const char* plain_decimal(const char* from, double& value) {
  using namespace detail;
  if constexpr (std::endian::native != std::endian::little) { return nullptr; }
  const bool negative = *from == '-';
  from += static_cast<std::ptrdiff_t>(negative);
  const std::uint64_t whole = load_word(from);
  const std::uint64_t whole_flags = non_digits(whole);
  const unsigned whole_count = whole_flags == 0 ? 8 : digit_count(whole_flags);
  if (whole_count - 1 > 6) { return nullptr; }
  std::uint64_t mantissa = leading_digits(whole, whole_count);
  from += whole_count;
  if (*from != '.') {
    value = with_sign(static_cast<double>(mantissa), negative);
    return from;
  }
  ++from;
  std::uint64_t part = load_word(from);
  std::uint64_t flags = non_digits(part);
  unsigned places = 0;
  if (flags == 0) {
    if (whole_count > 3) { return nullptr; }  // 3 + 15 digits still fit in 64 bits
    mantissa = mantissa * kIntegerPowers[8] + leading_digits(part, 8);
    from += 8;
    places = 8;
    part = load_word(from);
    flags = non_digits(part);
    if (flags == 0) { return nullptr; }
  }
  const unsigned count = digit_count(flags);
  if (count + places == 0) { return nullptr; }
  if (count > 0) {
    mantissa = mantissa * kIntegerPowers[count] + leading_digits(part, count);
    from += count;
    places += count;
  }
  constexpr std::uint64_t kExact = std::uint64_t{1} << 53U;
  if (mantissa > kExact) { return nullptr; }
  value = with_sign(static_cast<double>(mantissa) / kPowers[places], negative);
  return from;
}

/// Reads [from, stop) when it is -?D*.?D* of at most eight characters behind the sign, among them a
/// digit: one word holds it, and the point is taken out by shifting what stands before it.
inline bool short_decimal(const char* from, const char* stop, double& value) {
  using namespace detail;
  if constexpr (std::endian::native != std::endian::little) { return false; }
  const bool negative = *from == '-';
  from += static_cast<std::ptrdiff_t>(negative);
  const auto length = static_cast<std::uint64_t>(stop - from);
  if (length - 1 > 7) { return false; }
  // The last character in the highest byte, '0' below the first.
  std::uint64_t word =
      load_word(from) << (64 - 8 * length) | 0x0030303030303030U >> (8 * (length - 1));
  unsigned places = 0;
  const std::uint64_t other = word ^ 0x2E2E2E2E2E2E2E2EU;  // a point becomes zero
  const std::uint64_t points = (other - 0x0101010101010101U) & ~other & 0x8080808080808080U;
  if (points != 0) {
    const std::uint64_t first = points & (0 - points);  // exact; those above it may lie
    const std::uint64_t before = (first >> 7U) - 1;
    const std::uint64_t through = (first << 1U) - 1;
    word = (word & ~through) | ((word & before) << 8U) | 0x30U;
    places = 7 - digit_count(points);
    if (length == 1) { return false; }
  }
  if (non_digits(word) != 0) { return false; }
  const std::uint64_t values = word - 0x3030303030303030U;
  value = with_sign(static_cast<double>(eight_digits(values)) / kPowers[places], negative);
  return true;
}

/// True when [from, stop) is the text of a field as it stands: at most 16 bytes, none of them a
/// quote or a return, and no blank at either end. May read kPlainReach bytes.
inline bool plain_word(const char* from, const char* stop) {
  using namespace detail;
  if constexpr (std::endian::native != std::endian::little) { return false; }
  const auto length = static_cast<std::size_t>(stop - from);
  if (length == 0) { return true; }
  if (length > 16) { return false; }
  const auto graphic = [](char c) { return static_cast<unsigned char>(c) > 0x20U; };
  if (!graphic(from[0]) || !graphic(stop[-1])) { return false; }
  const auto holds = [](std::uint64_t word, std::uint64_t bytes) {  // exact when nothing is found
    const std::uint64_t other = word ^ bytes;
    return ((other - 0x0101010101010101U) & ~other & 0x8080808080808080U) != 0;
  };
  constexpr std::uint64_t kQuotes = 0x2222222222222222U;
  constexpr std::uint64_t kReturns = 0x0D0D0D0D0D0D0D0DU;
  const auto suspicious = [&](const char* at, std::size_t count) {
    const std::uint64_t word = load_word(at) | (count < 8 ? ~std::uint64_t{0} << (8 * count) : 0U);
    return holds(word, kQuotes) || holds(word, kReturns);
  };
  if (suspicious(from, length)) { return false; }
  return length <= 8 || !suspicious(from + 8, length - 8);
}

}  // namespace logodds::csv
