// Where blocks of rows begin and end in the text of a table.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "data/csv_input.hpp"

namespace logodds::csv {

/// What a row is, and how many of them make a block.
struct RowRules {
  std::size_t most_rows = 1;
  /// A block also ends behind the row that brings it to this many bytes.
  std::size_t most_bytes = std::numeric_limits<std::size_t>::max();
  /// In a table of one column an empty line is a missing value, or an empty document.
  bool blank_lines_are_rows = false;
  /// False: a quote is a character like others.
  bool quotes = true;
};

/// Counts rows without looking into fields: every quote opens or closes quoting (a doubled one does
/// both), and a line feed outside quotes ends a line. In text without faults, which the parser
/// finds, that is exactly RFC 4180.
class RowScanner {
 public:
  explicit RowScanner(const RowRules& rules) : rules_(rules) {}

  /// Goes on over `text`, which begins at the first row and since the last call has only grown.
  /// True when all rows are found, or when `at_end` and so no more text will come.
  bool scan(std::string_view text, bool at_end);
  void reset();

  [[nodiscard]] std::size_t bytes() const { return line_; }  ///< of the complete lines found
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t lines() const { return lines_; }  ///< physical lines in these bytes

 private:
  void end_line(std::string_view text, std::size_t content_end, std::size_t next);
  bool skip_quoted(std::string_view text);
  void find_line_feed(std::string_view text);
  [[nodiscard]] bool full() const {
    return rows_ == rules_.most_rows || (line_ >= rules_.most_bytes && rows_ > 0);
  }

  RowRules rules_;
  std::size_t line_ = 0;  ///< start of the current row
  std::size_t at_ = 0;    ///< scanned so far
  std::size_t feed_ = 0;  ///< first line feed from at_ on, or how far there is none
  std::size_t rows_ = 0;
  std::size_t lines_ = 0;
  std::size_t quoted_lines_ = 0;  ///< line feeds inside quotes of the current row
  bool quoted_ = false;
};

/// The text of a table, handed out from front to back.
class TextReader {
 public:
  TextReader() = default;
  TextReader(const TextReader&) = delete;
  TextReader& operator=(const TextReader&) = delete;
  virtual ~TextReader() = default;

  /// Text not yet taken: at least `bytes` of it, unless there is no more.
  virtual std::string_view peek(std::size_t bytes) = 0;
  /// Takes text that peek() has shown.
  virtual void skip(std::size_t bytes) = 0;
  /// Takes the rows that `scanner` (reset) finds. The view is into `storage` or outlives the
  /// reader.
  virtual std::string_view take(RowScanner& scanner, std::string& storage) = 0;
  /// Takes back the end of the text that take() handed out last.
  virtual void put_back(std::string_view text) = 0;
  /// Back to the first byte; false when that is no longer possible.
  virtual bool rewind() = 0;
  [[nodiscard]] virtual double fraction() const = 0;
};

[[nodiscard]] std::unique_ptr<TextReader> make_reader(Input input);

}  // namespace logodds::csv
