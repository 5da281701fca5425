#include "plots/class_marks.hpp"

#include <doctest/doctest.h>

namespace logodds::plots {

TEST_CASE("names are cut to their width, between characters") {
  CHECK(cut("short", 100.0) == "short");
  const std::string kept = cut("a rather long name of a class", 60.0);
  CHECK(kept.ends_with("\xE2\x80\xA6"));
  CHECK(draw::text_width(kept) <= 60.0);
  const std::string wide = cut("\xE5\xAD\x97\xE5\xAD\x97\xE5\xAD\x97\xE5\xAD\x97", 30.0);
  CHECK(wide == "\xE5\xAD\x97\xE2\x80\xA6");
  CHECK(cut("two\nlines", 100.0) == "two lines");
}

TEST_CASE("points of a class are one mark in its color and sign") {
  draw::Layer layer;
  const std::vector<draw::Point> places{{0, 0}, {1, 1}, {2, 2}};
  const std::vector<std::int32_t> classes{1, kNoClass, 1};
  draw_points(layer, places, classes, 4.0);
  REQUIRE(layer.marks.size() == 2);
  const auto& second = std::get<draw::Symbols>(layer.marks[1]);
  CHECK(second.places.size() == 2);
  CHECK(second.shape == class_shape(1));
  CHECK(std::get<draw::Color>(second.fill.paint) == draw::class_color(1));
}

TEST_CASE("names stay inside of an area, also of one that is too narrow") {
  const draw::Rect area{10.0, 0.0, 100.0, 50.0};
  CHECK(plots::kept_inside(60.0, 20.0, area) == 60.0);
  CHECK(plots::kept_inside(0.0, 20.0, area) == 30.0);
  CHECK(plots::kept_inside(200.0, 20.0, area) == 90.0);
  CHECK(plots::kept_inside(60.0, 80.0, area) == 90.0);
}

}  // namespace logodds::plots
