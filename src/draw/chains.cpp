#include "draw/chains.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "draw/partition.hpp"

namespace logodds::draw {

std::vector<std::vector<std::uint32_t>> chains(const std::vector<Link>& links) {
  std::unordered_map<std::uint32_t, std::size_t> by_start;
  std::unordered_map<std::uint32_t, std::size_t> by_end;
  for (std::size_t i = 0; i < links.size(); ++i) {
    by_start.emplace(links[i].first, i);
    by_end.emplace(links[i].second, i);
  }
  std::vector<bool> used(links.size(), false);
  std::vector<std::vector<std::uint32_t>> result;
  const auto follow = [&](std::size_t first) {
    std::vector<std::uint32_t> chain{links[first].first};
    for (std::size_t i = first; !used[i];) {
      used[i] = true;
      chain.push_back(links[i].second);
      const auto next = by_start.find(links[i].second);
      if (next == by_start.end()) { break; }
      i = next->second;
    }
    result.push_back(std::move(chain));
  };
  for (std::size_t i = 0; i < links.size(); ++i) {  // open ones, from their beginnings
    if (!used[i] && !by_end.contains(links[i].first)) { follow(i); }
  }
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (!used[i]) { follow(i); }
  }
  return result;
}

namespace {

double distance_from(Point p, Point a, Point b) {
  const double x = b.x - a.x;
  const double y = b.y - a.y;
  const double square = x * x + y * y;
  const double share =
      square > 0.0 ? std::clamp(((p.x - a.x) * x + (p.y - a.y) * y) / square, 0.0, 1.0) : 0.0;
  return std::hypot(p.x - a.x - share * x, p.y - a.y - share * y);
}

}  // namespace

std::vector<Point> simplified(std::span<const Point> line, double tolerance) {
  if (line.size() < 3) { return {line.begin(), line.end()}; }
  std::vector<bool> kept(line.size(), false);
  kept.front() = kept.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> open{{0, line.size() - 1}};
  while (!open.empty()) {
    const auto [first, last] = open.back();
    open.pop_back();
    std::size_t farthest = first;
    double distance = tolerance;
    for (std::size_t i = first + 1; i < last; ++i) {
      const double found = distance_from(line[i], line[first], line[last]);
      if (found > distance) {
        distance = found;
        farthest = i;
      }
    }
    if (farthest == first) { continue; }
    kept[farthest] = true;
    open.emplace_back(first, farthest);
    open.emplace_back(farthest, last);
  }
  std::vector<Point> result;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (kept[i]) { result.push_back(line[i]); }
  }
  return result;
}

}  // namespace logodds::draw
