#include "search/tree.hpp"

#include <array>
#include <bit>

#include "search/tree_builder.hpp"

namespace logodds::search {

using kernels::kLeafPoints;
using kernels::kNodeBoxes;

Tree::Tree(const DesignRows& points, Measure measure, int threads)
    : d_(points.columns), measure_(measure), parts_(build_tree(points, threads)) {}

void Tree::nearest(const DesignRows& queries, const Wanted& wanted, const Use& use) const {
  Candidates candidates(wanted);
  for (std::size_t q = 0; q < queries.rows; ++q) {
    candidates.clear();
    search(queries.data + q * queries.stride, candidates);
    use(q, candidates.sorted());
  }
}

void Tree::offer_leaf(const double* query, std::size_t leaf, Candidates& candidates) const {
  std::array<double, kLeafPoints> distances;
  auto near = kernels::leaf_distances(query, parts_.points.data() + leaf * kLeafPoints * d_, d_,
                                      measure_, candidates.limit(), distances.data());
  for (; near != 0; near &= near - 1) {
    const auto p = static_cast<std::size_t>(std::countr_zero(near));
    candidates.offer(distances[p], parts_.rows[leaf * kLeafPoints + p]);
  }
}

namespace {

/// A node whose points are at least so far.
struct Ahead {
  double distance;
  std::size_t node;
};

/// Nodes that are still to be looked into, the next one last.
class Stack {
 public:
  /// Those of the nodes first, ... whose bits are set; the nearest of them comes last.
  void push(std::size_t first, std::uint32_t near, const double* distances) {
    if (near == 0) { return; }
    const std::size_t old = size_;
    std::size_t nearest = old;
    for (; near != 0; near &= near - 1) {
      const auto b = static_cast<std::size_t>(std::countr_zero(near));
      nodes_[size_] = {distances[b], first + b};
      nearest = distances[b] < nodes_[nearest].distance ? size_ : nearest;
      ++size_;
    }
    std::swap(nodes_[nearest], nodes_[size_ - 1]);
  }
  /// The next node that is not farther than `limit`; false when there is none.
  bool pop(double limit, std::size_t& node) {
    while (size_ > 0) {
      const Ahead& next = nodes_[--size_];
      node = next.node;
      if (next.distance <= limit) { return true; }
    }
    return false;
  }

 private:
  std::array<Ahead, 16 * kNodeBoxes> nodes_;  // rows are counted by 32 bits: fewer than 16 levels
  std::size_t size_ = 0;
};

}  // namespace

std::size_t Tree::search(const double* query, Candidates& candidates) const {
  Stack ahead;
  std::size_t looked_into = 0;
  std::size_t node = 0;
  do {
    if (node >= parts_.first_leaf) {
      offer_leaf(query, node - parts_.first_leaf, candidates);
      ++looked_into;
      continue;
    }
    std::array<double, kNodeBoxes> distances;
    const auto near =
        kernels::box_distances(query, parts_.boxes.data() + node * 2 * kNodeBoxes * d_, d_,
                               measure_, candidates.limit(), distances.data());
    ahead.push(parts_.below(node), near, distances.data());
  } while (ahead.pop(candidates.limit(), node));
  return looked_into;
}

}  // namespace logodds::search
