// Drawings as characters: two pixels of ground a cell by half blocks, lines over it by the eight
// dots of braille, signs and text as they are. What stands above and below the content is set in
// lines of its own.
#include <algorithm>
#include <cmath>

#include "draw/cells.hpp"
#include "draw/characters.hpp"
#include "draw/scanlines.hpp"
#include "draw/shapes.hpp"
#include "draw/signs.hpp"
#include "draw/sound.hpp"
#include "logodds/draw/render.hpp"
#include "logodds/error.hpp"

namespace logodds::draw {

namespace {

constexpr std::size_t kDotsAcross = 2;  // of a cell
constexpr std::size_t kDotsDown = 4;
constexpr double kCellShape = 2.0;  // height over width of a character
constexpr double kMostRows = 1000.0;
constexpr double kMiddle = 0.36;  // of the letters above their base line, in parts of the size

std::vector<std::string> letters_of(std::string_view text) {
  std::vector<std::string> letters;
  while (!text.empty()) {
    const std::string_view character = take_character(text);
    if (cell_width(character) == 0 && !letters.empty()) {
      letters.back() += character;
    } else {
      letters.emplace_back(character);
    }
  }
  return letters;
}

std::size_t width_of(const std::vector<std::string>& letters) {
  std::size_t width = 0;
  for (const std::string& letter : letters) {
    width += std::max<std::size_t>(cell_width(letter), 1);
  }
  return width;
}

/// So that it fits, with an ellipsis where it was cut.
void cut(std::vector<std::string>& letters, std::size_t width) {
  if (width_of(letters) <= width) { return; }
  while (!letters.empty() && width_of(letters) + 1 > width) { letters.pop_back(); }
  letters.emplace_back("\u2026");
}

/// Paragraphs in lines of at most so many cells.
std::string set(const std::vector<std::string>& paragraphs, std::size_t columns) {
  std::string out;
  for (const std::string& paragraph : paragraphs) {
    std::size_t used = 0;
    for (std::string_view rest = paragraph; !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      const std::string_view word = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      const std::size_t width = width_of(letters_of(word));
      if (used > 0 && used + 1 + width > columns) {
        out += '\n';
        used = 0;
      }
      if (used > 0) { out += ' '; }
      out += word;
      used += width + (used > 0 ? 1 : 0);
    }
    out += '\n';
  }
  return out;
}

class Canvas {
 public:
  Canvas(const Drawing& drawing, const Rect& part, const TerminalStyle& style)
      : part_(part),
        signs_(drawing, style.colors != TerminalColors::none),
        cells_(style.columns, static_cast<std::size_t>(
                                  std::clamp(std::round(static_cast<double>(style.columns) *
                                                        part.height / part.width / kCellShape),
                                             1.0, kMostRows))),
        x_(static_cast<double>(cells_.columns()) / part.width),
        y_(static_cast<double>(cells_.rows()) / part.height) {}

  void paint(const Layer& layer) {
    clip_ = layer.clip;
    for (const Mark& mark : layer.marks) {
      std::visit([this](const auto& one) { paint_mark(one); }, mark);
    }
  }

  [[nodiscard]] std::string text(TerminalColors colors) const { return cells_.text(colors); }

 private:
  [[nodiscard]] double across(double x) const { return (x - part_.x) * x_; }
  [[nodiscard]] double down(double y) const { return (y - part_.y) * y_; }

  [[nodiscard]] bool visible(Point point) const {
    const bool inside = across(point.x) >= 0.0 && down(point.y) >= 0.0 &&
                        across(point.x) < static_cast<double>(cells_.columns()) &&
                        down(point.y) < static_cast<double>(cells_.rows());
    return inside && (!clip_ || (point.x >= clip_->x && point.x <= clip_->right() &&
                                 point.y >= clip_->y && point.y <= clip_->bottom()));
  }
  [[nodiscard]] Cell& cell_at(Point point) {
    return cells_.at(static_cast<std::size_t>(down(point.y)),
                     static_cast<std::size_t>(across(point.x)));
  }

  void dot(Point point, Color ink) {
    if (!visible(point)) { return; }
    constexpr std::array<std::array<std::uint8_t, 2>, 4> kBits = {
        {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};
    const auto column = static_cast<std::size_t>(across(point.x) * kDotsAcross) % kDotsAcross;
    const auto row = static_cast<std::size_t>(down(point.y) * kDotsDown) % kDotsDown;
    Cell& cell = cell_at(point);
    cell.dots |= kBits[row][column];
    cell.dot_ink = ink;
  }

  void line(Point from, Point to, Color ink) {
    const double steps = std::ceil(std::max(std::abs(to.x - from.x) * x_ * kDotsAcross,
                                            std::abs(to.y - from.y) * y_ * kDotsDown)) +
                         1.0;
    for (double i = 0.0; i <= steps; ++i) {
      const double t = i / steps;
      dot({from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)}, ink);
    }
  }

  /// Calls `visit(row, column, half, center)` for all halves of cells.
  template <class Visit>
  void for_halves(const Visit& visit) {
    for (std::size_t r = 0; r < cells_.rows(); ++r) {
      for (std::size_t c = 0; c < cells_.columns(); ++c) {
        for (std::size_t half = 0; half < 2; ++half) {
          const Point center{
              part_.x + (static_cast<double>(c) + 0.5) / x_,
              part_.y + (static_cast<double>(r) + 0.25 + 0.5 * static_cast<double>(half)) / y_};
          if (visible(center)) { visit(r, c, half, center); }
        }
      }
    }
  }

  static void ground(Cell& cell, std::size_t half, Color color, double opacity) {
    cell.ground[half] = between(cell.ground[half], color, opacity);
  }

  void fill(const Path& path) {
    const Scanlines scanlines(
        path.lines, {.begin = part_.y + 0.25 / y_, .step = 0.5 / y_, .count = 2 * cells_.rows()});
    const Color color = color_of(path.fill->paint);
    for_halves([&](std::size_t r, std::size_t c, std::size_t half, Point center) {
      if (scanlines.inside(2 * r + half, center.x)) {
        ground(cells_.at(r, c), half, color, path.fill->opacity);
      }
    });
  }

  void paint_mark(const Path& path) {
    if (path.fill && path.closed) { fill(path); }
    if (!path.stroke || path.stroke->paint == Paint(Role::paper)) { return; }
    if (path.stroke->paint == Paint(Role::grid)) { return; }  // too loud in characters
    const Color ink = color_of(path.stroke->paint);
    for (const auto& points : path.lines) {
      for (std::size_t i = 1; i < points.size(); ++i) { line(points[i - 1], points[i], ink); }
      if (path.closed && points.size() > 1) { line(points.back(), points.front(), ink); }
    }
  }

  void paint_mark(const Symbols& symbols) {
    const std::string sign = signs_.of(symbols);
    for (const Point place : symbols.places) {
      if (!visible(place)) { continue; }
      Cell& cell = cell_at(place);
      cell.sign = sign;
      cell.sign_ink = color_of(symbols.fill.paint);
    }
  }

  void paint_mark(const Image& image) {
    for_halves([&](std::size_t row, std::size_t column, std::size_t half, Point center) {
      const double x = (center.x - image.place.x) / image.place.width;
      const double y = (center.y - image.place.y) / image.place.height;
      if (x < 0.0 || y < 0.0 || x >= 1.0 || y >= 1.0) { return; }
      const auto c = static_cast<std::size_t>(x * static_cast<double>(image.columns));
      const auto r = static_cast<std::size_t>(y * static_cast<double>(image.rows));
      const std::uint8_t* const rgb = image.pixels.data() + 3 * (r * image.columns + c);
      ground(cells_.at(row, column), half, {rgb[0], rgb[1], rgb[2]}, 1.0);
    });
  }

  void paint_mark(const Text& text) {
    constexpr double kSteep = 45.0;  // degrees: from there on down the page, letter by letter
    const std::string sign = text.halo ? signs_.of_name(text.paint) : "";
    std::vector<std::string> letters =
        letters_of(sign.empty() ? text.text : sign + " " + text.text);
    if (std::abs(text.turn) > kSteep) {
      write_down(text, std::move(letters));
    } else {
      write_across(text, std::move(letters));
    }
  }

  static double back(const Text& text) {
    return text.align == Align::start ? 0.0 : text.align == Align::middle ? 0.5 : 1.0;
  }

  /// The first of `length` cells around `place`, all on the canvas.
  static std::size_t first_cell(double place, double back, std::size_t length, std::size_t room) {
    const double first = std::round(place - back * static_cast<double>(length));
    return static_cast<std::size_t>(
        std::clamp(first, 0.0, static_cast<double>(room) - static_cast<double>(length)));
  }

  /// No letter there nor beside it; where asked for, no line either.
  [[nodiscard]] bool is_free(std::size_t row, std::size_t first, std::size_t width,
                             bool lines) const {
    const std::size_t begin = first > 0 ? first - 1 : 0;
    const std::size_t end = std::min(first + width + 1, cells_.columns());
    for (std::size_t c = begin; c < end; ++c) {
      const Cell& cell = cells_.at(row, c);
      if (!cell.letter.empty() || cell.covered) { return false; }
      if (lines && cell.dots != 0) { return false; }
    }
    return true;
  }

  void write_across(const Text& text, std::vector<std::string> letters) {
    cut(letters, cells_.columns());
    const std::size_t width = width_of(letters);
    const double middle = down(text.at.y + baseline_shift(text) - kMiddle * text.size);
    if (middle < -1.0 || middle >= static_cast<double>(cells_.rows()) + 1.0) { return; }
    const std::size_t first = first_cell(across(text.at.x), back(text), width, cells_.columns());
    // Next to its row, where that is taken: away from what it belongs to.
    const double step = text.baseline == Baseline::hanging ? 1.0 : -1.0;
    for (const bool lines : {true, false}) {
      if (lines && text.halo) { continue; }
      for (const double shift : {0.0, step, -step}) {
        const double row = std::floor(middle) + shift;
        if (row < 0.0 || row >= static_cast<double>(cells_.rows())) { continue; }
        if (!is_free(static_cast<std::size_t>(row), first, width, lines)) { continue; }
        return write(letters, static_cast<std::size_t>(row), first, color_of(text.paint));
      }
    }
  }

  void write(const std::vector<std::string>& letters, std::size_t row, std::size_t column,
             Color ink) {
    for (const std::string& letter : letters) {
      Cell& cell = cells_.at(row, column);
      cell.letter = letter;
      cell.letter_ink = ink;
      if (cell_width(letter) == 2) { cells_.at(row, ++column).covered = true; }
      ++column;
    }
  }

  /// One below the other, read from the top.
  void write_down(const Text& text, std::vector<std::string> letters) {
    while (letters.size() > cells_.rows()) { letters.pop_back(); }
    const double middle = across(text.at.x - kMiddle * text.size);
    const std::size_t first = first_cell(down(text.at.y), 0.5, letters.size(), cells_.rows());
    std::size_t width = 1;
    for (const std::string& letter : letters) { width = std::max(width, cell_width(letter)); }
    for (const double shift : {0.0, -1.0, -2.0, 1.0}) {
      const double column = std::floor(middle) + shift;
      if (column < 0.0 ||
          column + static_cast<double>(width) > static_cast<double>(cells_.columns())) {
        continue;
      }
      const auto c = static_cast<std::size_t>(column);
      bool free = true;
      for (std::size_t r = first; r < first + letters.size(); ++r) {
        free = free && is_free(r, c, width, false);
      }
      if (!free) { continue; }
      for (std::size_t i = 0; i < letters.size(); ++i) {
        write({letters[i]}, first + i, c, color_of(text.paint));
      }
      return;
    }
  }

  Rect part_;  // of the page that is shown
  Signs signs_;
  Cells cells_;
  double x_;  // characters to a page unit
  double y_;
  std::optional<Rect> clip_{};
};

}  // namespace

std::string terminal(const Drawing& given, const TerminalStyle& style) {
  if (style.columns < kLeastColumns) {
    throw Error(ErrorCode::usage, "a terminal of " + std::to_string(style.columns) +
                                      " columns shows no picture; give at least " +
                                      std::to_string(kLeastColumns));
  }
  const Drawing drawing = sound(given);
  Rect part{0.0, 0.0, drawing.width, drawing.height};
  if (drawing.content) {
    part.y = drawing.content->y;
    part.height = drawing.content->height;
  }
  Canvas canvas(drawing, part, style);
  for (const Layer& layer : drawing.layers) {
    if (!drawing.content || layer.name != kPageText) { canvas.paint(layer); }
  }
  return set(drawing.head, style.columns) + canvas.text(style.colors) +
         set(drawing.foot, style.columns);
}

}  // namespace logodds::draw
