#include "data/line_source.hpp"

#include <algorithm>
#include <filesystem>

#include "data/document_columns.hpp"
#include "logodds/error.hpp"

namespace logodds {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Throws for text that is no UTF-8 from its beginning on, and for one of our own models.
void check_start(std::string_view start, const std::string& file) {
  constexpr std::size_t kLength = 8;  // of a model's header, before the header
  if (start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF")) {
    throw Error(ErrorCode::input,
                file + ": the text is UTF-16; convert it with iconv -f UTF-16 -t UTF-8");
  }
  if (start.size() > kLength && start.substr(kLength).starts_with("{\"__metadata__\"")) {
    throw Error(ErrorCode::input, file + ": this is a model file; give a file of data");
  }
}

}  // namespace

std::string_view next_line(std::string_view& text) {
  const std::size_t feed = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, feed);
  if (line.ends_with('\r')) { line.remove_suffix(1); }
  text.remove_prefix(std::min(feed + 1, text.size()));
  return line;
}

LineSource::LineSource(csv::Input input, bool blank_lines_are_rows, PlainLabels labels,
                       std::string target)
    : labels_(std::move(labels)),
      name_(input.name),
      target_(std::move(target)),
      rules_{.most_rows = kBlockRows,
             .most_bytes = kBlockTextBytes,
             .blank_lines_are_rows = blank_lines_are_rows,
             .quotes = false},
      reader_(csv::make_reader(std::move(input))) {}

void LineSource::start(const std::string& wanted) {
  first_irregular_row_ = std::numeric_limits<std::size_t>::max();
  next_ordinal_ = next_row_ = 0;
  next_line_ = 1;
  if (reader_->peek(1).starts_with(kByteOrderMark.front()) &&
      reader_->peek(kByteOrderMark.size()).starts_with(kByteOrderMark)) {
    reader_->skip(kByteOrderMark.size());
  }
  first_.emplace();
  if (!claim(*first_)) {
    throw Error(ErrorCode::input, name_ + ": the file holds no row; give " + wanted);
  }
  check_start(first_->text, name_);
}

bool LineSource::claim(RowBuffer& buffer) {
  constexpr std::size_t kMostKept = std::size_t{16} << 20U;
  if (buffer.text_storage.capacity() > kMostKept) { buffer.text_storage = std::string(); }
  csv::RowScanner scanner(rules_);
  buffer.text = early_ ? take_what_has_come(scanner, buffer.text_storage)
                       : reader_->take(scanner, buffer.text_storage);
  fraction_ = reader_->fraction();
  if (scanner.rows() == 0) { return false; }
  if (scanner.lines() != scanner.rows() && next_row_ < first_irregular_row_) {
    first_irregular_row_ = next_row_;
  }
  buffer.ordinal = next_ordinal_++;
  buffer.first_row = next_row_;
  buffer.rows = scanner.rows();
  buffer.first_line = next_line_;
  next_row_ += scanner.rows();
  next_line_ += scanner.lines();
  return true;
}

std::string_view LineSource::take_what_has_come(csv::RowScanner& scanner, std::string& storage) {
  std::string_view text;
  for (std::size_t wanted = 1;; wanted = text.size() + 1) {
    text = reader_->peek(wanted);
    scanner.reset();
    if (scanner.scan(text, text.size() < wanted) || scanner.rows() > 0) { break; }
  }
  storage.assign(text.substr(0, scanner.bytes()));
  reader_->skip(scanner.bytes());
  return storage;
}

bool LineSource::take(RowBuffer& buffer) {
  if (!first_) { return claim(buffer); }
  buffer.ordinal = first_->ordinal;
  buffer.first_row = first_->first_row;
  buffer.rows = first_->rows;
  buffer.first_line = first_->first_line;
  buffer.text = first_->text;
  buffer.text_storage = std::move(first_->text_storage);
  if (!buffer.text_storage.empty()) {
    buffer.text = std::string_view(buffer.text_storage).substr(0, buffer.text.size());
  }
  first_.reset();
  return true;
}

bool LineSource::restart_with_coded(std::span<const std::size_t> columns) {
  if (!columns.empty() || !reader_->rewind()) { return false; }
  start("the same text again");
  return true;
}

std::string LineSource::place(std::size_t row) const {
  const bool regular = row < first_irregular_row_;
  return name_ + (regular ? ", line " : ", row ") + std::to_string(row + 1);
}

void LineSource::fail(std::size_t line, const std::string& sentence) const {
  throw Error(ErrorCode::input, name_ + ", line " + std::to_string(line) + ": " + sentence);
}

csv::Input open_lines_input(const std::string& path) {
  std::error_code ignored;
  if (path != "-" && std::filesystem::is_directory(path, ignored)) {
    throw Error(ErrorCode::io,
                path +
                    " is a folder; name a file in it, or read documents from folders with "
                    "--format folders");
  }
  return csv::open_input(path);
}

}  // namespace logodds
