// UTF-8 of foreign files: is it some, and text that is some whatever the bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace logodds::text {

/// What the bytes at the start of a text are.
struct Utf8Sequence {
  std::size_t bytes = 0;
  bool valid = false;  ///< a character; else the longest beginning of one, or a single byte
};

/// RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. `text` is not empty. A
/// sequence that is not valid stands for one U+FFFD, as in Python's decode(errors="replace").
[[nodiscard]] Utf8Sequence first_sequence(std::string_view text);

/// The offset of the first byte that is no UTF-8; npos when there is none.
[[nodiscard]] std::size_t find_invalid_utf8(std::string_view text);

/// At most so many bytes, cut before a character, with an ellipsis where something is missing.
[[nodiscard]] std::string beginning(std::string_view text, std::size_t most);

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace logodds::text
