#include "logodds/draw/markup.hpp"

#include <cstdint>

#include "draw/characters.hpp"

namespace logodds::draw {

namespace {

void append_ascii(std::string& out, char c) {
  switch (c) {
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '&':
      out += "&amp;";
      break;
    case '"':
      out += "&quot;";
      break;
    default:
      out += c;
  }
}

}  // namespace

void append_escaped(std::string& out, std::string_view raw) {
  while (!raw.empty()) {
    const std::string_view character = take_character(raw);
    if (character.size() == 1) {
      append_ascii(out, character.front());
    } else {
      out += character;
    }
  }
}

std::string escaped(std::string_view raw) {
  std::string out;
  append_escaped(out, raw);
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) -> std::uint32_t {
      return k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0U;
    };
    const std::uint32_t group = byte(i) << 16U | byte(i + 1) << 8U | byte(i + 2);
    out += kDigits[group >> 18U];
    out += kDigits[group >> 12U & 63U];
    out += i + 1 < bytes.size() ? kDigits[group >> 6U & 63U] : '=';
    out += i + 2 < bytes.size() ? kDigits[group & 63U] : '=';
  }
  return out;
}

}  // namespace logodds::draw
