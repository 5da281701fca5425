#include "plots/point_tree.hpp"

#include <algorithm>
#include <numeric>

namespace logodds::plots {

namespace {

using draw::Point;

constexpr std::size_t kLeaf = 8;  // points

}  // namespace

double PointTree::Box::squared_distance(Point p) const {
  const double x = std::max({low.x - p.x, p.x - high.x, 0.0});
  const double y = std::max({low.y - p.y, p.y - high.y, 0.0});
  return x * x + y * y;
}

PointTree::PointTree(std::span<const Point> points) : points_(points), order_(points.size()) {
  if (points.empty()) { return; }
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  nodes_.push_back({box_of(0, points.size()), 0, points.size()});
  for (std::size_t node = 0; node < nodes_.size(); ++node) { halve(node); }
}

PointTree::Box PointTree::box_of(std::size_t begin, std::size_t end) const {
  Box box{points_[order_[begin]], points_[order_[begin]]};
  for (std::size_t i = begin; i < end; ++i) {
    const Point p = points_[order_[i]];
    box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y)};
    box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y)};
  }
  return box;
}

void PointTree::halve(std::size_t number) {
  const Node node = nodes_[number];
  if (node.end - node.begin <= kLeaf) { return; }
  const bool wide = node.box.high.x - node.box.low.x >= node.box.high.y - node.box.low.y;
  const std::size_t middle = node.begin + (node.end - node.begin) / 2;
  const auto at = [&](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
  std::nth_element(at(node.begin), at(middle), at(node.end), [&](std::size_t a, std::size_t b) {
    return wide ? points_[a].x < points_[b].x : points_[a].y < points_[b].y;
  });
  nodes_[number].first_half = nodes_.size();
  nodes_.push_back({box_of(node.begin, middle), node.begin, middle});
  nodes_.push_back({box_of(middle, node.end), middle, node.end});
}

}  // namespace logodds::plots
