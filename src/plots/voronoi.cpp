#include "plots/voronoi.hpp"

#include <algorithm>
#include <cmath>

namespace logodds::plots {

namespace {

using draw::Point;

double distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

/// Points by squares of a grid, about two to a square.
class Buckets {
 public:
  explicit Buckets(std::span<const Point> points) : points_(points) {
    low_ = high_ = points.front();
    for (const Point p : points) {
      low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
      high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y)};
    }
    const double width = std::max(high_.x - low_.x, 1e-300);
    const double height = std::max(high_.y - low_.y, 1e-300);
    const double wanted = static_cast<double>(points.size()) / 2.0 + 1.0;
    side_ = std::max(std::sqrt(width * height / wanted), std::max(width, height) / 2000.0);
    columns_ = static_cast<std::int64_t>(width / side_) + 1;
    rows_ = static_cast<std::int64_t>(height / side_) + 1;
    members_.resize(static_cast<std::size_t>(columns_ * rows_));
    for (std::size_t i = 0; i < points.size(); ++i) {
      members_[static_cast<std::size_t>(row(points[i]) * columns_ + column(points[i]))].push_back(
          i);
    }
  }

  /// The points of the squares `ring` squares away, nearest first.
  [[nodiscard]] std::vector<std::size_t> ring_around(std::size_t site, std::int64_t ring) const {
    std::vector<std::size_t> found;
    const std::int64_t c = column(points_[site]);
    const std::int64_t r = row(points_[site]);
    for (std::int64_t y = std::max<std::int64_t>(r - ring, 0); y <= std::min(r + ring, rows_ - 1);
         ++y) {
      const bool whole = std::abs(y - r) == ring;
      for (std::int64_t x = c - ring; x <= c + ring; x += whole || ring == 0 ? 1 : 2 * ring) {
        if (x < 0 || x >= columns_) { continue; }
        const auto& members = members_[static_cast<std::size_t>(y * columns_ + x)];
        found.insert(found.end(), members.begin(), members.end());
      }
    }
    std::erase(found, site);
    std::ranges::sort(found, {}, [&](std::size_t i) {
      return std::pair(distance(points_[i], points_[site]), i);
    });
    return found;
  }
  [[nodiscard]] double side() const { return side_; }
  [[nodiscard]] std::int64_t most_rings() const { return std::max(columns_, rows_); }

 private:
  [[nodiscard]] std::int64_t column(Point p) const {
    return std::clamp<std::int64_t>(static_cast<std::int64_t>((p.x - low_.x) / side_), 0,
                                    columns_ - 1);
  }
  [[nodiscard]] std::int64_t row(Point p) const {
    return std::clamp<std::int64_t>(static_cast<std::int64_t>((p.y - low_.y) / side_), 0,
                                    rows_ - 1);
  }

  std::span<const Point> points_;
  Point low_;
  Point high_;
  double side_ = 1.0;
  std::int64_t columns_ = 1;
  std::int64_t rows_ = 1;
  std::vector<std::vector<std::size_t>> members_;
};

/// Keeps what is nearer to `site` than to `other`: (x - m) . (other - site) <= 0, m their middle.
void clip(VoronoiCell& cell, Point site, Point other, std::size_t other_number) {
  const Point normal{other.x - site.x, other.y - site.y};
  const auto outside = [&](Point p) {
    return ((p.x - site.x) - 0.5 * normal.x) * normal.x +
           ((p.y - site.y) - 0.5 * normal.y) * normal.y;
  };
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

double reach(const VoronoiCell& cell, Point site) {
  double farthest = 0.0;
  for (const Point corner : cell.corners) { farthest = std::max(farthest, distance(corner, site)); }
  return farthest;
}

}  // namespace

std::vector<VoronoiCell> voronoi_cells(std::span<const Point> points,
                                       const std::vector<Point>& outline) {
  std::vector<VoronoiCell> cells;
  if (points.empty()) { return cells; }
  const Buckets buckets(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    VoronoiCell cell{outline, std::vector<std::int64_t>(outline.size(), -1)};
    double far = reach(cell, points[i]);
    for (std::int64_t ring = 0; ring <= buckets.most_rings(); ++ring) {
      // Nothing in this ring is nearer than so.
      if (static_cast<double>(ring - 1) * buckets.side() > 2.0 * far) { break; }
      for (const std::size_t other : buckets.ring_around(i, ring)) {
        if (cell.corners.empty() || distance(points[other], points[i]) > 2.0 * far) { break; }
        clip(cell, points[i], points[other], other);
        far = reach(cell, points[i]);
      }
    }
    cells.push_back(std::move(cell));
  }
  return cells;
}

}  // namespace logodds::plots
