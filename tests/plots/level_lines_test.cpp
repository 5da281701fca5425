#include "plots/level_lines.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace logodds;
using draw::Point;

namespace {

/// A field of one function.
template <class Function>
plots::Field field_of(const Function& function) {
  return [function](std::span<const Point> places, std::span<double> out) {
    for (std::size_t i = 0; i < places.size(); ++i) { out[i] = function(places[i]); }
  };
}

}  // namespace

TEST_CASE("level lines of a plane are straight, from rim to rim") {
  const auto lines =
      plots::level_lines(field_of([](Point p) { return p.x + 0.25 * p.y; }), {0.5, 0.8}, 20, 20);
  REQUIRE(lines.size() == 2);
  for (const plots::LevelLine& line : lines) {
    CHECK(line.points.size() == 2);
    for (const Point p : line.points) {
      CHECK(p.x + 0.25 * p.y == doctest::Approx(line.level == 0 ? 0.5 : 0.8).epsilon(1e-9));
      CHECK((p.y == doctest::Approx(0.0) || p.y == doctest::Approx(1.0)));
    }
  }
}

TEST_CASE("level lines of a hill are closed, and lie at their heights") {
  const auto hill = [](Point p) { return -std::hypot(p.x - 0.4, 2.0 * (p.y - 0.6)); };
  const auto lines = plots::level_lines(field_of(hill), {-0.3, -0.2, -0.1}, 40, 40);
  REQUIRE(lines.size() == 3);
  for (const plots::LevelLine& line : lines) {
    REQUIRE(line.points.size() > 10);
    CHECK(line.points.front().x == line.points.back().x);
    CHECK(line.points.front().y == line.points.back().y);
    for (const Point p : line.points) {
      CHECK(hill(p) == doctest::Approx(-0.3 + 0.1 * static_cast<double>(line.level)).epsilon(1e-8));
    }
  }
}

TEST_CASE("a cliff has the lines of all levels that it jumps over; no number is below them") {
  const auto cliff = [](Point p) {
    return p.x < 0.37 ? std::numeric_limits<double>::quiet_NaN() : 10.0;
  };
  const auto lines = plots::level_lines(field_of(cliff), {1.0, 2.0}, 16, 16);
  REQUIRE(lines.size() == 2);
  for (const plots::LevelLine& line : lines) {
    for (const Point p : line.points) { CHECK(p.x == doctest::Approx(0.37).epsilon(1e-9)); }
  }
  CHECK(plots::level_lines(field_of([](Point) { return 0.0; }), {1.0}, 8, 8).empty());
}
