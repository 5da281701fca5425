// Lanes are the points of a tile or the boxes below a node.
#include "kernels/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/box_tree.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <limits>

#include "kernels/box_tile-inl.hpp"
#include "kernels/box_tree.hpp"
#include "kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace logodds::kernels::HWY_NAMESPACE {
#if LOGODDS_PLAIN_TARGET

using reference::search_tree;
using reference::search_tree_for_all;

#else

constexpr std::size_t kBoxVectors = kNodeBoxes / kLanes;

/// The larger of two; NaN where the second is NaN, as every target that is compiled has it.
HWY_INLINE Vector larger(Vector a, Vector b) { return hn::Max(a, b); }

/// The boxes below a node, those that are still to be looked into.
class Node {
 public:
  template <Measure M>
  HWY_INLINE void open(const BoxTree& tree, std::size_t node, const double* query) {
    const double* const boxes = tree.boxes + node * 2 * kNodeBoxes * tree.d;
    below_ = tree.below(node);
    Vector sums[kBoxVectors];
    for (Vector& sum : sums) { sum = hn::Zero(kTag); }
    for (std::size_t i = 0; i < tree.d; ++i) {
      const Vector x = hn::Set(kTag, query[i]);
      for (std::size_t v = 0; v < kBoxVectors; ++v) {
        const double* const box = boxes + 2 * i * kNodeBoxes + v * kLanes;
        const Vector below = hn::Sub(hn::LoadU(kTag, box), x);
        const Vector above = hn::Sub(x, hn::LoadU(kTag, box + kNodeBoxes));
        sums[v] = hn::Add(sums[v], term<M>(larger(hn::Zero(kTag), larger(below, above))));
      }
    }
    for (std::size_t v = 0; v < kBoxVectors; ++v) {
      hn::StoreU(sums[v], kTag, distances_ + v * kLanes);
    }
  }

  /// Bits of the boxes within the limit, which are then taken by their numbers.
  HWY_INLINE std::uint32_t within(double limit) const {
    const Vector most = hn::Set(kTag, limit);
    std::uint32_t near = 0;
    for (std::size_t v = 0; v < kBoxVectors; ++v) {
      near |= bits_of(hn::Le(hn::LoadU(kTag, distances_ + v * kLanes), most)) << (v * kLanes);
    }
    return near;
  }
  [[nodiscard]] double distance(std::size_t box) const { return distances_[box]; }
  [[nodiscard]] std::size_t below() const { return below_; }

  /// Takes the nearest box out; false when none is within the limit.
  HWY_INLINE bool next(double limit, std::size_t& node) {
    const Vector most = hn::Set(kTag, limit);
    const Vector none = hn::Set(kTag, kInfinity);
    Vector distances[kBoxVectors];
    Vector least = none;
    std::uint32_t near = 0;
    for (std::size_t v = 0; v < kBoxVectors; ++v) {
      distances[v] = hn::LoadU(kTag, distances_ + v * kLanes);
      const auto within = hn::Le(distances[v], most);
      near |= bits_of(within) << (v * kLanes);
      least = hn::Min(least, hn::IfThenElse(within, distances[v], none));
    }
    if (near == 0) { return false; }
    least = hn::MinOfLanes(kTag, least);
    std::uint32_t nearest = 0;
    for (std::size_t v = 0; v < kBoxVectors; ++v) {
      nearest |= bits_of(hn::Eq(distances[v], least)) << (v * kLanes);
    }
    const std::size_t box = hwy::Num0BitsBelowLS1Bit_Nonzero32(nearest);
    distances_[box] = std::numeric_limits<double>::quiet_NaN();
    node = below_ + box;
    return true;
  }

 private:
  double distances_[kNodeBoxes];  ///< NaN: looked into, or no box at all
  std::size_t below_;
};

/// One query on its way.
template <Measure M>
class Search {
 public:
  HWY_INLINE Search(const BoxTree& tree, Taker& taker) : tree_(tree), taker_(taker) {}

  HWY_INLINE void begin(const double* query, double limit) {
    query_ = query;
    limit_ = limit;
    level_ = 0;
    first_ = 0;
    if (tree_.first_leaf > 0) { path_[0].template open<M>(tree_, 0, query_); }
  }

  /// Goes on to the nearest box, which is no leaf, as run() would.
  HWY_INLINE void descend() {
    std::size_t node = 0;
    if (!path_[level_].next(limit_, node)) { return; }
    path_[++level_].template open<M>(tree_, node, query_);
  }

  /// Picks the first leaf, and asks memory for it.
  HWY_INLINE void pick() {
    if (tree_.first_leaf == 0 || !path_[level_].next(limit_, first_)) { return; }
    const std::uint32_t* const begins = tree_.begins + (first_ - tree_.first_leaf);
    if (begins[0] == begins[1]) { return; }
    constexpr std::size_t kLine = 64;  // bytes
    const std::size_t first = begins[0] * kTilePoints;
    for (std::size_t at = 0; at < kTilePoints * tree_.d; at += kLine / sizeof(double)) {
      hwy::Prefetch(tree_.points + first * tree_.d + at);
    }
    for (std::size_t at = 0; at < kTilePoints; at += kLine / sizeof(std::uint32_t)) {
      hwy::Prefetch(tree_.rows + first + at);
    }
  }

  /// All the rest.
  HWY_INLINE std::size_t run() {
    if (tree_.first_leaf == 0) { return look_into(0); }
    std::size_t looked_at = first_ == 0 ? 0 : look_into(first_ - tree_.first_leaf);
    std::size_t level = level_;
    std::size_t node = 0;
    for (;;) {
      const bool leaves = path_[level].below() >= tree_.first_leaf;
      if (leaves && limit_ < kInfinity) {
        looked_at += look_into_leaves(path_[level]);
        if (level-- == 0) { return looked_at; }
      } else if (!path_[level].next(limit_, node)) {
        if (level-- == 0) { return looked_at; }
      } else if (leaves) {
        looked_at += look_into(node - tree_.first_leaf);
      } else {
        path_[++level].template open<M>(tree_, node, query_);
      }
    }
  }

 private:
  /// One after the other: with a limit their order matters less than the time to find the nearest.
  HWY_INLINE std::size_t look_into_leaves(const Node& node) {
    std::size_t looked_at = 0;
    for (std::uint32_t near = node.within(limit_); near != 0; near &= near - 1) {
      const std::size_t box = hwy::Num0BitsBelowLS1Bit_Nonzero32(near);
      if (node.distance(box) > limit_) { continue; }
      looked_at += look_into(node.below() + box - tree_.first_leaf);
    }
    return looked_at;
  }

  HWY_INLINE std::size_t look_into(std::size_t leaf) {
    const std::size_t begin = tree_.begins[leaf];
    const std::size_t end = tree_.begins[leaf + 1];
    for (std::size_t tile = begin; tile < end; ++tile) {
      double distances[kTilePoints];
      auto near = near_points<M>(query_, tree_.points + tile * kTilePoints * tree_.d, tree_.d,
                                 limit_, distances);
      if (limit_ == kInfinity && taker_.enough() > 0) {
        near = nearest_points(distances, taker_.enough());
      }
      if (near != 0) { limit_ = taker_.take(near, distances, tree_.rows + tile * kTilePoints); }
    }
    return end - begin;
  }

  const BoxTree& tree_;
  Taker& taker_;
  const double* query_;
  double limit_;
  std::size_t level_;
  std::size_t first_;  ///< leaf that comes first, as a node; 0: not picked
  Node path_[kMostLevels];
};

template <Measure M>
HWY_INLINE std::size_t search_one(const BoxTree& tree, const double* query, double limit,
                                  Taker& taker) {
  Search<M> search(tree, taker);
  search.begin(query, limit);
  return search.run();
}

/// Four queries go down side by side, because every step of one waits for the step before it.
template <Measure M>
HWY_INLINE void search_all(const BoxTree& tree, const double* queries, std::size_t count,
                           Taker& taker, const AfterQuery& after) {
  constexpr std::size_t kTogether = 4;
  Search<M> searches[kTogether] = {{tree, taker}, {tree, taker}, {tree, taker}, {tree, taker}};
  const std::size_t levels = tree.levels();
  for (std::size_t first = 0; first < count; first += kTogether) {
    const std::size_t some = HWY_MIN(kTogether, count - first);
    for (std::size_t q = 0; q < some; ++q) {
      searches[q].begin(queries + (first + q) * tree.d, kInfinity);
    }
    for (std::size_t level = 1; level < levels; ++level) {
      for (std::size_t q = 0; q < some; ++q) { searches[q].descend(); }
    }
    for (std::size_t q = 0; q < some; ++q) { searches[q].pick(); }
    for (std::size_t q = 0; q < some; ++q) {
      searches[q].run();
      after(first + q);
    }
  }
}

std::size_t search_tree(const BoxTree& tree, const double* query, double limit, Taker& taker) {
  return tree.measure == Measure::squares
             ? search_one<Measure::squares>(tree, query, limit, taker)
             : search_one<Measure::absolutes>(tree, query, limit, taker);
}

void search_tree_for_all(const BoxTree& tree, const double* queries, std::size_t count,
                         Taker& taker, const AfterQuery& after) {
  if (tree.measure == Measure::squares) {
    search_all<Measure::squares>(tree, queries, count, taker, after);
  } else {
    search_all<Measure::absolutes>(tree, queries, count, taker, after);
  }
}

#endif  // LOGODDS_PLAIN_TARGET
}  // namespace logodds::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logodds::kernels {

HWY_EXPORT(search_tree);

std::size_t search_tree(const BoxTree& tree, const double* query, double limit, Taker& taker) {
  return HWY_DYNAMIC_DISPATCH(search_tree)(tree, query, limit, taker);
}

HWY_EXPORT(search_tree_for_all);

void search_tree_for_all(const BoxTree& tree, const double* queries, std::size_t count,
                         Taker& taker, const AfterQuery& after) {
  HWY_DYNAMIC_DISPATCH(search_tree_for_all)(tree, queries, count, taker, after);
}

}  // namespace logodds::kernels
#endif  // HWY_ONCE
