#include "plots/voronoi.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace logodds;
using draw::Point;

namespace {

const std::vector<Point> kSquare{{0, 0}, {1, 0}, {1, 1}, {0, 1}};

double area_of(const plots::VoronoiCell& cell) {
  double twice = 0.0;
  for (std::size_t i = 0; i < cell.corners.size(); ++i) {
    const Point a = cell.corners[i];
    const Point b = cell.corners[(i + 1) % cell.corners.size()];
    twice += a.x * b.y - b.x * a.y;
  }
  return twice / 2.0;
}

double distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

std::size_t nearest(const std::vector<Point>& points, Point to) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (distance(points[i], to) < distance(points[best], to)) { best = i; }
  }
  return best;
}

bool holds(const plots::VoronoiCell& cell, Point p) {
  for (std::size_t i = 0; i < cell.corners.size(); ++i) {
    const Point a = cell.corners[i];
    const Point b = cell.corners[(i + 1) % cell.corners.size()];
    if ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) < -1e-12) { return false; }
  }
  return cell.corners.size() > 2;
}

/// Cells fill the square, each point of it lies in the cell of the nearest site, and sides are as
/// far from the site across.
void check_cells(const std::vector<Point>& sites) {
  const auto cells = plots::voronoi_cells(sites, kSquare);
  REQUIRE(cells.size() == sites.size());
  double area = 0.0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    area += area_of(cells[i]);
    for (std::size_t s = 0; s < cells[i].corners.size(); ++s) {
      if (cells[i].across[s] < 0) { continue; }
      const Point other = sites[static_cast<std::size_t>(cells[i].across[s])];
      const Point at = cells[i].corners[s];
      CHECK(distance(at, sites[i]) == doctest::Approx(distance(at, other)).epsilon(1e-9));
    }
  }
  CHECK(area == doctest::Approx(1.0).epsilon(1e-9));
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> any(0.0, 1.0);
  for (int i = 0; i < 200; ++i) {
    const Point p{any(random), any(random)};
    CHECK(holds(cells[nearest(sites, p)], p));
  }
}

std::vector<Point> scattered(std::size_t count) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> any(0.0, 1.0);
  std::vector<Point> points;
  for (std::size_t i = 0; i < count; ++i) { points.push_back({any(random), any(random)}); }
  return points;
}

}  // namespace

TEST_CASE("cells of two sites are halves, of one all") {
  const auto one = plots::voronoi_cells(std::vector<Point>{{0.3, 0.4}}, kSquare);
  CHECK(area_of(one[0]) == doctest::Approx(1.0));
  const auto two = plots::voronoi_cells(std::vector<Point>{{0.25, 0.5}, {0.75, 0.5}}, kSquare);
  CHECK(area_of(two[0]) == doctest::Approx(0.5));
  CHECK(plots::voronoi_cells({}, kSquare).empty());
}

TEST_CASE("cells fill the outline, and hold what is nearest to their site") {
  check_cells(scattered(2));
  check_cells(scattered(300));
}

TEST_CASE("cells of sites with an outlier, on a line, and crowded in a corner") {
  std::vector<Point> sites = scattered(300);
  sites.push_back({1e6, -1e6});
  check_cells(sites);
  std::vector<Point> line;
  std::vector<Point> slope;
  std::vector<Point> crowd;
  for (std::size_t i = 0; i < 300; ++i) {
    const double share = (static_cast<double>(i) + 0.5) / 300.0;
    line.push_back({share, 0.25});
    slope.push_back({share, share});
    crowd.push_back({std::exp(-40.0 * share), std::exp(-30.0 * share)});
  }
  check_cells(line);
  check_cells(slope);
  check_cells(crowd);
}
