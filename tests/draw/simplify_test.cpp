#include "logodds/draw/simplify.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace logodds::draw;

namespace {

double distance(Point p, Point a, Point b) {
  const double x = b.x - a.x;
  const double y = b.y - a.y;
  const double length = x * x + y * y;
  const double share =
      length == 0.0 ? 0.0 : std::clamp(((p.x - a.x) * x + (p.y - a.y) * y) / length, 0.0, 1.0);
  return std::hypot(p.x - a.x - share * x, p.y - a.y - share * y);
}

}  // namespace

TEST_CASE("simplified lines leave no point farther away than they may") {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> step(-0.4, 1.0);
  std::vector<Point> points{{0.0, 0.0}};
  for (int i = 0; i < 5000; ++i) {
    points.push_back(
        {points.back().x + step(random) / 20.0, points.back().y + step(random) / 20.0});
  }
  for (const double tolerance : {0.05, 1.0}) {
    const auto kept = kept_points(points, tolerance);
    CHECK(kept.front() == 0);
    CHECK(kept.back() == points.size() - 1);
    CHECK(kept.size() < points.size() / 2);
    double worst = 0.0;
    for (std::size_t s = 0; s + 1 < kept.size(); ++s) {
      REQUIRE(kept[s] < kept[s + 1]);
      for (std::size_t i = kept[s]; i < kept[s + 1]; ++i) {
        worst = std::max(worst, distance(points[i], points[kept[s]], points[kept[s + 1]]));
      }
    }
    CHECK(worst <= tolerance);
  }
}

TEST_CASE("corners stay, points on a straight line go") {
  std::vector<Point> points;
  for (int i = 0; i <= 100; ++i) { points.push_back({i * 1.0, 0.0}); }
  for (int i = 1; i <= 100; ++i) { points.push_back({100.0, i * 1.0}); }
  CHECK(kept_points(points) == std::vector<std::size_t>{0, 100, 200});
}

TEST_CASE("few and equal points") {
  CHECK(kept_points({}).empty());
  const std::vector<Point> one{{1.0, 2.0}};
  CHECK(kept_points(one) == std::vector<std::size_t>{0});
  const std::vector<Point> same(10, {1.0, 2.0});
  CHECK(kept_points(same) == std::vector<std::size_t>{0, 9});
}
