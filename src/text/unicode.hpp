// Characters: UTF-8 to code points and back, and what Python's str and re know about them.
//
// The tables are Python's own because the tokens are to be those of scikit-learn on every script.
// ICU's classes differ (there a combining mark is a part of a word) and bring 30 MB of data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace logodds::text {

inline constexpr std::uint32_t kReplacement = 0xFFFD;  ///< stands for bytes that are not UTF-8
inline constexpr std::uint32_t kCapitalSigma = 0x3A3;
inline constexpr std::uint32_t kSmallSigma = 0x3C3;
inline constexpr std::uint32_t kFinalSigma = 0x3C2;
inline constexpr std::uint32_t kCombiningDot = 0x307;  ///< left of U+0130 beside its i

struct CharacterKind {
  std::uint8_t flags;
  std::int32_t to_lower;  ///< what has to be added for the lower-case character

  [[nodiscard]] bool word() const { return (flags & 1U) != 0; }
  [[nodiscard]] bool space() const { return (flags & 2U) != 0; }
  /// Cased and not ignorable: what makes a sigma after it the final one of a word.
  [[nodiscard]] bool cased() const { return (flags & 4U) != 0; }
  [[nodiscard]] bool ignorable() const { return (flags & 8U) != 0; }
  /// Capital sigma, and U+0130, which becomes two characters.
  [[nodiscard]] bool special() const { return (flags & 16U) != 0; }
};

// Defined in unicode_tables.cpp.
extern const char* const kUnicodeVersion;
extern const std::uint16_t kCharacterBlocks[];  ///< by code point / 128: which block of kinds
extern const std::uint8_t kCharacterKinds[];
extern const CharacterKind kKinds[];

/// Of a code point up to U+10FFFF.
inline const CharacterKind& kind_of(std::uint32_t code) {
  return kKinds[kCharacterKinds[kCharacterBlocks[code >> 7U] * 128U + (code & 127U)]];
}

struct Character {
  std::uint32_t code;
  std::uint32_t bytes;  ///< that it was read from
  bool valid;           ///< false: `code` is kReplacement
};

namespace detail {

inline bool continues(unsigned char byte) { return (byte & 0xC0U) == 0x80U; }

/// The second byte of a character of three or four bytes: no surrogates, no overlong forms, nothing
/// above U+10FFFF (Unicode 14, table 3-7).
inline bool second_byte(unsigned char first, unsigned char second) {
  switch (first) {
    case 0xE0:
      return second >= 0xA0 && second <= 0xBF;
    case 0xED:
      return second >= 0x80 && second <= 0x9F;
    case 0xF0:
      return second >= 0x90 && second <= 0xBF;
    case 0xF4:
      return second >= 0x80 && second <= 0x8F;
    default:
      return continues(second);
  }
}

inline Character invalid(std::uint32_t bytes) { return {kReplacement, bytes, false}; }

inline Character decode_long(const unsigned char* at, std::size_t left) {
  const std::uint32_t bytes = at[0] < 0xF0 ? 3 : 4;
  if (at[0] > 0xF4 || left < 2 || !second_byte(at[0], at[1])) { return invalid(1); }
  if (left < 3 || !continues(at[2])) { return invalid(2); }
  const std::uint32_t code = (at[1] & 0x3FU) << 6U | (at[2] & 0x3FU);
  if (bytes == 3) { return {(at[0] & 0x0FU) << 12U | code, 3, true}; }
  if (left < 4 || !continues(at[3])) { return invalid(3); }
  return {(at[0] & 0x07U) << 18U | code << 6U | (at[3] & 0x3FU), 4, true};
}

}  // namespace detail

/// The character at `at`, of which `left` > 0 bytes are there. Bytes that are not UTF-8 are taken
/// as Python's decode(errors="replace") takes them: the longest beginning of a character, or one
/// byte, is one U+FFFD.
inline Character decode(const char* bytes, std::size_t left) {
  const auto* at = reinterpret_cast<const unsigned char*>(bytes);
  if (at[0] < 0x80) { return {at[0], 1, true}; }
  if (at[0] >= 0xE0) { return detail::decode_long(at, left); }
  if (at[0] < 0xC2 || left < 2 || !detail::continues(at[1])) { return detail::invalid(1); }
  return {(at[0] & 0x1FU) << 6U | (at[1] & 0x3FU), 2, true};
}

/// Writes the character and returns its number of bytes; up to four bytes are written whatever it
/// is.
inline std::size_t encode(std::uint32_t code, char* out) {
  const auto tail = [code](unsigned shift) {
    return static_cast<char>(0x80U | (code >> shift & 0x3FU));
  };
  if (code < 0x80) {
    out[0] = static_cast<char>(code);
    return 1;
  }
  if (code < 0x800) {
    out[0] = static_cast<char>(0xC0U | code >> 6U);
    out[1] = tail(0);
    return 2;
  }
  if (code < 0x10000) {
    out[0] = static_cast<char>(0xE0U | code >> 12U);
    out[1] = tail(6);
    out[2] = tail(0);
    return 3;
  }
  out[0] = static_cast<char>(0xF0U | code >> 18U);
  out[1] = tail(12);
  out[2] = tail(6);
  out[3] = tail(0);
  return 4;
}

/// Bytes of a character in valid UTF-8, by its first byte.
inline std::size_t character_bytes(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

/// The character that ends where `at` > 0 bytes of the text are left behind.
[[nodiscard]] Character decode_before(std::string_view text, std::size_t at);

/// Which small sigma a capital one at [begin, end) becomes: the final one after a letter (a cased
/// character) that no letter follows; ignorable characters in between do not count.
[[nodiscard]] std::uint32_t lower_sigma(std::string_view text, std::size_t begin, std::size_t end);

}  // namespace logodds::text
