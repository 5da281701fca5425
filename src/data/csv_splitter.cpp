#include "data/csv_splitter.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "logodds/error.hpp"

namespace logodds::csv {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::size_t kChunk = std::size_t{256} << 10U;
/// A stream must hold a whole row; a longer one is a quote that was never closed, or no table.
constexpr std::size_t kMostRowBytes = std::size_t{256} << 20U;
/// Text this far behind the newest block is no longer being parsed by any reasonable thread.
constexpr std::size_t kKeepMapped = std::size_t{64} << 20U;

std::size_t find_byte(std::string_view text, char byte, std::size_t from) {
  if (from == text.size()) { return kNone; }
  const void* const found = std::memchr(text.data() + from, byte, text.size() - from);
  if (found == nullptr) { return kNone; }
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

/// In runs short enough for counts of one byte, which the compiler makes 16 or 32 at a time.
std::size_t count_feeds(std::string_view text) {
  constexpr std::size_t kRun = 255;
  std::size_t count = 0;
  for (; !text.empty(); text.remove_prefix(std::min(kRun, text.size()))) {
    std::uint8_t feeds = 0;
    for (const char c : text.substr(0, kRun)) {
      feeds = static_cast<std::uint8_t>(feeds + (c == '\n' ? 1 : 0));
    }
    count += feeds;
  }
  return count;
}

class MemoryReader : public TextReader {
 public:
  explicit MemoryReader(Input input) : input_(std::move(input)) {}

  std::string_view peek(std::size_t) override { return input_.bytes.substr(taken_); }
  void skip(std::size_t bytes) override { taken_ += bytes; }
  std::string_view take(RowScanner& scanner, std::string& storage) override {
    storage.clear();
    const auto rest = input_.bytes.substr(taken_);
    scanner.scan(rest, true);
    taken_ += scanner.bytes();
    if (input_.file && taken_ > kKeepMapped) { input_.file->release_before(taken_ - kKeepMapped); }
    return rest.substr(0, scanner.bytes());
  }
  void put_back(std::string_view text) override { taken_ -= text.size(); }
  bool rewind() override {
    taken_ = 0;
    return true;
  }
  [[nodiscard]] double fraction() const override {
    return static_cast<double>(taken_) /
           static_cast<double>(std::max<std::size_t>(input_.bytes.size(), 1));
  }

 private:
  Input input_;
  std::size_t taken_ = 0;
};

class StreamReader : public TextReader {
 public:
  explicit StreamReader(Input input) : input_(std::move(input)) {}

  std::string_view peek(std::size_t bytes) override {
    while (ahead_.size() < bytes && read_into(ahead_)) {
      if (ahead_.size() > kMostRowBytes) { fail_long_row(); }
    }
    return ahead_;
  }
  void skip(std::size_t bytes) override { ahead_.erase(0, bytes); }
  std::string_view take(RowScanner& scanner, std::string& storage) override {
    storage.assign(ahead_);
    while (!scanner.scan(storage, at_end_)) {
      if (storage.size() - scanner.bytes() > kMostRowBytes) { fail_long_row(); }
      read_into(storage);
    }
    const auto text = std::string_view(storage).substr(0, scanner.bytes());
    ahead_.assign(storage, text.size());
    return text;
  }
  void put_back(std::string_view text) override { ahead_.insert(0, text); }
  bool rewind() override {
    ahead_.clear();
    at_end_ = false;
    return input_.stream->rewind();
  }
  [[nodiscard]] double fraction() const override { return input_.stream->fraction(); }

 private:
  bool read_into(std::string& text) {
    if (at_end_) { return false; }
    const std::size_t before = text.size();
    text.resize(before + kChunk);
    const std::size_t got = input_.stream->read(text.data() + before, kChunk);
    text.resize(before + got);
    at_end_ = got == 0;
    return !at_end_;
  }
  [[noreturn]] void fail_long_row() const {
    throw Error(ErrorCode::input,
                input_.name +
                    ": a row is longer than 256 MiB; close a quote that was left open, convert the "
                    "line ends, or, when a document is that long, give an uncompressed file "
                    "instead of a stream");
  }

  Input input_;
  std::string ahead_;  ///< read, not yet taken
  bool at_end_ = false;
};

}  // namespace

void RowScanner::reset() {
  line_ = at_ = feed_ = rows_ = lines_ = quoted_lines_ = 0;
  quoted_ = false;
}

bool RowScanner::scan(std::string_view text, bool at_end) {
  while (!full()) {
    if (quoted_ && !skip_quoted(text)) { break; }
    find_line_feed(text);
    const std::size_t quote = rules_.quotes ? find_byte(text.substr(0, feed_), '"', at_) : kNone;
    if (quote != kNone) {
      quoted_ = true;
      at_ = quote + 1;
    } else if (feed_ < text.size()) {
      end_line(text, feed_, feed_ + 1);
    } else {
      at_ = text.size();
      break;
    }
  }
  if (full()) { return true; }
  if (at_end && line_ < text.size()) { end_line(text, text.size(), text.size()); }
  return at_end;
}

// Looks at every byte once, also in a long line with many quotes.
void RowScanner::find_line_feed(std::string_view text) {
  feed_ = std::max(feed_, at_);
  if (feed_ < text.size() && text[feed_] == '\n') { return; }
  feed_ = std::min(find_byte(text, '\n', feed_), text.size());
}

// True when the closing quote was found.
bool RowScanner::skip_quoted(std::string_view text) {
  const std::size_t quote = find_byte(text, '"', at_);
  const std::size_t stop = quote == kNone ? text.size() : quote;
  quoted_lines_ += count_feeds(text.substr(at_, stop - at_));
  at_ = quote == kNone ? stop : quote + 1;
  quoted_ = quote == kNone;
  return !quoted_;
}

void RowScanner::end_line(std::string_view text, std::size_t content_end, std::size_t next) {
  const auto content = text.substr(line_, content_end - line_);
  const bool blank = content.empty() || content == "\r";
  if (!blank || rules_.blank_lines_are_rows) { ++rows_; }
  lines_ += 1 + quoted_lines_;
  quoted_lines_ = 0;
  quoted_ = false;
  line_ = at_ = next;
}

std::unique_ptr<TextReader> make_reader(Input input) {
  if (input.stream) { return std::make_unique<StreamReader>(std::move(input)); }
  return std::make_unique<MemoryReader>(std::move(input));
}

}  // namespace logodds::csv
