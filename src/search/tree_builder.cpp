#include "search/tree_builder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "logodds/parallel/blocks.hpp"
#include "search/selection.hpp"

namespace logodds::search {

namespace {

using kernels::kLeafPoints;
using kernels::kNodeBoxes;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Where the points of a node lie along a column.
struct Spread {
  std::size_t column = 0;
  double low = 0.0;
  double high = -1.0;
};

/// To places from 0 to 2^32 - 1 along a column, in the order of the values but for rounding; values
/// outside of the spread go to its ends. Boxes are those of the points themselves, so that places
/// need not be exact.
class Places {
 public:
  explicit Places(const Spread& spread) : low_(spread.low) {
    const double scale = kMost / (spread.high - spread.low);
    scale_ = std::isfinite(scale) && scale > 0.0 ? scale : 0.0;
  }
  [[nodiscard]] std::uint32_t operator()(double value) const {
    if (scale_ == 0.0) { return 0; }
    return static_cast<std::uint32_t>(std::clamp((value - low_) * scale_, 0.0, kMost));
  }

 private:
  static constexpr double kMost = 4294967295.0;
  double low_;
  double scale_;
};

class Builder {
 public:
  explicit Builder(const DesignRows& points);

  void halve_all(int threads);
  void join_boxes();
  TreeParts parts;

 private:
  /// Points of the leaves before this one.
  [[nodiscard]] std::size_t begin_of(std::size_t leaf) const {
    return leaf * points_.rows >> depth_;
  }
  [[nodiscard]] double value(const Key& key, std::size_t column) const {
    return points_.data[key.row() * points_.stride + column];
  }
  [[nodiscard]] Spread widest_column(std::size_t begin, std::size_t end) const;
  void halve(std::size_t level, std::size_t part);
  void halve_below(std::size_t level, std::size_t part);
  void fill_leaf(std::size_t leaf);
  /// Where the least values of a node begin, among the boxes of the node above.
  [[nodiscard]] double* box(std::size_t node);

  DesignRows points_;
  std::size_t depth_ = 0;  ///< halvings from all points to a leaf
  std::vector<Key> keys_;  ///< all points, those of a leaf together in the end
};

Builder::Builder(const DesignRows& points) : points_(points), keys_(points.rows) {
  while (points.rows > kLeafPoints << depth_) { ++depth_; }
  const std::size_t leaves = std::size_t{1} << depth_;
  parts.root_boxes = depth_ == 0 ? 0 : std::size_t{2} << (depth_ - 1) % 3;
  for (std::size_t nodes = depth_ == 0 ? 0 : 1; nodes > 0 && nodes < leaves;
       nodes = nodes == 1 ? parts.root_boxes : nodes * kNodeBoxes) {
    parts.first_leaf += nodes;
  }
  parts.boxes.assign(parts.first_leaf * 2 * kNodeBoxes * points.columns, kNaN);
  parts.points.resize(leaves * kLeafPoints * points.columns);
  parts.rows.resize(leaves * kLeafPoints);
  for (std::size_t r = 0; r < points.rows; ++r) {
    keys_[r] = Key::of(0, static_cast<std::uint32_t>(r));
  }
}

void Builder::halve_all(int threads) {
  constexpr std::size_t kShared = 4;  // levels whose parts are dealt to the threads one by one
  const std::size_t shared = std::min(depth_, kShared);
  for (std::size_t level = 0; level < shared; ++level) {
    parallel::run_lanes(threads, std::size_t{1} << level,
                        [&](std::size_t part) { halve(level, part); });
  }
  parallel::run_lanes(threads, std::size_t{1} << shared,
                      [&](std::size_t part) { halve_below(shared, part); });
}

/// By some of the points, which is near enough.
Spread Builder::widest_column(std::size_t begin, std::size_t end) const {
  constexpr std::size_t kSome = 64;
  const std::size_t step = std::max<std::size_t>(1, (end - begin) / kSome);
  Spread widest;
  for (std::size_t i = 0; i < points_.columns; ++i) {
    double low = kInfinity;
    double high = -kInfinity;
    for (std::size_t at = begin; at < end; at += step) {
      low = std::min(low, value(keys_[at], i));
      high = std::max(high, value(keys_[at], i));
    }
    if (high - low > widest.high - widest.low) { widest = {i, low, high}; }
  }
  return widest;
}

void Builder::halve(std::size_t level, std::size_t part) {
  const std::size_t leaves = std::size_t{1} << (depth_ - level);
  const std::size_t begin = begin_of(part * leaves);
  const std::size_t end = begin_of((part + 1) * leaves);
  const Spread spread = widest_column(begin, end);
  const Places place(spread);
  for (std::size_t at = begin; at < end; ++at) {
    Key& key = keys_[at];
    key = Key::of(place(value(key, spread.column)), key.row());
  }
  select(keys_.data() + begin, keys_.data() + begin_of(part * leaves + leaves / 2),
         keys_.data() + end);
}

void Builder::halve_below(std::size_t level, std::size_t part) {
  if (level == depth_) { return fill_leaf(part); }
  halve(level, part);
  halve_below(level + 1, 2 * part);
  halve_below(level + 1, 2 * part + 1);
}

double* Builder::box(std::size_t node) {
  const std::size_t level_1 = 1 + parts.root_boxes;  // the first node of level 2
  const std::size_t above = node < level_1 ? 0 : (node - level_1) / kNodeBoxes + 1;
  return parts.boxes.data() + above * 2 * kNodeBoxes * points_.columns + node - parts.below(above);
}

void Builder::fill_leaf(std::size_t leaf) {
  const std::size_t begin = begin_of(leaf);
  const std::size_t count = begin_of(leaf + 1) - begin;
  for (std::size_t p = 0; p < count; ++p) {
    parts.rows[leaf * kLeafPoints + p] = keys_[begin + p].row();
  }
  for (std::size_t i = 0; i < points_.columns; ++i) {
    double* const to = parts.points.data() + (leaf * points_.columns + i) * kLeafPoints;
    for (std::size_t p = 0; p < count; ++p) { to[p] = value(keys_[begin + p], i); }
    std::fill(to + count, to + kLeafPoints, kNaN);
    if (parts.first_leaf == 0) { continue; }
    const auto [low, high] = std::minmax_element(to, to + count);
    double* const bounds = box(parts.first_leaf + leaf) + 2 * i * kNodeBoxes;
    bounds[0] = *low;
    bounds[kNodeBoxes] = *high;
  }
}

/// From the last nodes to those below the root; that of the root no one asks for.
void Builder::join_boxes() {
  for (std::size_t node = parts.first_leaf; node-- > 1;) {
    const double* const below = parts.boxes.data() + node * 2 * kNodeBoxes * points_.columns;
    double* const bounds = box(node);
    for (std::size_t i = 0; i < points_.columns; ++i) {
      const double* const lows = below + 2 * i * kNodeBoxes;
      bounds[2 * i * kNodeBoxes] = *std::min_element(lows, lows + kNodeBoxes);
      bounds[(2 * i + 1) * kNodeBoxes] =
          *std::max_element(lows + kNodeBoxes, lows + 2 * kNodeBoxes);
    }
  }
}

}  // namespace

TreeParts build_tree(const DesignRows& points, int threads) {
  Builder builder(points);
  builder.halve_all(threads);
  builder.join_boxes();
  return std::move(builder.parts);
}

}  // namespace logodds::search
