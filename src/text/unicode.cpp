#include "text/unicode.hpp"

#include <algorithm>

namespace logodds::text {

Character decode_before(std::string_view text, std::size_t at) {
  for (std::size_t bytes = 1; bytes <= std::min<std::size_t>(at, 4); ++bytes) {
    const Character character = decode(text.data() + at - bytes, bytes);
    if (character.valid && character.bytes == bytes) { return character; }
  }
  return detail::invalid(1);
}

namespace {

bool letter_before(std::string_view text, std::size_t at) {
  while (at > 0) {
    const Character character = decode_before(text, at);
    const CharacterKind& kind = kind_of(character.code);
    if (!kind.ignorable()) { return kind.cased(); }
    at -= character.bytes;
  }
  return false;
}

bool letter_after(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const Character character = decode(text.data() + at, text.size() - at);
    const CharacterKind& kind = kind_of(character.code);
    if (!kind.ignorable()) { return kind.cased(); }
    at += character.bytes;
  }
  return false;
}

}  // namespace

std::uint32_t lower_sigma(std::string_view text, std::size_t begin, std::size_t end) {
  return letter_before(text, begin) && !letter_after(text, end) ? kFinalSigma : kSmallSigma;
}

}  // namespace logodds::text
