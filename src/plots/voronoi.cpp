#include "plots/voronoi.hpp"

#include <algorithm>

#include "plots/point_tree.hpp"

namespace logodds::plots {

namespace {

using draw::Point;

double squared_distance(Point a, Point b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

/// Keeps what is nearer to `site` than to `other`: (x - m) . (other - site) <= 0, m their middle.
void clip(VoronoiCell& cell, Point site, Point other, std::size_t other_number) {
  const Point normal{other.x - site.x, other.y - site.y};
  const auto outside = [&](Point p) {
    return ((p.x - site.x) - 0.5 * normal.x) * normal.x +
           ((p.y - site.y) - 0.5 * normal.y) * normal.y;
  };
  if (std::ranges::none_of(cell.corners, [&](Point p) { return outside(p) > 0.0; })) { return; }
  const std::size_t n = cell.corners.size();
  VoronoiCell kept;
  for (std::size_t i = 0; i < n; ++i) {
    const Point a = cell.corners[i];
    const Point b = cell.corners[(i + 1) % n];
    const double at_a = outside(a);
    const double at_b = outside(b);
    const auto crossing = [&] {
      const double share = at_a / (at_a - at_b);
      return Point{a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
    };
    if (at_a <= 0.0) {
      kept.corners.push_back(a);
      kept.across.push_back(cell.across[i]);
      if (at_b > 0.0) {  // the new side begins here
        kept.corners.push_back(crossing());
        kept.across.push_back(static_cast<std::int64_t>(other_number));
      }
    } else if (at_b <= 0.0) {
      kept.corners.push_back(crossing());
      kept.across.push_back(cell.across[i]);
    }
  }
  cell = std::move(kept);
}

/// Whether no point of the box cuts the cell. One that does is nearer to some corner than the site
/// is, so it lies in the circle around that corner through the site.
bool too_far(const PointTree::Box& box, const VoronoiCell& cell, Point site) {
  constexpr double kSlack = 1.0 + 1e-12;
  return std::ranges::none_of(cell.corners, [&](Point corner) {
    return box.squared_distance(corner) <= kSlack * squared_distance(corner, site);
  });
}

}  // namespace

std::vector<VoronoiCell> voronoi_cells(std::span<const Point> points,
                                       const std::vector<Point>& outline) {
  std::vector<VoronoiCell> cells;
  const PointTree tree(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    VoronoiCell cell{outline, std::vector<std::int64_t>(outline.size(), -1)};
    tree.visit(
        points[i], [&](const PointTree::Box& box) { return too_far(box, cell, points[i]); },
        [&](std::size_t other) {
          if (other != i) { clip(cell, points[i], points[other], other); }
        });
    cells.push_back(std::move(cell));
  }
  return cells;
}

}  // namespace logodds::plots
