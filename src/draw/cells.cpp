#include "draw/cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace logodds::draw {

namespace {

std::string braille(std::uint8_t dots) {
  return {static_cast<char>(0xE2), static_cast<char>(0xA0 | dots >> 6U),
          static_cast<char>(0x80 | (dots & 0x3FU))};
}

double squared(int a, int b) { return static_cast<double>((a - b) * (a - b)); }

double distance(Color a, Color b) {
  return squared(a.red, b.red) + squared(a.green, b.green) + squared(a.blue, b.blue);
}

int chroma(Color color) {
  const auto [low, high] = std::minmax({color.red, color.green, color.blue});
  return high - low;
}

constexpr int kFirstIndex = 16;  // those before are the user's own

/// xterm's palette: 16 + 36 red + 6 green + blue, then 24 grays.
Color color_of_index(int index) {
  constexpr std::array<std::uint8_t, 6> kLevels = {0, 95, 135, 175, 215, 255};
  constexpr int kFirstGray = 232;
  if (index >= kFirstGray) {
    const auto gray = static_cast<std::uint8_t>(8 + 10 * (index - kFirstGray));
    return {gray, gray, gray};
  }
  const auto cube = static_cast<std::size_t>(index - kFirstIndex);
  return {kLevels[cube / 36], kLevels[cube / 6 % 6], kLevels[cube % 6]};
}

enum class Place : std::uint8_t { ink = 38, ground = 48 };

std::string escape(Place place, Color color, TerminalColors colors) {
  const std::string begin = "\x1b[" + std::to_string(static_cast<int>(place));
  if (colors == TerminalColors::indexed) {
    return begin + ";5;" + std::to_string(indexed_color(color)) + "m";
  }
  return begin + ";2;" + std::to_string(color.red) + ";" + std::to_string(color.green) + ";" +
         std::to_string(color.blue) + "m";
}

/// A texture for the class whose color this is a tint of, a shade for what is dark: without color,
/// tints of one darkness are told apart by it.
std::string_view texture(Color ground) {
  constexpr std::array<std::string_view, 8> kTextures = {"\u00B7", ":", "-", "'",
                                                         "~",      "=", "^", "\""};
  constexpr std::array<std::string_view, 3> kShades = {"\u2591", "\u2592", "\u2593"};
  const auto missing = [](Color c) {
    return std::array<double, 3>{255.0 - c.red, 255.0 - c.green, 255.0 - c.blue};
  };
  const auto length = [](const std::array<double, 3>& v) { return std::hypot(v[0], v[1], v[2]); };
  const double dark = 1.0 - (0.30 * ground.red + 0.59 * ground.green + 0.11 * ground.blue) / 255.0;
  constexpr double kFaint = 0.04;
  constexpr double kDark = 0.34;
  if (dark < kFaint) { return " "; }
  if (dark > kDark) {
    return kShades[static_cast<std::size_t>(std::min(2.0, (dark - kDark) * 8.0))];
  }
  const auto tint = missing(ground);
  std::size_t nearest = 0;
  double best = -1.0;
  for (std::size_t k = 0; k < kTextures.size(); ++k) {
    const auto full = missing(class_color(k));
    const double cosine =
        (tint[0] * full[0] + tint[1] * full[1] + tint[2] * full[2]) / (length(tint) * length(full));
    if (cosine > best) {
      best = cosine;
      nearest = k;
    }
  }
  return kTextures[nearest];
}

}  // namespace

std::size_t cell_width(std::string_view character) {
  if (character >= "\xCC\x80" && character <= "\xCD\xAF") { return 0; }  // U+0300 to U+036F
  // Three bytes from 0xE2 0xBA on are U+2E80 and above.
  return character.size() >= 3 && character >= "\xE2\xBA" && character != "\xEF\xBF\xBD" ? 2 : 1;
}

int indexed_color(Color color) {
  // A faint tint of a class stays a tint, though a gray may be nearer.
  constexpr int kTinted = 16;
  const bool tinted = chroma(color) > kTinted;
  int nearest = kFirstIndex;
  double least = std::numeric_limits<double>::infinity();
  for (int index = kFirstIndex; index < 256; ++index) {
    const Color candidate = color_of_index(index);
    if (tinted && chroma(candidate) == 0) { continue; }
    if (distance(color, candidate) < least) {
      least = distance(color, candidate);
      nearest = index;
    }
  }
  return nearest;
}

std::string Cells::text(TerminalColors colors) const {
  std::string out;
  for (std::size_t r = 0; r < rows_; ++r) {
    out += colors == TerminalColors::none ? plain_line(r) : colored_line(r, colors);
    out += '\n';
  }
  return out;
}

std::string Cells::colored_line(std::size_t row, TerminalColors colors) const {
  std::string out;
  std::string now;
  for (std::size_t c = 0; c < columns_; ++c) {
    const Cell& cell = at(row, c);
    if (cell.covered) { continue; }
    const bool letter = !cell.letter.empty();
    const bool sign = !letter && !cell.sign.empty();
    const bool dots = !letter && !sign && cell.dots != 0;
    const Color ink = letter ? cell.letter_ink
                      : sign ? cell.sign_ink
                      : dots ? cell.dot_ink
                             : cell.ground[0];
    const Color ground =
        letter || sign || dots ? between(cell.ground[0], cell.ground[1], 0.5) : cell.ground[1];
    const std::string change =
        escape(Place::ink, ink, colors) + escape(Place::ground, ground, colors);
    if (change != now) { out += now = change; }
    out += letter ? cell.letter : sign ? cell.sign : dots ? braille(cell.dots) : "\u2580";
  }
  return out + "\x1b[0m";
}

bool Cells::beside_letter(std::size_t row, std::size_t column) const {
  return (column > 0 && !at(row, column - 1).letter.empty()) ||
         (column + 1 < columns_ && !at(row, column + 1).letter.empty());
}

std::string Cells::plain_line(std::size_t row) const {
  std::string out;
  for (std::size_t c = 0; c < columns_; ++c) {
    const Cell& cell = at(row, c);
    if (cell.covered) { continue; }
    if (!cell.letter.empty()) {
      out += cell.letter;
    } else if (!cell.sign.empty()) {
      out += cell.sign;
    } else if (cell.dots != 0) {
      out += braille(cell.dots);
    } else if (beside_letter(row, c)) {
      out += ' ';
    } else {
      out += texture(between(cell.ground[0], cell.ground[1], 0.5));
    }
  }
  return out.substr(0, out.find_last_not_of(' ') + 1);
}

}  // namespace logodds::draw
