#include "logodds/text/utf8.hpp"

namespace logodds::text {

namespace {

/// Bounds of the second byte of a sequence.
struct Bounds {
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
};

Bounds second_byte(unsigned char first) {
  switch (first) {
    case 0xE0:  // below: overlong
      return {.low = 0xA0};
    case 0xED:  // above: surrogates
      return {.high = 0x9F};
    case 0xF0:  // below: overlong
      return {.low = 0x90};
    case 0xF4:  // above: beyond U+10FFFF
      return {.high = 0x8F};
    default:
      return {};
  }
}

}  // namespace

Utf8Sequence first_sequence(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) { return {.bytes = 1, .valid = true}; }
  if (first < 0xC2 || first > 0xF4) { return {.bytes = 1}; }
  const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  Bounds bounds = second_byte(first);
  for (std::size_t i = 1; i < length; ++i) {
    if (i == text.size() || byte(i) < bounds.low || byte(i) > bounds.high) { return {.bytes = i}; }
    bounds = {};
  }
  return {.bytes = length, .valid = true};
}

std::size_t find_invalid_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const Utf8Sequence sequence = first_sequence(text.substr(at));
    if (!sequence.valid) { return at; }
    at += sequence.bytes;
  }
  return std::string_view::npos;
}

std::string beginning(std::string_view text, std::size_t most) {
  if (text.size() <= most) { return std::string(text); }
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) { --end; }
  return std::string(text.substr(0, end)) + "\u2026";
}

}  // namespace logodds::text
