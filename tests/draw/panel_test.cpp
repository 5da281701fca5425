#include "logodds/draw/panel.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace logodds::draw;

namespace {

/// The box that a text fills, about.
Rect box(const Text& text) {
  const double width = text_width(text.text, text.size);
  const double left = text.align == Align::start    ? text.at.x
                      : text.align == Align::middle ? text.at.x - width / 2.0
                                                    : text.at.x - width;
  const double top = text.baseline == Baseline::hanging  ? text.at.y
                     : text.baseline == Baseline::middle ? text.at.y - text.size / 2.0
                                                         : text.at.y - text.size;
  return {left, top, width, text.size};
}

bool overlap(const Rect& a, const Rect& b) {
  constexpr double kTouch = 0.01;
  return a.x < b.right() - kTouch && b.x < a.right() - kTouch && a.y < b.bottom() - kTouch &&
         b.y < a.bottom() - kTouch;
}

std::vector<Text> texts(const Drawing& drawing) {
  std::vector<Text> all;
  for (const Layer& layer : drawing.layers) {
    for (const Mark& mark : layer.marks) {
      if (const Text* const text = std::get_if<Text>(&mark)) { all.push_back(*text); }
    }
  }
  return all;
}

void check_apart(const std::vector<Text>& all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (all[i].turn != 0.0 || all[j].turn != 0.0) { continue; }
      INFO(all[i].text, " and ", all[j].text);
      CHECK(!overlap(box(all[i]), box(all[j])));
    }
  }
}

}  // namespace

TEST_CASE("title, subtitle and notes keep to the page, and the room lies between them") {
  Drawing drawing{.width = 400.0, .height = 300.0};
  const Rect room = lay_out(
      drawing, {.title = "A title that is too long for one line of a page as narrow as this one is",
                .subtitle = "344 rows, error rate 1.7 %",
                .notes = {"A first note that has to be broken, because it says more than fits into "
                          "one line of a page like this.",
                          "A second."}});
  const std::vector<Text> all = texts(drawing);
  CHECK(all.size() >= 6);
  check_apart(all);
  for (const Text& text : all) {
    const Rect place = box(text);
    CHECK(place.x >= 0.0);
    CHECK(place.right() <= 400.0);
    CHECK(place.y >= 0.0);
    CHECK(place.bottom() <= 300.0);
    CHECK(!overlap(place, room));
  }
  CHECK(room.height > 100.0);
}

TEST_CASE("axes: ticks do not touch, titles stay outside of the area and inside of the page") {
  for (const Range& x : {Range{0.0, 1.0}, Range{-1e6, 1e6}, Range{1e-9, 2e-9}, Range{1e12, 3e12}}) {
    Drawing drawing{.width = 320.0, .height = 240.0};
    const Panel panel({10.0, 10.0, 300.0, 220.0}, x, {0.0, 123456.0}, {.title = "x", .ticks = 12},
                      {.title = "y"});
    panel.draw_axes(drawing);
    check_apart(texts(drawing));
    CHECK(panel.area().width > 150.0);
    CHECK(panel.area().height > 120.0);
    for (const Text& text : texts(drawing)) {
      if (text.turn != 0.0) { continue; }
      CHECK(!overlap(box(text), panel.area()));
      CHECK(box(text).bottom() <= 240.0);
      CHECK(box(text).x >= 0.0);
    }
    CHECK(panel.at(x.low, 0.0).x == doctest::Approx(panel.area().x));
    CHECK(panel.at(x.high, 123456.0).y == doctest::Approx(panel.area().y));
  }
}

TEST_CASE("labels in one place move apart, and stay in the area while they fit") {
  const Rect area{0.0, 0.0, 100.0, 200.0};
  std::vector<Label> labels;
  for (int k = 0; k < 12; ++k) {
    labels.push_back({.at = {10.0, 195.0}, .text = "class " + std::to_string(k)});
  }
  Drawing drawing;
  draw_labels(drawing.layer("labels"), labels, area);
  const std::vector<Text> all = texts(drawing);
  CHECK(all.size() == 12);
  check_apart(all);
  for (const Text& text : all) {
    CHECK(box(text).y >= area.y);
    CHECK(box(text).bottom() <= area.bottom());
  }
}

TEST_CASE("more labels than there is room for leave out the rest rather than cover each other") {
  std::vector<Label> labels;
  for (int k = 0; k < 500; ++k) {
    labels.push_back({.at = {10.0, 0.4 * k}, .text = "class " + std::to_string(k)});
  }
  Drawing drawing;
  draw_labels(drawing.layer("labels"), labels, {0.0, 0.0, 100.0, 200.0});
  check_apart(texts(drawing));
  CHECK(texts(drawing).size() >= 10);
}

TEST_CASE("keys break into rows within the room") {
  Drawing drawing{.width = 300.0};
  std::vector<Key> keys;
  for (int k = 0; k < 9; ++k) { keys.push_back({.text = "a longer name " + std::to_string(k)}); }
  const Rect room = draw_keys(drawing, keys, {10.0, 10.0, 280.0, 200.0});
  check_apart(texts(drawing));
  for (const Text& text : texts(drawing)) {
    CHECK(box(text).right() <= 290.0);
    CHECK(box(text).bottom() <= room.y);
  }
}

TEST_CASE("widths of texts: wider with more letters, and wrapped lines keep to the width") {
  CHECK(text_width("") == 0.0);
  CHECK(text_width("mm") > text_width("ii"));
  CHECK(text_width("\xE4\xB8\xAD") == doctest::Approx(kTextSize));
  CHECK(text_width("abc", 24.0) == doctest::Approx(2.0 * text_width("abc")));
  const auto lines = wrapped("one two three four five six seven", 60.0);
  CHECK(lines.size() > 2);
  for (const std::string& line : lines) { CHECK(text_width(line) <= 60.0); }
}
