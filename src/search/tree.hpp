// A k-d tree (Friedman, Bentley & Finkel, 1977) whose nodes know the boxes of their points.
#pragma once

#include <cstdint>
#include <vector>

#include "search/index.hpp"

namespace logodds::search {

/// A tree of eights: three halvings, each along the column in which the points are spread most,
/// make the boxes below a node; the root may have 2 or 4. Nodes are numbered level by level from 0,
/// leaves come last.
struct TreeParts {
  std::size_t first_leaf = 0;
  std::size_t root_boxes = 0;
  std::vector<double> boxes;        ///< below every node, as kernels::box_distances() wants them
  std::vector<double> points;       ///< of every leaf, as kernels::leaf_distances() wants them
  std::vector<std::uint32_t> rows;  ///< which points these are, kLeafPoints a leaf

  /// The first node below a node; the others follow.
  [[nodiscard]] std::size_t below(std::size_t node) const {
    return node == 0 ? 1 : kernels::kNodeBoxes * (node - 1) + 1 + root_boxes;
  }
};

/// The distance of a query from a box is summed as that from a point: rounding is monotone, so no
/// point in the box is computed to be nearer, and a box that is farther than the limit may be left
/// out without a margin.
class Tree final : public Index {
 public:
  Tree(const DesignRows& points, Measure measure, int threads);

  void nearest(const DesignRows& queries, const Wanted& wanted, const Use& use) const override;
  [[nodiscard]] std::string name() const override { return "k-d tree"; }
  /// Returns how many leaves the search for one query looks into.
  std::size_t search(const double* query, Candidates& candidates) const;

 private:
  void offer_leaf(const double* query, std::size_t leaf, Candidates& candidates) const;

  std::size_t d_;
  Measure measure_;
  TreeParts parts_;
};

}  // namespace logodds::search
