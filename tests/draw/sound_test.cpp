#include "draw/sound.hpp"

#include <doctest/doctest.h>

#include "draw/hostile.hpp"

using namespace logodds::draw;

TEST_CASE("a line is cut where it has no place, an outline goes on without") {
  const Drawing drawing = sound(hostile_drawing());
  const auto& open = std::get<Path>(drawing.layers[0].marks[0]);
  REQUIRE(open.lines.size() == 3);
  CHECK(open.lines[0].size() == 1);
  CHECK(open.lines[1].size() == 2);
  CHECK(open.lines[1][1].x == kFar);
  CHECK(open.lines[1][1].y == -kFar);
  CHECK(open.stroke->dash.empty());
  const auto& outline = std::get<Path>(drawing.layers[0].marks[1]);
  REQUIRE(outline.lines.size() == 1);
  CHECK(outline.lines[0].size() == 3);
  CHECK(!outline.stroke);
  CHECK(drawing.layers[0].marks.size() == 2);
}

TEST_CASE("signs keep their own tips; text without place, size or turn is left out") {
  const Drawing drawing = sound(hostile_drawing());
  const auto& marks = drawing.layers[1].marks;
  REQUIRE(marks.size() == 3);
  const auto& symbols = std::get<Symbols>(marks[0]);
  CHECK(symbols.places.size() == 2);
  CHECK(symbols.tips == std::vector<std::string>{"<b>", "\xEF\xBF\xBD("});
  CHECK(std::get<Text>(marks[1]).text == "bytes \xEF\xBF\xBD\xEF\xBF\xBD & <i>   [31m");
  CHECK(std::get<Text>(marks[2]).text == "kept: \xC3\xA9\xE4\xB8\xAD");
  CHECK(drawing.layers[2].marks.empty());
}
