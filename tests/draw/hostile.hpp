// A drawing of everything that computations and foreign files may put into one.
#pragma once

#include <limits>

#include "logodds/draw/drawing.hpp"

namespace logodds::draw {

inline Drawing hostile_drawing() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  Drawing drawing{.width = 300.0, .height = 200.0, .title = "</title><script>alert(1)</script>"};
  drawing.description = std::string("a\0b \"quoted\" & \xFF\xFE \xEF\xBF\xBF", 22);
  Layer& lines = drawing.layer("lines", Rect{10.0, 10.0, 200.0, 100.0});
  lines.marks.emplace_back(Path{
      .lines = {{{0.0, 0.0}, {nan, 1.0}, {20.0, 20.0}, {infinite, -infinite}}, {}, {{5.0, 5.0}}},
      .stroke = Stroke{.dash = {-1.0, nan}},
      .tip = "a line\nof two"});
  lines.marks.emplace_back(Path{.lines = {{{0.0, 0.0}, {nan, nan}, {50.0, 0.0}, {50.0, 50.0}}, {}},
                                .closed = true,
                                .fill = Fill{},
                                .stroke = Stroke{.width = nan, .dash = {0.0, 0.0}}});
  lines.marks.emplace_back(Path{});
  Layer& rest = drawing.layer("rest");
  rest.marks.emplace_back(Symbols{.places = {{nan, 0.0}, {30.0, 30.0}, {-infinite, 40.0}},
                                  .tips = {"none", "<b>", "\xC3("}});
  rest.marks.emplace_back(Symbols{.shape = Shape::plus, .size = 0.0, .places = {{1.0, 1.0}}});
  rest.marks.emplace_back(Text{.at = {nan, 3.0}, .text = "no place"});
  rest.marks.emplace_back(Text{.at = {3.0, 3.0}, .text = "no size", .size = 0.0});
  rest.marks.emplace_back(Text{.at = {3.0, 3.0}, .text = "no turn", .turn = infinite});
  rest.marks.emplace_back(Text{.at = {3.0, 60.0}, .text = "bytes \xFF\xC3 & <i>\r\n\x1b[31m"});
  rest.marks.emplace_back(Text{.at = {3.0, 90.0}, .text = "kept: \xC3\xA9\xE4\xB8\xAD"});
  rest.marks.emplace_back(Image{.place = {0.0, 0.0, 10.0, 10.0}, .columns = 2, .rows = 2});
  rest.marks.emplace_back(
      Image{.place = {0.0, 0.0, nan, 10.0}, .columns = 1, .rows = 1, .pixels = {1, 2, 3}});
  drawing.layer("nowhere", Rect{nan, 0.0, 1.0, 1.0}).marks.emplace_back(Text{.text = "unseen"});
  return drawing;
}

}  // namespace logodds::draw
