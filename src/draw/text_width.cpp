#include <array>
#include <cstdint>
#include <string_view>

#include "logodds/draw/drawing.hpp"
#include "logodds/text/utf8.hpp"

namespace logodds::draw {

namespace {

/// Advance widths of ASCII from the space on, in hundredths of the size: table hmtx of DejaVu Sans
/// 2.37, which PNG and PDF are drawn with where nothing else is installed. Helvetica and Arial are
/// narrower by about a tenth, so what has room in this font has it in theirs.
constexpr std::array<std::uint8_t, 95> kWidths{
    32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84};
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";
constexpr double kLetter = 0.66;
constexpr double kIdeograph = 1.0;

double ascii_width(char c) {
  const bool printed = c >= ' ' && c <= '~';
  return printed ? 0.01 * kWidths[static_cast<std::size_t>(c - ' ')] : kLetter;
}

double sequence_width(std::string_view sequence) {
  if (sequence.size() == 1) { return ascii_width(sequence.front()); }
  // Three bytes from 0xE2 0xBA on are U+2E80 and above: the scripts of East Asia.
  const bool wide = sequence.size() >= 3 && sequence >= std::string_view("\xE2\xBA");
  return wide || sequence == kEllipsis ? kIdeograph : kLetter;
}

}  // namespace

double text_width(std::string_view text, double size) {
  double width = 0.0;
  while (!text.empty()) {
    const std::size_t bytes = text::first_sequence(text).bytes;
    width += sequence_width(text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
  return width * size;
}

std::string cut_to(std::string_view text, double width, double size) {
  if (text_width(text, size) <= width) { return std::string(text); }
  double used = text_width(kEllipsis, size);
  std::size_t end = 0;
  while (end < text.size()) {
    const std::size_t bytes = text::first_sequence(text.substr(end)).bytes;
    used += text_width(text.substr(end, bytes), size);
    if (used > width) { break; }
    end += bytes;
  }
  while (end > 0 && text[end - 1] == ' ') { --end; }
  return std::string(text.substr(0, end)) + std::string(kEllipsis);
}

std::vector<std::string> wrapped(std::string_view text, double width, double size) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string word(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    std::string& line = lines.back();
    const std::string longer = line.empty() ? word : line + " " + word;
    if (!line.empty() && text_width(longer, size) > width) {
      lines.push_back(word);
    } else {
      line = longer;
    }
  }
  return lines;
}

}  // namespace logodds::draw
