#include <doctest/doctest.h>

#include <cmath>

#include "draw/hostile.hpp"
#include "draw/numbers.hpp"
#include "draw/xml.hpp"
#include "logodds/draw/render.hpp"

using namespace logodds::draw;

namespace {

Drawing dots(std::size_t count, bool tips) {
  Drawing drawing{.title = "dots", .description = "many"};
  Symbols symbols;
  for (std::size_t i = 0; i < count; ++i) {
    const auto n = static_cast<double>(i);
    symbols.places.push_back({std::fmod(7.31 * n, 640.0), std::fmod(3.77 * n, 480.0)});
    if (tips) { symbols.tips.push_back("dot " + std::to_string(i)); }
  }
  drawing.layer("points").marks.emplace_back(std::move(symbols));
  return drawing;
}

std::size_t occurrences(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("coordinates have at most two decimals and are numbers") {
  CHECK(coordinate(12.5) == "12.5");
  CHECK(coordinate(-3.0) == "-3");
  CHECK(coordinate(0.004) == "0");
  CHECK(coordinate(-0.004) == "0");
  CHECK(coordinate(1.0 / 3.0) == "0.33");
  CHECK(coordinate(1e300) == "1e+06");
  CHECK(coordinate(123456.78) == "123456.78");
}

TEST_CASE("SVG is well formed and the same twice, whatever is drawn") {
  for (const Drawing& drawing : {hostile_drawing(), Drawing{}, dots(10, true), dots(10, false)}) {
    for (const Theme theme : {Theme::fixed, Theme::page}) {
      const std::string text = svg(drawing, theme);
      CHECK(xml_problem(text) == "");
      CHECK(text == svg(drawing, theme));
      CHECK(text.find("nan") == std::string::npos);
      CHECK(text.find("inf") == std::string::npos);
    }
  }
}

TEST_CASE("hostile text stays text") {
  const std::string text = svg(hostile_drawing());
  CHECK(text.find("<script") == std::string::npos);
  CHECK(text.find("&lt;script&gt;") != std::string::npos);
  const std::string page = html(hostile_drawing());
  CHECK(occurrences(page, "<script") == 1);
  CHECK(occurrences(page, "</script") == 1);
}

TEST_CASE("100,000 dots stay small") { CHECK(svg(dots(100'000, false)).size() < 1'800'000); }

TEST_CASE("few tips are reached by keyboard, many by pointing alone") {
  const std::string few = svg(dots(60, true));
  CHECK(occurrences(few, "tabindex") == 60);
  CHECK(few.find("role=\"group\"") != std::string::npos);
  const std::string many = svg(dots(61, true));
  CHECK(occurrences(many, "tabindex") == 0);
  CHECK(occurrences(many, "class=\"tip\"") == 61);
  CHECK(many.find("role=\"img\"") != std::string::npos);
}

TEST_CASE("a picture of a page takes the page's colors, and identifiers of its own") {
  Drawing drawing{.title = "t", .description = "d"};
  drawing.layer("a", Rect{0.0, 0.0, 9.0, 9.0}).marks.emplace_back(Text{.text = "x", .halo = true});
  const std::string page = svg(drawing, Theme::page, "q7");
  CHECK(page.find("var(--ink)") != std::string::npos);
  CHECK(page.find("id=\"q7-clip1\"") != std::string::npos);
  CHECK(page.find("url(#q7-clip1)") != std::string::npos);
  CHECK(page.find("aria-labelledby=\"q7-title\"") != std::string::npos);
  CHECK(svg(drawing).find("var(") == std::string::npos);
}

TEST_CASE("the rim of a name in a class's color stays light on a dark page") {
  Drawing drawing{.title = "t"};
  drawing.layer("a").marks.emplace_back(
      Text{.text = "x", .paint = Color{0, 114, 178}, .halo = true});
  const std::string page = svg(drawing, Theme::page);
  CHECK(page.find("fill=\"#0072b2\" stroke=\"#ffffff\"") != std::string::npos);
}
