// Small tools for text: UTF-8 validity, trimming, and values as messages show them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace logodds::csv {

/// Bytes of the well-formed UTF-8 sequence at the start of `text` (RFC 3629: no overlong forms, no
/// surrogates, nothing above U+10FFFF); 0 when there is none.
[[nodiscard]] std::size_t utf8_sequence(std::string_view text);
[[nodiscard]] bool valid_utf8(std::string_view text);

/// Without leading and trailing spaces and tabs, except a tab or space that is the delimiter.
[[nodiscard]] inline std::string_view trimmed(std::string_view text, char delimiter) {
  const auto blank = [delimiter](char c) { return (c == ' ' || c == '\t') && c != delimiter; };
  while (!text.empty() && blank(text.front())) { text.remove_prefix(1); }
  while (!text.empty() && blank(text.back())) { text.remove_suffix(1); }
  return text;
}

/// The value in single quotes, at most 40 bytes of it, then "..."; control characters and bytes
/// that are no UTF-8 are written \xNN, so a message is always one line of valid text.
[[nodiscard]] std::string shown(std::string_view value);

/// "a, b, c" with at most `most` names and " and N more" for the rest.
[[nodiscard]] std::string name_list(const std::vector<std::string>& names, std::size_t most);

}  // namespace logodds::csv
