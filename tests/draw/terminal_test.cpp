#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "draw/cells.hpp"
#include "draw/hostile.hpp"
#include "logodds/draw/panel.hpp"
#include "logodds/draw/render.hpp"
#include "logodds/error.hpp"

using namespace logodds::draw;

namespace {

std::string plain(const Drawing& drawing, std::size_t columns) {
  return terminal(drawing, {.columns = columns, .colors = TerminalColors::none});
}

/// Ten characters across and five down, 8 x 16 units each.
Drawing small() { return {.width = 80.0, .height = 80.0}; }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) { lines.push_back(line); }
  return lines;
}

}  // namespace

TEST_CASE("text stands in its row: aligned, and next to a row that is taken") {
  Drawing drawing = small();
  Layer& layer = drawing.layer("text");
  const auto add = [&](double x, double y, const std::string& text, Align align) {
    layer.marks.emplace_back(
        Text{.at = {x, y}, .text = text, .align = align, .baseline = Baseline::middle});
  };
  add(0.0, 8.0, "left", Align::start);
  add(80.0, 8.0, "end", Align::end);
  add(40.0, 40.0, "mid", Align::middle);
  add(40.0, 40.0, "up", Align::middle);
  CHECK(plain(drawing, 10) == "left   end\n    up\n    mid\n\n\n");
}

TEST_CASE("lines are dots of braille, signs are their shapes, empty with a dark rim") {
  Drawing drawing = small();
  Layer& layer = drawing.layer("marks");
  layer.marks.emplace_back(Path{.lines = {{{0.0, 0.0}, {0.0, 79.0}}}, .stroke = Stroke{}});
  layer.marks.emplace_back(Symbols{.shape = Shape::square, .places = {{36.0, 40.0}}});
  layer.marks.emplace_back(
      Symbols{.shape = Shape::square, .places = {{52.0, 40.0}}, .outline = Stroke{}});
  CHECK(plain(drawing, 10) == "\u2847\n\u2847\n\u2847   \u25A0 \u25A1\n\u2847\n\u2847\n");
}

TEST_CASE("without color, signs of one shape are told apart, and names say which is theirs") {
  Drawing drawing = small();
  Layer& layer = drawing.layer("marks");
  layer.marks.emplace_back(Symbols{.places = {{4.0, 8.0}}, .fill = {.paint = kBlue}});
  layer.marks.emplace_back(Symbols{.places = {{20.0, 8.0}}, .fill = {.paint = kVermilion}});
  layer.marks.emplace_back(Text{.at = {0.0, 40.0},
                                .text = "b",
                                .baseline = Baseline::middle,
                                .paint = kVermilion,
                                .halo = true});
  CHECK(plain(drawing, 10) == "o x\n\nx b\n\n\n");
  const std::string colored = terminal(drawing, {.columns = 10});
  CHECK(colored.find("\x1b[38;2;0;114;178m") != std::string::npos);
  CHECK(colored.find("x b") == std::string::npos);
}

TEST_CASE("tints of classes have textures of their own without color, dark grounds shades") {
  Drawing drawing = small();
  Layer& layer = drawing.layer("marks");
  const auto half = [&](double from, double to, Color color) {
    layer.marks.emplace_back(Path{.lines = {{{from, 0.0}, {to, 0.0}, {to, 16.0}, {from, 16.0}}},
                                  .closed = true,
                                  .fill = Fill{.paint = color}});
  };
  half(0.0, 24.0, tint(kBlue, 0.25));
  half(24.0, 48.0, tint(kVermilion, 0.25));
  half(48.0, 64.0, kBlue);
  CHECK(lines_of(plain(drawing, 10))[0] == "\u00B7\u00B7\u00B7:::\u2593\u2593");
}

TEST_CASE("colors of 256: exact where the palette has them, grays for grays") {
  CHECK(indexed_color({0, 0, 0}) == 16);
  CHECK(indexed_color({255, 255, 255}) == 231);
  CHECK(indexed_color({255, 0, 0}) == 196);
  CHECK(indexed_color({95, 135, 175}) == 67);
  CHECK(indexed_color({8, 8, 8}) == 232);
  CHECK(indexed_color({118, 118, 118}) == 243);
  CHECK(indexed_color(tint({0, 158, 115}, 0.2)) == 194);  // 215, 255, 215
  Drawing drawing = small();
  const std::string text = terminal(drawing, {.columns = 2, .colors = TerminalColors::indexed});
  CHECK(text == "\x1b[38;5;231m\x1b[48;5;231m\u2580\u2580\x1b[0m\n");
}

TEST_CASE("title and notes are lines of their own, broken at the width") {
  Drawing drawing{.width = 400.0, .height = 300.0};
  static_cast<void>(lay_out(drawing, {.title = "A title of some words",
                                      .subtitle = "and what it says",
                                      .notes = {"A note at the foot."}}));
  const std::vector<std::string> lines = lines_of(plain(drawing, 20));
  CHECK(lines[0] == "A title of some");
  CHECK(lines[1] == "words");
  CHECK(lines[2] == "and what it says");
  CHECK(lines.back() == "A note at the foot.");
}

TEST_CASE("wide letters fill two cells, accents none") {
  CHECK(cell_width("a") == 1);
  CHECK(cell_width("\u00E9") == 1);
  CHECK(cell_width("\u0301") == 0);
  CHECK(cell_width("\u4E2D") == 2);
  CHECK(cell_width("\uFFFD") == 1);
  Drawing drawing = small();
  drawing.layer("t").marks.emplace_back(Text{
      .at = {80.0, 8.0}, .text = "\u4E2Da", .align = Align::end, .baseline = Baseline::middle});
  CHECK(lines_of(plain(drawing, 10))[0] == "       \u4E2Da");
}

TEST_CASE("no escape of a text reaches the terminal, and no size breaks it") {
  for (const std::size_t columns : {kLeastColumns, std::size_t{20}, std::size_t{200}}) {
    const std::string text = plain(hostile_drawing(), columns);
    CHECK(std::ranges::none_of(text, [](char c) { return c == '\x1b' || c == '\r' || c == '\0'; }));
  }
  CHECK(!plain({.width = 1e-3, .height = 1e6}, 80).empty());
}

TEST_CASE("a terminal of next to no columns is refused") {
  for (std::size_t columns = 0; columns < kLeastColumns; ++columns) {
    CHECK_THROWS_AS(plain(small(), columns), logodds::Error);
  }
}

TEST_CASE("a wide letter down the page has both of its cells, or is not written") {
  Drawing drawing = small();
  drawing.layer("t").marks.emplace_back(
      Text{.at = {80.0, 72.0}, .text = "\u4E2D", .align = Align::middle, .turn = -90.0});
  const std::vector<std::string> lines = lines_of(plain(drawing, 10));
  CHECK(lines.back() == "        \u4E2D");
  drawing.layers.clear();
  for (const double x : {8.0, 80.0}) {  // beside a letter there is no room for the second cell
    drawing.layer("t").marks.emplace_back(
        Text{.at = {x, 40.0}, .text = "\u4E2D\u4E2D", .align = Align::middle, .turn = 90.0});
  }
  for (const std::string& line : lines_of(plain(drawing, 4))) { CHECK(line.size() <= 10); }
}

TEST_CASE("areas are filled by the even-odd rule, with holes and parts outside of the page") {
  Drawing drawing = small();
  const auto square = [](double from, double to) {
    return std::vector<Point>{{from, from}, {to, from}, {to, to}, {from, to}};
  };
  drawing.layer("t").marks.emplace_back(Path{.lines = {square(-800.0, 800.0), square(24.0, 56.0)},
                                             .closed = true,
                                             .fill = Fill{.paint = kBlue}});
  const std::vector<std::string> lines = lines_of(plain(drawing, 10));
  const std::string dark = "\u2593";
  const auto times = [](const std::string& text, std::size_t count) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) { all += text; }
    return all;
  };
  CHECK(lines[0] == times(dark, 10));
  CHECK(lines[2] == times(dark, 3) + "    " + times(dark, 3));
}
