// The search through a tree of boxes, for one query.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/neighbors.hpp"

namespace logodds::kernels {

/// Points of a tile, transposed: element i of point p at tile[i * kTilePoints + p]. A point of NaNs
/// is none.
inline constexpr std::size_t kTilePoints = 32;
/// Boxes below a node: the least value of box b in column i at boxes[2 i * kNodeBoxes + b], the
/// largest at boxes[(2 i + 1) * kNodeBoxes + b]. A box of NaNs is none.
inline constexpr std::size_t kNodeBoxes = 8;
/// Levels of nodes: more than rows that are counted by 32 bits make.
inline constexpr std::size_t kMostLevels = 16;

/// Nodes are numbered level by level from 0, leaves come last; every node has kNodeBoxes below it
/// but the root, which may have fewer, or be a leaf itself.
struct BoxTree {
  std::size_t d;
  Measure measure;
  std::size_t first_leaf;
  std::size_t root_boxes;
  const double* boxes;          ///< below every node that is no leaf
  const double* points;         ///< tile after tile
  const std::uint32_t* rows;    ///< which points these are, kTilePoints a tile
  const std::uint32_t* begins;  ///< of every leaf its first tile, and in the end their number

  /// The first node below a node; the others follow.
  [[nodiscard]] std::size_t below(std::size_t node) const {
    return node == 0 ? 1 : kNodeBoxes * (node - 1) + 1 + root_boxes;
  }
};

/// Who wants to know of near points.
class Taker {
 public:
  /// Points p of a tile whose bits are set, their distances and numbers. Returns the limit from now
  /// on, not above the last.
  virtual double take(std::uint32_t near, const double* distances, const std::uint32_t* rows) = 0;

 protected:
  Taker() = default;
  Taker(const Taker&) = default;
  Taker& operator=(const Taker&) = default;
  ~Taker() = default;
};

/// Hands every point that is not farther from the query (d) than the limit at that moment to
/// `taker`, near boxes first; returns the number of tiles that it has looked at. Distances are
/// summed in the order of the columns without fused operations, as in squared_distances(): the same
/// bits at every level. That from a box is summed as that from a point: rounding is monotone, so no
/// point in the box is computed to be nearer, and a box that is farther than the limit may be left
/// out without a margin.
std::size_t search_tree(const BoxTree& tree, const double* query, double limit, Taker& taker);

namespace reference {
std::size_t search_tree(const BoxTree& tree, const double* query, double limit, Taker& taker);
}  // namespace reference

}  // namespace logodds::kernels
