#include "data/csv_field.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <bit>
#include <cstring>

#include "data/csv_text.hpp"

namespace logodds::csv {
namespace {

const char* find_byte(const char* from, const char* end, char byte) {
  if (from == end) { return nullptr; }
  return static_cast<const char*>(std::memchr(from, byte, static_cast<std::size_t>(end - from)));
}

std::string_view between(const char* from, const char* to) {
  return {from, static_cast<std::size_t>(to - from)};
}

const char* skip_blanks(const char* at, const char* end, char delimiter) {
  while (at != end && (*at == ' ' || *at == '\t') && *at != delimiter) { ++at; }
  return at;
}

/// A delimiter, line feed or return from `at` on, or a quote where `quote` is one; else `end`.
const char* find_special(const char* at, const char* end, char delimiter, char quote) {
#ifdef __SSE2__  // documents are long
  constexpr std::ptrdiff_t kStep = sizeof(__m128i);
  const __m128i delimiters = _mm_set1_epi8(delimiter);
  const __m128i quotes = _mm_set1_epi8(quote);
  const __m128i feeds = _mm_set1_epi8('\n');
  const __m128i returns = _mm_set1_epi8('\r');
  for (; end - at >= kStep; at += kStep) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i found =
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, delimiters), _mm_cmpeq_epi8(bytes, quotes)),
                     _mm_or_si128(_mm_cmpeq_epi8(bytes, feeds), _mm_cmpeq_epi8(bytes, returns)));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(found));
    if (mask != 0) { return at + std::countr_zero(mask); }
  }
#endif
  while (at != end && *at != delimiter && *at != quote && *at != '\n' && *at != '\r') { ++at; }
  return at;
}

Field read_unquoted(const char* from, const char* end, const Dialect& dialect) {
  const char quote = dialect.quotes ? '"' : dialect.delimiter;
  const char* at = find_special(from, end, dialect.delimiter, quote);
  while (at != end && *at == '\r' && !at_line_end(at, end)) {
    if (dialect.quotes) { return {between(from, at), at, FieldFault::bare_return}; }
    at = find_special(at + 1, end, dialect.delimiter, quote);
  }
  if (at != end && dialect.quotes && *at == '"') {
    return {between(from, at), at, FieldFault::stray_quote};
  }
  const auto text = between(from, at);
  return {.text = trimmed(text, dialect.delimiter), .next = at, .untrimmed = text};
}

Field close_quoted(std::string_view text, const char* after, const char* end, char delimiter) {
  const char* const next = skip_blanks(after, end, delimiter);
  if (at_line_end(next, end) || *next == delimiter) { return {text, next}; }
  return {text, next, *next == '\r' ? FieldFault::bare_return : FieldFault::text_after_quote};
}

// `from` stands behind the opening quote.
Field read_quoted(const char* from, const char* end, char delimiter) {
  const char* quote = find_byte(from, end, '"');
  bool doubled = false;
  while (quote != nullptr && quote + 1 != end && quote[1] == '"') {
    doubled = true;
    quote = find_byte(quote + 2, end, '"');
  }
  if (quote == nullptr) { return {{}, end, FieldFault::open_quote}; }
  Field field = close_quoted(between(from, quote), quote + 1, end, delimiter);
  field.doubled = doubled;
  field.untrimmed = field.text;
  return field;
}

void append_undoubled(std::string_view text, std::string& to) {
  const char* from = text.data();
  const char* const end = from + text.size();
  for (const char* quote = nullptr; (quote = find_byte(from, end, '"')) != nullptr;) {
    to.append(from, quote + 1);
    from = quote + 2;
  }
  to.append(from, end);
}

/// What a backslash and `c` stand for, or 0 when they stand for themselves.
char escaped_character(char c) {
  switch (c) {
    case 't':
      return '\t';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case '\\':
      return '\\';
    default:
      return '\0';
  }
}

/// From `begin` to the end of `text`, in place.
void undo_escapes(std::string& text, std::size_t begin) {
  char* to = text.data() + begin;
  const char* from = to;
  const char* const end = text.data() + text.size();
  const auto move_until = [&](const char* stop) {
    const auto bytes = static_cast<std::size_t>(stop - from);
    std::memmove(to, from, bytes);
    to += bytes;
    from = stop;
  };
  for (const char* slash = find_byte(from, end, '\\'); slash != nullptr && slash + 1 != end;
       slash = find_byte(slash + 2, end, '\\')) {
    const char other = escaped_character(slash[1]);
    if (other == '\0' && slash[1] != '0') { continue; }
    move_until(slash);
    *to++ = other;
    from = slash + 2;
  }
  move_until(end);
  text.resize(static_cast<std::size_t>(to - text.data()));
}

}  // namespace

Field read_field(const char* from, const char* end, const Dialect& dialect) {
  if (!dialect.quotes) { return read_unquoted(from, end, dialect); }
  const char* const start = skip_blanks(from, end, dialect.delimiter);
  if (start != end && *start == '"') { return read_quoted(start + 1, end, dialect.delimiter); }
  return read_unquoted(from, end, dialect);
}

bool needs_rewriting(const Field& field, const Dialect& dialect) {
  return field.doubled || (dialect.escapes && field.text.find('\\') != std::string_view::npos);
}

void append_rewritten(const Field& field, const Dialect& dialect, std::string& to) {
  const std::size_t begin = to.size();
  if (field.doubled) {
    append_undoubled(field.text, to);
  } else {
    to.append(field.text);
  }
  if (dialect.escapes) { undo_escapes(to, begin); }
}

}  // namespace logodds::csv
