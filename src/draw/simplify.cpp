#include "logodds/draw/simplify.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace logodds::draw {

namespace {

double distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

/// From the segment a to b.
double distance(Point p, Point a, Point b) {
  const double x = b.x - a.x;
  const double y = b.y - a.y;
  const double square = x * x + y * y;
  const double share =
      square > 0.0 ? std::clamp(((p.x - a.x) * x + (p.y - a.y) * y) / square, 0.0, 1.0) : 0.0;
  return std::hypot(p.x - a.x - share * x, p.y - a.y - share * y);
}

/// The first, the last, and of those between every one that is `apart` from the one before it.
std::vector<std::size_t> spread(std::span<const Point> points, double apart) {
  std::vector<std::size_t> chosen{0};
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    if (distance(points[i], points[chosen.back()]) >= apart) { chosen.push_back(i); }
  }
  if (points.size() > 1) { chosen.push_back(points.size() - 1); }
  return chosen;
}

/// Of the points with these indices, at least one, those that Douglas & Peucker keep.
std::vector<std::size_t> kept_of(std::span<const Point> points, const std::vector<std::size_t>& all,
                                 double tolerance) {
  std::vector<bool> kept(all.size(), false);
  kept.front() = kept.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> open{{0, all.size() - 1}};
  while (!open.empty()) {
    const auto [first, last] = open.back();
    open.pop_back();
    double farthest = tolerance;
    std::size_t at = first;
    for (std::size_t i = first + 1; i < last; ++i) {
      const double away = distance(points[all[i]], points[all[first]], points[all[last]]);
      if (away > farthest) {
        farthest = away;
        at = i;
      }
    }
    if (at == first) { continue; }
    kept[at] = true;
    open.emplace_back(first, at);
    open.emplace_back(at, last);
  }
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (kept[i]) { result.push_back(all[i]); }
  }
  return result;
}

}  // namespace

std::vector<std::size_t> kept_points(std::span<const Point> points, double tolerance) {
  if (points.empty()) { return {}; }
  return kept_of(points, spread(points, tolerance / 4.0), 0.75 * tolerance);  // a quarter is spent
}

std::vector<Point> simplified(std::span<const Point> line, double tolerance) {
  if (line.empty()) { return {}; }
  std::vector<std::size_t> all(line.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<Point> result;
  for (const std::size_t i : kept_of(line, all, tolerance)) { result.push_back(line[i]); }
  return result;
}

}  // namespace logodds::draw
