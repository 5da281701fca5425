// Foreign text, character by character.
#pragma once

#include <string_view>

#include "logodds/text/utf8.hpp"

namespace logodds::draw {

/// Takes the first character off `text`, which is not empty. Bytes that are no UTF-8, and the two
/// characters that XML forbids, become U+FFFD; control characters but newline and tab a space.
[[nodiscard]] inline std::string_view take_character(std::string_view& text) {
  const text::Utf8Sequence sequence = text::first_sequence(text);
  const std::string_view bytes = text.substr(0, sequence.bytes);
  text.remove_prefix(sequence.bytes);
  const auto first = static_cast<unsigned char>(bytes.front());
  if (!sequence.valid || bytes == "\xEF\xBF\xBE" || bytes == "\xEF\xBF\xBF") {
    return text::kReplacementCharacter;
  }
  return (first < 0x20 && first != '\n' && first != '\t') || first == 0x7F ? " " : bytes;
}

}  // namespace logodds::draw
