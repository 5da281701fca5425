// Records of texts: what a row is, where its label stands.
#include <algorithm>
#include <atomic>
#include <optional>
#include <stdexcept>
#include <utility>

#include "data/csv_header.hpp"
#include "data/csv_plan.hpp"
#include "data/csv_splitter.hpp"
#include "data/csv_text.hpp"
#include "data/document_columns.hpp"
#include "data/line_source.hpp"
#include "data/spooled_stream.hpp"
#include "data/svmlight_line.hpp"
#include "logodds/data/split.hpp"
#include "logodds/error.hpp"

namespace logodds {
namespace {

/// Derived classes cut a block into records.
class TextRecords : public RecordSource {
 public:
  explicit TextRecords(csv::Input input)
      : name_(input.name), reader_(csv::make_reader(std::move(input))) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] const std::string& header() const override { return header_; }
  [[nodiscard]] double fraction_taken() const override { return fraction_; }

  [[nodiscard]] bool take(RecordBlock& block) override {
    csv::RowScanner scanner(rules_);
    block.text = reader_->take(scanner, block.storage);
    fraction_ = reader_->fraction();
    block.first_row = next_row_;
    block.first_line = next_line_;
    block.rows = scanner.rows();
    next_row_ += scanner.rows();
    next_line_ += scanner.lines();
    return block.rows > 0;
  }

  void rewind() override {
    if (!reader_->rewind()) {
      throw Error(ErrorCode::io, name_ +
                                     ": the rows cannot be read a second time; save them to a "
                                     "file and give that");
    }
    start();
  }

 protected:
  [[nodiscard]] csv::TextReader& reader() { return *reader_; }
  /// Skips what stands before the rows.
  void start() {
    (void)reader_->peek(skipped_bytes_);
    reader_->skip(skipped_bytes_);
    next_row_ = 0;
    next_line_ = skipped_lines_ + 1;
  }
  void set_start(std::size_t bytes, std::size_t lines) {
    skipped_bytes_ = bytes;
    skipped_lines_ = lines;
  }
  void set_header(std::string text) { header_ = std::move(text); }
  void set_rules(bool blank_lines_are_rows, bool quotes) {
    rules_.blank_lines_are_rows = blank_lines_are_rows;
    rules_.quotes = quotes;
  }

  [[noreturn]] void fail(const RecordBlock& block, const char* at, const std::string& where,
                         const std::string& sentence) const {
    const auto feeds = std::count(block.text.data(), at, '\n');
    const std::size_t line = block.first_line + static_cast<std::size_t>(feeds);
    throw Error(ErrorCode::input,
                name_ + ", line " + std::to_string(line) + where + ": " + sentence);
  }

 private:
  std::string name_;
  std::unique_ptr<csv::TextReader> reader_;
  csv::RowRules rules_{.most_rows = kBlockRows, .most_bytes = kBlockTextBytes};
  std::string header_;
  std::size_t skipped_bytes_ = 0;
  std::size_t skipped_lines_ = 0;
  std::size_t next_row_ = 0;
  std::size_t next_line_ = 1;
  std::atomic<double> fraction_ = -1.0;
};

class TableRecords final : public TextRecords {
 public:
  TableRecords(csv::Input input, const CsvOptions& options) : TextRecords(std::move(input)) {
    beginning_ = csv::read_header(reader(), name(), options);
    if (beginning_.nul) { csv::fail_nul_byte(name(), *beginning_.nul); }
    label_field_ = csv::FieldFinder(beginning_).require(options.target, "target");
    missing_ = csv::MissingTokens(options.missing_tokens);
    set_header(std::string(reader().peek(beginning_.bytes).substr(0, beginning_.bytes)));
    set_start(beginning_.bytes, beginning_.lines);
    set_rules(beginning_.names.size() == 1, options.quotes);
    start();
  }

  [[nodiscard]] char delimiter() const override { return beginning_.dialect.delimiter; }
  [[nodiscard]] std::vector<std::string> notes() const override { return beginning_.notes; }

  void parse(RecordBlock& block) const override {
    block.records.clear();
    block.rewritten.clear();
    const char* const end = block.text.data() + block.text.size();
    for (const char* at = block.text.data(); at != end;) {
      if (beginning_.names.size() > 1 && csv::at_line_end(at, end)) {
        at = csv::next_line(at, end);
      } else {
        at = parse_row(block, at, end);
      }
    }
  }

 private:
  [[nodiscard]] const char* parse_row(RecordBlock& block, const char* from, const char* end) const {
    std::string_view label;
    std::size_t fields = 0;
    const char* at = from;
    for (;; ++at) {
      const csv::Field field = csv::read_field(at, end, beginning_.dialect);
      if (field.fault != csv::FieldFault::none) {
        fail(block, from, ", column " + std::to_string(fields + 1),
             csv::fault_sentence(field.fault, beginning_.dialect.delimiter));
      }
      if (fields++ == label_field_) { label = plain(block, field); }
      at = field.next;
      if (csv::at_line_end(at, end)) { break; }
    }
    if (fields != beginning_.names.size()) { fail_ragged(block, from, fields); }
    if (missing_.contains(label)) {
      fail(block, from, ", column '" + beginning_.names[label_field_] + "'",
           "the row has no label; remove the row or fill it in");
    }
    at = csv::next_line(at, end);
    block.records.push_back({{from, static_cast<std::size_t>(at - from)}, label});
    return at;
  }

  [[nodiscard]] std::string_view plain(RecordBlock& block, const csv::Field& field) const {
    if (!csv::needs_rewriting(field, beginning_.dialect)) { return field.text; }
    auto& text = *block.rewritten.emplace_back(std::make_unique<std::string>());
    csv::append_rewritten(field, beginning_.dialect, text);
    return text;
  }

  [[noreturn]] void fail_ragged(const RecordBlock& block, const char* row,
                                std::size_t fields) const {
    fail(block, row, "",
         std::to_string(fields) + (fields == 1 ? " field, but " : " fields, but ") +
             (beginning_.named ? "the header has " : "the first line has ") +
             std::to_string(beginning_.names.size()) +
             "; add or remove fields, or quote a field that contains the delimiter");
  }

  csv::Header beginning_;
  std::size_t label_field_ = 0;
  csv::MissingTokens missing_;
};

/// One row a line; `label_of` gives the label of a line, or nothing where the line is no row.
class LineRecords final : public TextRecords {
 public:
  using LabelOf = std::optional<std::string_view> (*)(std::string_view line);

  LineRecords(csv::Input input, LabelOf label_of)
      : TextRecords(std::move(input)), label_of_(label_of) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    set_start(reader().peek(kMark.size()).starts_with(kMark) ? kMark.size() : 0, 0);
    set_rules(false, false);
    start();
  }

  void parse(RecordBlock& block) const override {
    block.records.clear();
    for (std::string_view rest = block.text; !rest.empty();) {
      const char* const from = rest.data();
      const std::string_view line = next_line(rest);
      if (line.empty()) { continue; }
      const auto label = label_at(block, line);
      if (!label) { continue; }
      block.records.push_back({{from, static_cast<std::size_t>(rest.data() - from)}, *label});
    }
  }

 private:
  [[nodiscard]] std::optional<std::string_view> label_at(const RecordBlock& block,
                                                         std::string_view line) const {
    try {
      const auto label = label_of_(line);
      if (label && label->empty()) {
        throw std::invalid_argument("there is no label; write one, or remove the row");
      }
      return label;
    } catch (const std::invalid_argument& problem) { fail(block, line.data(), "", problem.what()); }
  }

  LabelOf label_of_;
};

std::optional<std::string_view> label_before_tab(std::string_view line) {
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos) {
    throw std::invalid_argument(
        "there is no tab; a line is a label, a tab, and a document, so put a tab after the label");
  }
  return csv::trimmed(line.substr(0, tab), '\0');
}

std::optional<std::string_view> svmlight_label(std::string_view line) {
  if (!svmlight_row(line)) { return std::nullopt; }
  return split_svmlight(line).label;
}

}  // namespace

std::unique_ptr<RecordSource> open_table_records(const std::string& path, const CsvOptions& options,
                                                 const std::string& folder) {
  return std::make_unique<TableRecords>(csv::open_twice(path, folder), options);
}

std::unique_ptr<RecordSource> open_line_records(const std::string& path,
                                                const std::string& folder) {
  return std::make_unique<LineRecords>(csv::open_twice(path, folder), label_before_tab);
}

std::unique_ptr<RecordSource> open_svmlight_records(const std::string& path,
                                                    const std::string& folder) {
  return std::make_unique<LineRecords>(csv::open_twice(path, folder), svmlight_label);
}

}  // namespace logodds
