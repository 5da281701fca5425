// A k-d tree (Friedman, Bentley & Finkel, 1977) whose nodes know the boxes of their points.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "memory/pool.hpp"
#include "search/cuts.hpp"
#include "search/index.hpp"

namespace logodds::search {

/// A tree of eights: three halvings, each along the column in which the points are spread most,
/// make the boxes below a node; the root may have 2 or 4. All as kernels::BoxTree wants it.
struct TreeParts {
  std::size_t first_leaf = 0;
  std::size_t root_boxes = 0;
  Cuts cuts;            ///< to the buckets, each of which has its leaves in one stretch
  memory::Pool memory;  ///< of what follows
  std::span<double> boxes;
  std::span<double> points;
  std::span<std::uint32_t> rows;
  std::span<std::uint32_t> begins;

  [[nodiscard]] kernels::BoxTree view(std::size_t d, Measure measure) const;
};

class Tree final : public Index {
 public:
  Tree(const DesignRows& points, Measure measure, int threads);

  void nearest(const DesignRows& queries, const Wanted& wanted, const Use& use) const override;
  [[nodiscard]] std::string name() const override { return "k-d tree"; }
  [[nodiscard]] bool likes_order() const override { return parts_.cuts.parts() > 1; }
  [[nodiscard]] std::vector<std::uint32_t> order(const DesignRows& queries) const override;
  /// Returns how many tiles of kernels::kTilePoints points the search for one query looks at.
  std::size_t search(const double* query, Candidates& candidates) const;

 private:
  TreeParts parts_;
  kernels::BoxTree tree_;
};

}  // namespace logodds::search
