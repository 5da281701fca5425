// The search through a tree of boxes, for one query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

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
  /// Of nodes from the root to a leaf, which is not counted.
  [[nodiscard]] std::size_t levels() const {
    std::size_t count = 0;
    for (std::size_t node = 0; node < first_leaf; node = below(node)) { ++count; }
    return count;
  }
};

/// Who wants to know of near points.
class Taker {
 public:
  /// Groups of a tile, point p in group p % kTileGroups.
  static constexpr std::size_t kTileGroups = 8;

  /// If it is not 0, of any tile no points are wanted but the nearest `enough`, and those that are
  /// as near as the last of these; at most kTileGroups.
  [[nodiscard]] std::size_t enough() const { return enough_; }
  /// Points p of a tile whose bits are set, their distances and numbers. Returns the limit from now
  /// on, not above the last.
  virtual double take(std::uint32_t near, const double* distances, const std::uint32_t* rows) = 0;

 protected:
  explicit Taker(std::size_t enough = 0) : enough_(enough) {}
  Taker(const Taker&) = default;
  Taker& operator=(const Taker&) = default;
  ~Taker() = default;

 private:
  std::size_t enough_;
};

/// Hands every point that is not farther from the query (d) than the limit at that moment to
/// `taker`, near boxes first; of a tile that is looked at without a limit maybe not those that are
/// more than enough. Returns the number of tiles that it has looked at. Distances are summed in the
/// order of the columns without fused operations, as in squared_distances(): the same bits at every
/// level. That from a box is summed as that from a point: rounding is monotone, so no point in the
/// box is computed to be nearer, and a box that is farther than the limit may be left out without a
/// margin.
std::size_t search_tree(const BoxTree& tree, const double* query, double limit, Taker& taker);

/// Called with the number of a query when its search has ended; lets the taker begin anew.
using AfterQuery = std::function<void(std::size_t)>;

/// The same for `count` queries (d each), one after the other, without a limit at first.
void search_tree_for_all(const BoxTree& tree, const double* queries, std::size_t count,
                         Taker& taker, const AfterQuery& after);

namespace reference {
std::size_t search_tree(const BoxTree& tree, const double* query, double limit, Taker& taker);
void search_tree_for_all(const BoxTree& tree, const double* queries, std::size_t count,
                         Taker& taker, const AfterQuery& after);
}  // namespace reference

}  // namespace logodds::kernels
