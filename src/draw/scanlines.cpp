#include "draw/scanlines.hpp"

#include <algorithm>
#include <cmath>

namespace logodds::draw {

Scanlines::Scanlines(const std::vector<std::vector<Point>>& outlines, const LinesAcross& lines)
    : crossings_(lines.count) {
  for (const std::vector<Point>& outline : outlines) {
    for (std::size_t i = 0, j = outline.size() - 1; i < outline.size(); j = i++) {
      add_side(outline[i], outline[j], lines);
    }
  }
  for (std::vector<double>& crossings : crossings_) { std::ranges::sort(crossings); }
}

/// A line crosses where one end is above it and the other is not: an end on it counts once.
void Scanlines::add_side(Point a, Point b, const LinesAcross& lines) {
  const auto number = [&](double y) {  // of a line near y
    return std::clamp((y - lines.begin) / lines.step, -1.0, static_cast<double>(lines.count));
  };
  const double first = std::max(0.0, std::floor(number(std::min(a.y, b.y))));
  const double end = std::min(static_cast<double>(lines.count), number(std::max(a.y, b.y)) + 2.0);
  for (double i = first; i < end; ++i) {
    const double y = lines.begin + i * lines.step;
    if ((a.y > y) == (b.y > y)) { continue; }
    crossings_[static_cast<std::size_t>(i)].push_back((b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x);
  }
}

bool Scanlines::inside(std::size_t line, double x) const {
  const std::vector<double>& crossings = crossings_[line];
  const auto right = std::ranges::upper_bound(crossings, x);  // x < crossing
  return (crossings.end() - right) % 2 == 1;
}

}  // namespace logodds::draw
