#include "data/csv_header.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "data/csv_text.hpp"
#include "logodds/error.hpp"

namespace logodds::csv {
namespace {

using namespace std::string_view_literals;

[[noreturn]] void fail(const std::string& place, const std::string& sentence) {
  throw Error(ErrorCode::input, place + ": " + sentence);
}

void check_delimiter(char delimiter) {
  const auto byte = static_cast<unsigned char>(delimiter);
  const bool letter_or_digit =
      (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
  if (letter_or_digit || byte >= 0x7F || (byte < 0x20 && delimiter != '\t') ||
      "\"+-."sv.find(delimiter) != std::string_view::npos) {
    throw Error(ErrorCode::usage, "the delimiter " + shown({&delimiter, 1}) +
                                      " cannot separate fields; use a comma, a semicolon, a tab, "
                                      "a bar or a space");
  }
}

constexpr std::size_t kStart = 4096;  ///< bytes that are looked at before anything else

/// A model file: the length of its header in 8 bytes, then the header.
bool is_model_file(std::string_view start) {
  constexpr std::size_t kLength = 8;
  return start.size() > kLength && start.substr(kLength).starts_with("{\"__metadata__\"");
}

void check_format(std::string_view start, const std::string& file) {
  if (start.empty()) { fail(file, "the file is empty; give a table with a header and rows"); }
  const auto marked = [start](std::string_view mark) { return start.starts_with(mark); };
  if (marked("\xFF\xFE"sv) || marked("\xFE\xFF"sv)) {
    fail(file, "the text is UTF-16; convert it with iconv -f UTF-16 -t UTF-8");
  }
  if (is_model_file(start)) {
    fail(file, "this is a model file, not a table; give a CSV file as the data");
  }
}

/// The first NUL byte. Later ones are found where they enter a dictionary; this one says early that
/// a file is no text.
std::optional<NulByte> find_nul_byte(std::string_view start, const Dialect& dialect) {
  const std::size_t nul = start.find('\0');
  if (nul == std::string_view::npos) { return std::nullopt; }
  NulByte place;
  bool quoted = false;
  for (const char c : start.substr(0, nul)) {
    quoted ^= c == '"' && dialect.quotes;
    place.line += c == '\n' ? 1U : 0U;
    place.field += c == dialect.delimiter && !quoted ? 1U : 0U;
    if (c == '\n' && !quoted) { place.field = 0; }
  }
  return place;
}

/// Text up to and with the first line that is not blank; `blank` is what stands before it.
struct FirstRecord {
  std::string_view text;
  std::size_t blank = 0;
  std::size_t blank_lines = 0;
};

FirstRecord first_record(std::string_view text, const RowScanner& scanner) {
  FirstRecord record{text.substr(0, scanner.bytes()), 0, 0};
  const char* const end = record.text.data() + record.text.size();
  while (!record.text.empty() && at_line_end(record.text.data(), end)) {
    const char* const next = next_line(record.text.data(), end);
    const auto bytes = static_cast<std::size_t>(next - record.text.data());
    record.text.remove_prefix(bytes);
    record.blank += bytes;
    ++record.blank_lines;
  }
  return record;
}

/// All text until one row is complete.
std::string_view peek_record(TextReader& reader, std::size_t skip, RowScanner& scanner) {
  for (std::size_t bytes = std::size_t{64} << 10U;; bytes *= 2) {
    const auto text = reader.peek(bytes);
    const bool at_end = text.size() < bytes;
    scanner.reset();
    if (scanner.scan(text.substr(std::min(skip, text.size())), at_end)) { return text; }
  }
}

char most_frequent_delimiter(std::string_view record) {
  constexpr std::string_view kCandidates = ",;\t|";
  std::array<std::size_t, kCandidates.size()> counts{};
  bool quoted = false;
  for (const char c : record) {
    quoted ^= c == '"';
    const std::size_t which = kCandidates.find(c);
    if (!quoted && which != std::string_view::npos) { ++counts[which]; }
  }
  const auto* const best = std::ranges::max_element(counts);
  return kCandidates[static_cast<std::size_t>(best - counts.begin())];
}

std::string positional_name(std::size_t index) {
  std::string name = "x";
  return name += std::to_string(index + 1);
}

std::string delimiter_name(char delimiter) {
  return delimiter == '\t' ? "a tab" : shown({&delimiter, 1});
}

bool tab_separated_name(std::string_view file) {
  for (const auto packed : {".gz"sv, ".zst"sv}) {
    if (file.ends_with(packed)) { file.remove_suffix(packed.size()); }
  }
  return file.ends_with(".tsv");
}

void choose_delimiter(Header& header, char asked, std::string_view record) {
  char& delimiter = header.dialect.delimiter;
  if (asked != 0) {
    check_delimiter(asked);
    delimiter = asked;
  } else if (!header.dialect.quotes || tab_separated_name(header.file)) {
    delimiter = '\t';
  } else {
    delimiter = most_frequent_delimiter(record);
    if (delimiter != ',') {
      header.notes.push_back(header.file + ": fields are separated by " +
                             delimiter_name(delimiter) + " (choose with --delimiter)");
    }
  }
}

std::vector<std::string> split_record(const Header& header, std::string_view record,
                                      std::size_t line) {
  std::vector<std::string> fields;
  const char* at = record.data();
  const char* const end = record.data() + record.size();
  for (;;) {
    const Field field = read_field(at, end, header.dialect);
    if (field.fault != FieldFault::none) {
      fail(header.file + ", line " + std::to_string(line) + ", column " +
               std::to_string(fields.size() + 1),
           fault_sentence(field.fault, header.dialect.delimiter));
    }
    append_rewritten(field, header.dialect, fields.emplace_back());
    if (at_line_end(field.next, end)) { return fields; }
    at = field.next + 1;
  }
}

void name_unnamed(Header& header) {
  for (std::size_t i = 0; i < header.names.size(); ++i) {
    if (!header.names[i].empty()) { continue; }
    header.names[i] = positional_name(i);
    const std::string& name = header.names[i];
    header.notes.push_back(header.file + ": column " + std::to_string(i + 1) +
                           " has no name and is called " + name +
                           "; if it only numbers the rows, leave it out with --ignore " + name);
  }
}

void check_names(const Header& header, std::size_t line) {
  const std::string place = header.file + ", line " + std::to_string(line);
  std::unordered_map<std::string_view, std::size_t> positions;
  for (std::size_t i = 0; i < header.names.size(); ++i) {
    const std::string& name = header.names[i];
    const std::string sentence = encoding_sentence(name);
    if (!sentence.empty()) {
      fail(place + ", column " + std::to_string(i + 1), "the name " + shown(name) + " " + sentence);
    }
    const auto [first, added] = positions.emplace(name, i);
    if (!added) {
      fail(place, "columns " + std::to_string(first->second + 1) + " and " + std::to_string(i + 1) +
                      " are both called " + shown(name) + "; give each column a name of its own");
    }
  }
}

}  // namespace

void fail_nul_byte(const std::string& file, const NulByte& nul) {
  fail(
      file + ", line " + std::to_string(nul.line + 1) + ", column " + std::to_string(nul.field + 1),
      "the text " + encoding_sentence({"\0", 1}));
}

std::string fault_sentence(FieldFault fault, char delimiter) {
  switch (fault) {
    case FieldFault::stray_quote:
      return "a quote stands inside a field that does not begin with one; put the whole field in "
             "quotes and double the quotes in it";
    case FieldFault::text_after_quote:
      return "text follows a closing quote; double a quote that belongs to the text, or check the "
             "delimiter (" +
             delimiter_name(delimiter) + ")";
    case FieldFault::open_quote:
      return "a quote is opened here and never closed; close it, or double it if it belongs to the "
             "text";
    case FieldFault::bare_return:
      return "a carriage return stands alone; these are old Mac line ends, convert them with tr "
             "'\\r' '\\n'";
    case FieldFault::none:
      break;
  }
  return {};
}

std::string encoding_sentence(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) {
    return "holds a NUL byte; if the text is UTF-16, convert it with iconv -f UTF-16LE -t UTF-8";
  }
  if (!valid_utf8(text)) {
    return "is not valid UTF-8; if the text is Latin-1, convert it with iconv -f LATIN1 -t UTF-8";
  }
  return {};
}

Header read_header(TextReader& reader, const std::string& file, const CsvOptions& options) {
  constexpr auto kMark = "\xEF\xBB\xBF"sv;
  Header header;
  header.file = file;
  header.named = options.header;
  header.dialect = {.quotes = options.quotes, .escapes = options.escapes};
  const auto start = reader.peek(kStart);
  check_format(start, file);
  const std::size_t mark = start.starts_with(kMark) ? kMark.size() : 0;
  RowScanner scanner({.most_rows = 1, .quotes = options.quotes});
  const auto text = peek_record(reader, mark, scanner);
  const auto record = first_record(text.substr(mark), scanner);
  const std::size_t line = record.blank_lines + 1;
  choose_delimiter(header, options.delimiter, record.text);
  header.nul = find_nul_byte(text.substr(0, kStart), header.dialect);
  if (header.nul && header.named && header.nul->line < scanner.lines()) {
    fail_nul_byte(file, *header.nul);
  }
  header.names = split_record(header, record.text, line);
  header.bytes = mark;
  if (!header.named) {
    for (std::size_t i = 0; i < header.names.size(); ++i) { header.names[i] = positional_name(i); }
    return header;
  }
  if (record.text.empty()) { fail(file, "there are only blank lines; give a header and rows"); }
  header.bytes += scanner.bytes();
  header.lines = scanner.lines();
  name_unnamed(header);
  check_names(header, line);
  return header;
}

}  // namespace logodds::csv
