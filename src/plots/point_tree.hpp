// Points of a plane by halves of halves, so that those near a place are found without the others,
// however unevenly they lie.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "logodds/draw/drawing.hpp"

namespace logodds::plots {

/// A k-d tree (Bentley, CACM 18, 1975): boxes are halved at the median of their longer side.
class PointTree {
 public:
  struct Box {
    draw::Point low;
    draw::Point high;
    /// 0 inside.
    [[nodiscard]] double squared_distance(draw::Point p) const;
  };

  /// The points must stay.
  explicit PointTree(std::span<const draw::Point> points);

  /// Calls `use(i)` for the points of all boxes that `skip(box)` says no to when it is their turn:
  /// of two halves the one nearer to `from` comes first.
  template <class Skip, class Use>
  void visit(draw::Point from, const Skip& skip, const Use& use) const {
    if (!nodes_.empty()) { visit(0, from, skip, use); }
  }

 private:
  struct Node {
    Box box;
    std::size_t begin = 0;  ///< in order_
    std::size_t end = 0;
    std::size_t first_half = 0;  ///< the other follows it; 0: a leaf
  };
  [[nodiscard]] Box box_of(std::size_t begin, std::size_t end) const;
  void halve(std::size_t node);

  template <class Skip, class Use>
  void visit(std::size_t number, draw::Point from, const Skip& skip, const Use& use) const {
    const Node& node = nodes_[number];
    if (skip(node.box)) { return; }
    if (node.first_half == 0) {
      for (std::size_t i = node.begin; i < node.end; ++i) { use(order_[i]); }
      return;
    }
    const std::size_t first = node.first_half;
    const bool swapped =
        nodes_[first + 1].box.squared_distance(from) < nodes_[first].box.squared_distance(from);
    visit(first + (swapped ? 1 : 0), from, skip, use);
    visit(first + (swapped ? 0 : 1), from, skip, use);
  }

  std::span<const draw::Point> points_;
  std::vector<std::size_t> order_;  ///< of the points, such that every box holds a run of them
  std::vector<Node> nodes_;
};

}  // namespace logodds::plots
