// One field of a CSV record (RFC 4180) or of a record without quotes, from its first byte to its
// delimiter or line end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace logodds::csv {

/// How fields are written.
struct Dialect {
  char delimiter = ',';
  bool quotes = true;    ///< false: a quote is a character like others, and so is a lone return
  bool escapes = false;  ///< \\, \t, \n, \r and \0 stand for a character
};

enum class FieldFault : std::uint8_t {
  none,
  stray_quote,       ///< a quote inside an unquoted field
  text_after_quote,  ///< text between a closing quote and the delimiter
  open_quote,        ///< a quote that is never closed
  bare_return        ///< a carriage return without a line feed, outside quotes
};

struct Field {
  /// Unquoted text is trimmed; quoted text is what stands between the quotes.
  std::string_view text;
  /// At the delimiter, the line end, or the end of the input; at the offence when there is a fault.
  const char* next = nullptr;
  FieldFault fault = FieldFault::none;
  bool doubled = false;  ///< the text holds doubled quotes
  /// The text with the blanks around it, which belong to a document.
  std::string_view untrimmed{};
};

/// True at "\n", "\r\n", a final "\r" and at the end of the input.
[[nodiscard]] inline bool at_line_end(const char* at, const char* end) {
  if (at == end || *at == '\n') { return true; }
  return *at == '\r' && (at + 1 == end || at[1] == '\n');
}

/// The start of the next line, from a position at_line_end() accepts.
[[nodiscard]] inline const char* next_line(const char* at, const char* end) {
  if (at != end && *at == '\r') { ++at; }
  return at == end ? end : at + 1;
}

[[nodiscard]] Field read_field(const char* from, const char* end, const Dialect& dialect);

/// True when the text stands for another one: doubled quotes for single ones, escapes.
[[nodiscard]] bool needs_rewriting(const Field& field, const Dialect& dialect);
/// Appends what the text stands for, which is never longer.
void append_rewritten(const Field& field, const Dialect& dialect, std::string& to);

}  // namespace logodds::csv
