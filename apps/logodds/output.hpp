// What people read: small aligned tables on standard output, notes on standard error.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace logodds::app {

/// Thrown when whoever reads our output has closed it: the work ends, and that is no error.
class ClosedPipe {};

/// Writes to standard output. Throws ClosedPipe, or Error(io).
void print(std::string_view text);
/// The same after a file was written: an error says so ("the model was written to m").
void print_summary(std::string_view text, std::string_view written);
/// "note: sentence" on standard error, for each; nothing when `quiet`.
void print_notes(const std::vector<std::string>& notes, bool quiet);

/// Control characters spelled out (\n, \x1b), so that a value cannot break a line or a terminal.
[[nodiscard]] std::string printable(std::string_view text);
/// At most six significant digits, for people.
[[nodiscard]] std::string short_number(double value);
/// "12,345"
[[nodiscard]] std::string grouped(std::size_t value);
/// "1 row lacks", "12 rows lack": the count and the form that goes with it.
[[nodiscard]] std::string counted(std::size_t count, std::string_view one, std::string_view many);

enum class Tone { plain, strong, faint, good, bad };
/// Standard output is a terminal and NO_COLOR is not set.
[[nodiscard]] bool colored();
/// `text` in a tone where colored().
[[nodiscard]] std::string toned(std::string_view text, Tone tone);

/// Columns aligned by the widest cell: numbers right, words left.
class TextTable {
 public:
  enum class Align { left, right };

  explicit TextTable(std::vector<Align> align) : align_(std::move(align)) {}
  void header(const std::vector<std::string>& cells) { add(cells, Tone::strong); }
  void row(const std::vector<std::string>& cells) { add(cells, Tone::plain); }
  /// The tone of one cell of the last row.
  void tone(std::size_t column, Tone tone) { rows_.back().tones[column] = tone; }
  [[nodiscard]] std::string text() const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::vector<Tone> tones;
  };
  void add(const std::vector<std::string>& cells, Tone tone);
  std::vector<Align> align_;
  std::vector<Row> rows_;
};

/// A table of names and values.
class FactTable {
 public:
  void add(std::string_view name, std::string_view value);
  [[nodiscard]] std::string text() const { return table_.text(); }

 private:
  TextTable table_{{TextTable::Align::left, TextTable::Align::left}};
};

}  // namespace logodds::app
