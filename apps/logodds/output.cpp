#include "output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "logodds/error.hpp"
#include "logodds/text/counts.hpp"

namespace logodds::app {

namespace {

/// SGR parameters by Tone.
constexpr std::array<std::string_view, 5> kCodes = {"", "1", "2", "32", "31"};

/// Columns on a terminal: bytes that do not continue a UTF-8 character.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
}

std::string problem_and_cure(int error) {
  if (error == EBADF) { return "it is closed; send it to a file or a pipe, as in > FILE"; }
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  return fmt::format("{}; {}", std::strerror(error),
                     full ? "free some space or write elsewhere" : "write elsewhere");
}

}  // namespace

bool colored() {
  static const bool answer = [] {
    const char* refused = std::getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) == 1 && (refused == nullptr || *refused == '\0');
  }();
  return answer;
}

void print(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      throw ClosedPipe();
    } else if (errno != EINTR) {
      throw Error(ErrorCode::io,
                  fmt::format("cannot write to standard output: {}", problem_and_cure(errno)));
    }
  }
}

void print_summary(std::string_view text, std::string_view written) {
  try {
    print(text);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{} ({})", error.what(), written));
  }
}

void print_notes(const std::vector<std::string>& notes, bool quiet) {
  if (quiet) { return; }
  std::string text;
  for (const std::string& note : notes) { text += fmt::format("note: {}\n", printable(note)); }
  // A note that nobody can read is no reason to stop.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

std::string printable(std::string_view text) {
  std::string result;
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (byte == '\n') {
      result += "\\n";
    } else if (byte == '\t') {
      result += "\\t";
    } else if (code < 0x20U || code == 0x7FU) {
      result += fmt::format("\\x{:02x}", code);
    } else {
      result += byte;
    }
  }
  return result;
}

std::string short_number(double value) { return fmt::format("{:.6g}", value); }

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", grouped(count), count == 1 ? one : many);
}

std::string grouped(std::size_t value) { return logodds::grouped(value); }

std::string toned(std::string_view text, Tone tone) {
  if (tone == Tone::plain || text.empty() || !colored()) { return std::string(text); }
  return fmt::format("\x1b[{}m{}\x1b[0m", kCodes.at(static_cast<std::size_t>(tone)), text);
}

void TextTable::add(const std::vector<std::string>& cells, Tone tone) {
  Row row;
  for (const std::string& cell : cells) { row.cells.push_back(printable(cell)); }
  row.tones.assign(cells.size(), tone);
  rows_.push_back(std::move(row));
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths(align_.size(), 0);
  for (const Row& row : rows_) {
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      widths[c] = std::max(widths[c], width(row.cells[c]));
    }
  }
  std::string result;
  for (const Row& row : rows_) {
    std::string line;
    std::size_t gap = 0;  // spaces owed before the next cell that is not empty
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      const std::size_t padding = widths[c] - width(row.cells[c]);
      const bool right = align_[c] == Align::right;
      line += std::string(gap + (right ? padding : 0), ' ') + toned(row.cells[c], row.tones[c]);
      gap = (right ? 0 : padding) + 2;
    }
    result += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return result;
}

void FactTable::add(std::string_view name, std::string_view value) {
  table_.row({std::string(name), std::string(value)});
  table_.tone(0, Tone::faint);
}

}  // namespace logodds::app
