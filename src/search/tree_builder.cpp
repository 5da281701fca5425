#include "search/tree_builder.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>

#include "logodds/parallel/blocks.hpp"
#include "search/halving.hpp"

namespace logodds::search {

namespace {

using kernels::kNodeBoxes;
using kernels::kTilePoints;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Points of a leaf on average, at most: few of those that the cuts of a sample leave larger need a
/// second tile.
constexpr std::size_t kMeanPoints = 26;
/// The halvings of a bucket, whose points then stay in a near cache; before them, at most so many
/// by the cuts of a sample, of which every bucket has so many points.
constexpr std::size_t kBucketLevels = 6;
constexpr std::size_t kMostSharedLevels = 12;
constexpr std::size_t kBucketSample = 60;

/// Rows spread over all of them, each somewhere in its stretch: steps of the golden ratio keep away
/// from periods of the data.
std::vector<std::uint32_t> sampled_rows(std::size_t rows, std::size_t count) {
  constexpr std::uint32_t kGoldenRatio = 2654435769U;  // 2^32 / 1.618...
  std::vector<std::uint32_t> sample(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = i * rows / count;
    const std::size_t length = (i + 1) * rows / count - begin;
    const std::uint32_t step = static_cast<std::uint32_t>(i) * kGoldenRatio;  // modulo 2^32
    const std::size_t offset = step;
    sample[i] = static_cast<std::uint32_t>(begin + (offset * length >> 32U));
  }
  return sample;
}

/// The rows, bucket after bucket, ascending in each.
class Buckets {
 public:
  Buckets(const DesignRows& points, std::size_t levels, int threads);

  [[nodiscard]] std::size_t count() const { return begins_.size() - 1; }
  [[nodiscard]] const Cuts& cuts() const { return cuts_; }
  [[nodiscard]] std::span<const std::uint32_t> rows(std::size_t bucket) const {
    return {rows_.get() + begins_[bucket], begins_[bucket + 1] - begins_[bucket]};
  }

 private:
  /// Which bucket each row of a piece belongs to, and how many rows each bucket has from it.
  void find(std::size_t piece);
  /// From counts to where the rows of a piece go.
  void counts_to_places();
  [[nodiscard]] std::size_t begin_of(std::size_t piece) const {
    return piece * points_.rows / pieces_;
  }
  [[nodiscard]] std::size_t at(std::size_t piece, std::size_t bucket) const {
    return piece * count() + bucket;
  }

  DesignRows points_;
  std::size_t pieces_;
  Cuts cuts_;
  std::unique_ptr<std::uint16_t[]> bucket_of_;
  std::vector<std::uint32_t> places_;  ///< counts at first
  std::vector<std::uint32_t> begins_;
  std::unique_ptr<std::uint32_t[]> rows_;
};

Buckets::Buckets(const DesignRows& points, std::size_t levels, int threads)
    : points_(points),
      pieces_(std::clamp<std::size_t>(points.rows / 4096, 1, 64)),
      cuts_(levels),
      begins_((std::size_t{1} << levels) + 1),
      rows_(std::make_unique_for_overwrite<std::uint32_t[]>(points.rows)) {
  if (levels == 0) {
    std::iota(rows_.get(), rows_.get() + points.rows, 0U);
    begins_[1] = static_cast<std::uint32_t>(points.rows);
    return;
  }
  const auto sample = sampled_rows(points.rows, std::min(points.rows, kBucketSample << levels));
  with_local_points(points, sample, [&](auto& local) {
    local.divide(
        levels,
        [&](std::size_t node, const Cut& cut, std::size_t begin, std::size_t middle) {
          cuts_.set(node, cut, local.share(cut, begin, middle));
        },
        [](std::size_t, std::size_t, std::size_t) {});
  });
  bucket_of_ = std::make_unique_for_overwrite<std::uint16_t[]>(points.rows);
  places_.resize(pieces_ * count());
  parallel::run_lanes(threads, pieces_, [&](std::size_t piece) { find(piece); });
  counts_to_places();
  parallel::run_lanes(threads, pieces_, [&](std::size_t piece) {
    for (std::size_t r = begin_of(piece); r < begin_of(piece + 1); ++r) {
      rows_[places_[at(piece, bucket_of_[r])]++] = static_cast<std::uint32_t>(r);
    }
  });
}

void Buckets::find(std::size_t piece) {
  std::uint32_t* const counts = places_.data() + at(piece, 0);
  cuts_.find(points_, begin_of(piece), begin_of(piece + 1),
             [&](std::size_t row, std::size_t bucket) {
               bucket_of_[row] = static_cast<std::uint16_t>(bucket);
               ++counts[bucket];
             });
}

void Buckets::counts_to_places() {
  std::uint32_t next = 0;
  for (std::size_t bucket = 0; bucket < count(); ++bucket) {
    begins_[bucket] = next;
    for (std::size_t piece = 0; piece < pieces_; ++piece) {
      next += std::exchange(places_[at(piece, bucket)], next);
    }
  }
  begins_.back() = next;
}

class Builder {
 public:
  Builder(const DesignRows& points, int threads);

  void fill_bucket(std::size_t bucket);
  void join_boxes();
  TreeParts parts;

 private:
  void count_nodes();
  /// Where the tiles of the leaves begin; returns their number.
  std::size_t count_tiles(std::span<std::uint32_t> begins) const;
  void make_room();
  template <class Local>
  void fill_leaf(std::size_t leaf, const Local& points, std::size_t begin, std::size_t end);
  /// Where the least values of a node begin, among the boxes of the node above.
  [[nodiscard]] double* box(std::size_t node);

  DesignRows points_;
  std::size_t depth_;   ///< halvings from all points to a leaf
  std::size_t levels_;  ///< of them those below a bucket
  Buckets buckets_;
};

std::size_t depth_for(std::size_t rows) {
  std::size_t depth = 0;
  while (rows > kMeanPoints << depth) { ++depth; }
  return depth;
}

std::size_t bucket_levels(std::size_t depth) {
  return depth - std::min(depth - std::min(depth, kBucketLevels), kMostSharedLevels);
}

Builder::Builder(const DesignRows& points, int threads)
    : points_(points),
      depth_(depth_for(points.rows)),
      levels_(bucket_levels(depth_)),
      buckets_(points, depth_ - levels_, threads) {
  make_room();
  parallel::run_lanes(threads, buckets_.count(), [&](std::size_t b) { fill_bucket(b); });
  join_boxes();
  parts.cuts = buckets_.cuts();
}

void Builder::count_nodes() {
  const std::size_t leaves = std::size_t{1} << depth_;
  parts.root_boxes = depth_ == 0 ? 0 : std::size_t{2} << (depth_ - 1) % 3;
  for (std::size_t nodes = depth_ == 0 ? 0 : 1; nodes > 0 && nodes < leaves;
       nodes = nodes == 1 ? parts.root_boxes : nodes * kNodeBoxes) {
    parts.first_leaf += nodes;
  }
}

std::size_t Builder::count_tiles(std::span<std::uint32_t> begins) const {
  std::size_t tiles = 0;
  auto begin = begins.begin();
  for (std::size_t bucket = 0; bucket < buckets_.count(); ++bucket) {
    const std::size_t size = buckets_.rows(bucket).size();
    for (std::size_t leaf = 0; leaf < std::size_t{1} << levels_; ++leaf) {
      *begin++ = static_cast<std::uint32_t>(tiles);
      const std::size_t points = ((leaf + 1) * size >> levels_) - (leaf * size >> levels_);
      tiles += (points + kTilePoints - 1) / kTilePoints;
    }
  }
  *begin = static_cast<std::uint32_t>(tiles);
  return tiles;
}

void Builder::make_room() {
  using memory::Pool;
  count_nodes();
  std::vector<std::uint32_t> begins((std::size_t{1} << depth_) + 1);
  const std::size_t places = count_tiles(begins) * kTilePoints;
  const std::size_t bounds = parts.first_leaf * 2 * kNodeBoxes * points_.columns;
  parts.memory =
      Pool(Pool::bytes_for<double>(bounds) + Pool::bytes_for<double>(places * points_.columns) +
           Pool::bytes_for<std::uint32_t>(places) + Pool::bytes_for<std::uint32_t>(begins.size()));
  parts.boxes = parts.memory.take<double>(bounds);
  parts.points = parts.memory.take<double>(places * points_.columns);
  parts.rows = parts.memory.take<std::uint32_t>(places);
  parts.begins = parts.memory.take<std::uint32_t>(begins.size());
  std::ranges::fill(parts.boxes, kNaN);
  std::ranges::copy(begins, parts.begins.begin());
}

void Builder::fill_bucket(std::size_t bucket) {
  with_local_points(points_, buckets_.rows(bucket), [&](auto& points) {
    points.divide(
        levels_, [](std::size_t, const Cut&, std::size_t, std::size_t) {},
        [&](std::size_t leaf, std::size_t begin, std::size_t end) {
          fill_leaf((bucket << levels_) + leaf, points, begin, end);
        });
  });
}

double* Builder::box(std::size_t node) {
  const std::size_t level_2 = 1 + parts.root_boxes;  // its first node
  const std::size_t above = node < level_2 ? 0 : (node - level_2) / kNodeBoxes + 1;
  const std::size_t first = above == 0 ? 1 : level_2 + kNodeBoxes * (above - 1);
  return parts.boxes.data() + above * 2 * kNodeBoxes * points_.columns + node - first;
}

template <class Local>
void Builder::fill_leaf(std::size_t leaf, const Local& points, std::size_t begin, std::size_t end) {
  const std::size_t d = points_.columns;
  const std::size_t first = parts.begins[leaf];
  for (std::size_t at = begin; at < end; ++at) {
    parts.rows[first * kTilePoints + at - begin] = points.row(at);
  }
  for (std::size_t i = 0; i < d; ++i) {
    Range range;
    for (std::size_t at = begin, tile = first; at < end; at += kTilePoints, ++tile) {
      double* const to = parts.points.data() + (tile * d + i) * kTilePoints;
      const std::size_t count = std::min(kTilePoints, end - at);
      for (std::size_t p = 0; p < count; ++p) { to[p] = points.value(at + p, i); }
      std::fill(to + count, to + kTilePoints, kNaN);
      range.add({to, count});
    }
    if (parts.first_leaf == 0) { continue; }
    double* const bounds = box(parts.first_leaf + leaf) + 2 * i * kNodeBoxes;
    bounds[0] = range.low;
    bounds[kNodeBoxes] = range.high;
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
  return std::move(Builder(points, threads).parts);
}

}  // namespace logodds::search
