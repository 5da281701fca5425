#include "data/csv_field.hpp"

#include <cstring>

#include "data/csv_text.hpp"

namespace logodds::csv {
namespace {

const char* find_quote(const char* from, const char* end) {
  if (from == end) { return nullptr; }
  return static_cast<const char*>(std::memchr(from, '"', static_cast<std::size_t>(end - from)));
}

std::string_view between(const char* from, const char* to) {
  return {from, static_cast<std::size_t>(to - from)};
}

const char* skip_blanks(const char* at, const char* end, char delimiter) {
  while (at != end && (*at == ' ' || *at == '\t') && *at != delimiter) { ++at; }
  return at;
}

Field read_unquoted(const char* from, const char* end, char delimiter) {
  const char* at = from;
  while (at != end && *at != delimiter && *at != '\n') {
    if (*at == '"') { return {between(from, at), at, FieldFault::stray_quote}; }
    if (*at == '\r') {
      if (at_line_end(at, end)) { break; }
      return {between(from, at), at, FieldFault::bare_return};
    }
    ++at;
  }
  return {trimmed(between(from, at), delimiter), at, FieldFault::none};
}

Field close_quoted(std::string_view text, const char* after, const char* end, char delimiter) {
  const char* const next = skip_blanks(after, end, delimiter);
  if (at_line_end(next, end) || *next == delimiter) { return {text, next, FieldFault::none}; }
  return {text, next, *next == '\r' ? FieldFault::bare_return : FieldFault::text_after_quote};
}

// `from` stands behind the opening quote.
Field read_quoted(const char* from, const char* end, char delimiter, std::string& scratch) {
  const char* quote = find_quote(from, end);
  if (quote == nullptr) { return {{}, end, FieldFault::open_quote}; }
  if (quote + 1 == end || quote[1] != '"') {
    return close_quoted(between(from, quote), quote + 1, end, delimiter);
  }
  scratch.clear();
  while (quote + 1 != end && quote[1] == '"') {
    scratch.append(from, quote + 1);
    from = quote + 2;
    quote = find_quote(from, end);
    if (quote == nullptr) { return {{}, end, FieldFault::open_quote}; }
  }
  scratch.append(from, quote);
  return close_quoted(scratch, quote + 1, end, delimiter);
}

}  // namespace

Field read_field(const char* from, const char* end, char delimiter, std::string& scratch) {
  const char* const start = skip_blanks(from, end, delimiter);
  if (start != end && *start == '"') { return read_quoted(start + 1, end, delimiter, scratch); }
  return read_unquoted(from, end, delimiter);
}

}  // namespace logodds::csv
