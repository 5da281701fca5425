#include "data/csv_text.hpp"

#include <algorithm>
#include <cstdint>

namespace logodds::csv {
namespace {

constexpr std::size_t kShownBytes = 40;

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::size_t lead_length(unsigned char lead) {
  if (lead < 0x80) { return 1; }
  if (lead >= 0xC2 && lead <= 0xDF) { return 2; }
  if (lead >= 0xE0 && lead <= 0xEF) { return 3; }
  if (lead >= 0xF0 && lead <= 0xF4) { return 4; }
  return 0;
}

// The second byte decides overlong forms, surrogates and values above U+10FFFF.
bool second_byte_fits(unsigned char lead, unsigned char second) {
  switch (lead) {
    case 0xE0:
      return second >= 0xA0;
    case 0xED:
      return second < 0xA0;
    case 0xF0:
      return second >= 0x90;
    case 0xF4:
      return second < 0x90;
    default:
      return true;
  }
}

std::string escaped(char c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return {'\\', 'x', kDigits[byte >> 4U], kDigits[byte & 15U]};
}

}  // namespace

std::size_t utf8_sequence(std::string_view text) {
  if (text.empty()) { return 0; }
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead_length(lead);
  if (length == 0 || length > text.size()) { return 0; }
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[i])) { return 0; }
  }
  if (length > 1 && !second_byte_fits(lead, static_cast<unsigned char>(text[1]))) { return 0; }
  return length;
}

bool valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_sequence(text);
    if (length == 0) { return false; }
    text.remove_prefix(length);
  }
  return true;
}

std::string shown(std::string_view value) {
  std::string out = "'";
  std::size_t used = 0;
  while (used < value.size()) {
    const std::size_t length = utf8_sequence(value.substr(used));
    if (used + std::max<std::size_t>(length, 1) > kShownBytes) { break; }
    const auto byte = static_cast<unsigned char>(value[used]);
    if (length == 0 || byte < 0x20 || byte == 0x7F) {
      out += escaped(value[used++]);
    } else {
      out += value.substr(used, length);
      used += length;
    }
  }
  return out + (used < value.size() ? "...'" : "'");
}

std::string name_list(const std::vector<std::string>& names, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) {
    out += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > most) { out += " and " + std::to_string(names.size() - most) + " more"; }
  return out;
}

}  // namespace logodds::csv
