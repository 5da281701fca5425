// What sources of lines share: blocks, places, and the first look at the text.
#pragma once

#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/csv_splitter.hpp"
#include "data/plain_labels.hpp"
#include "logodds/data/source.hpp"

namespace logodds {

/// Cuts a line from the front of `text`, which is not empty; the line feed and a carriage return
/// before it are dropped.
[[nodiscard]] std::string_view next_line(std::string_view& text);

/// Derived classes parse a block, line by line, and call start() when they are made.
class LineSource : public BlockSource {
 public:
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] const std::vector<SourceColumn>& columns() const override { return columns_; }
  [[nodiscard]] std::string target() const override { return target_; }
  bool take(RowBuffer& buffer) override;
  bool restart_with_coded(std::span<const std::size_t> columns) override;
  void keep_unlabeled() override { labels_.keep_unlabeled(); }
  [[nodiscard]] double fraction_taken() const override { return fraction_; }
  [[nodiscard]] std::string place(std::size_t row) const override;
  [[nodiscard]] bool weighted() const override { return false; }

 protected:
  /// `blank_lines_are_rows`: else they are left out.
  LineSource(csv::Input input, bool blank_lines_are_rows, PlainLabels labels, std::string target);

  /// Rows in the blocks to come.
  void limit_rows(std::size_t most) { rules_.most_rows = most; }
  /// A block ends with the lines that have come, however few: whoever types waits for an answer.
  void end_blocks_early() { early_ = true; }
  /// Claims the first block. Throws Error(input) when there is no row (`wanted` says what should be
  /// there), or when the text is none.
  void start(const std::string& wanted);

  /// Calls use(line) for every row of the block; a row for which it is false is dropped.
  /// std::invalid_argument that it throws becomes an Error(input) with file and line.
  template <class Use>
  void for_each_row(RowBuffer& buffer, const Use& use) const {
    std::size_t number = buffer.first_line;
    std::size_t row = 0;
    std::vector<std::size_t> kept;
    for (std::string_view rest = buffer.text; !rest.empty(); ++number) {
      const std::string_view line = next_line(rest);
      if (line.empty() && !rules_.blank_lines_are_rows) { continue; }
      try {
        if (use(line)) { kept.push_back(buffer.first_row + row); }
      } catch (const std::invalid_argument& problem) { fail(number, problem.what()); }
      ++row;
    }
    if (kept.size() == row) { return; }
    buffer.rows = kept.size();
    buffer.row_numbers = std::move(kept);
  }

  [[nodiscard]] const PlainLabels& labels() const { return labels_; }
  void set_columns(std::vector<SourceColumn> columns) { columns_ = std::move(columns); }

 private:
  bool claim(RowBuffer& buffer);
  std::string_view take_what_has_come(csv::RowScanner& scanner, std::string& storage);
  [[noreturn]] void fail(std::size_t line, const std::string& sentence) const;

  PlainLabels labels_;
  std::vector<SourceColumn> columns_;
  std::string name_;
  std::string target_;
  csv::RowRules rules_;
  bool early_ = false;
  std::unique_ptr<csv::TextReader> reader_;
  std::optional<RowBuffer> first_;  ///< claimed when opening, not yet taken
  std::size_t next_ordinal_ = 0;
  std::size_t next_row_ = 0;
  std::size_t next_line_ = 1;
  std::atomic<double> fraction_ = -1.0;  ///< read by other threads while one takes
  /// From this row on lines and rows may differ.
  std::atomic<std::size_t> first_irregular_row_ = std::numeric_limits<std::size_t>::max();
};

/// csv::open_input(), with a sentence for a folder.
[[nodiscard]] csv::Input open_lines_input(const std::string& path);

}  // namespace logodds
