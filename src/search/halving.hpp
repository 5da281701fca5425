// Points halved along a column, one cut after the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/halving.hpp"
#include "logodds/data/design.hpp"
#include "search/cuts.hpp"
#include "search/range.hpp"

namespace logodds::search {

/// Some points, copied together so that they stay in a near cache while they are halved; not more
/// than kernels::kMostNumbers<Key>.
///
/// Halves are told by places along a column, in the order of the values but for rounding. Boxes are
/// those of the points themselves, so that places need not be exact.
template <class Key>
class LocalPoints {
 public:
  /// `rows` must last; they ascend, so that the order of the copies is that of the rows.
  LocalPoints(const DesignRows& points, std::span<const std::uint32_t> rows);

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  /// The row that stands at a place now, and its values.
  [[nodiscard]] std::uint32_t row(std::size_t place) const { return rows_[copy(place)]; }
  [[nodiscard]] double value(std::size_t place, std::size_t column) const {
    return values_[column * size() + copy(place)];
  }

  /// Whether a point at these places has the value of a cut.
  [[nodiscard]] bool share(const Cut& cut, std::size_t begin, std::size_t end) const;

  /// Halves the points `levels` times, each part along the column in which the box around it is
  /// widest. Calls at_cut(node, cut, begin, middle) for every halving, with the nodes of Cuts and
  /// the places of the points on the left; then at_leaf(leaf, begin, end) for every last part.
  template <class AtCut, class AtLeaf>
  void divide(std::size_t levels, const AtCut& at_cut, const AtLeaf& at_leaf) {
    divide_part(0, 0, levels, at_cut, at_leaf);
  }

 private:
  [[nodiscard]] std::size_t copy(std::size_t place) const {
    return kernels::number_of(keys_[place]);
  }
  /// Where a part begins that is one of 2^level.
  [[nodiscard]] std::size_t begin_of(std::size_t level, std::size_t part) const {
    return part * size() >> level;
  }
  template <class AtCut, class AtLeaf>
  void divide_part(std::size_t level, std::size_t part, std::size_t levels, const AtCut& at_cut,
                   const AtLeaf& at_leaf);
  [[nodiscard]] Cut halve(std::size_t begin, std::size_t middle, std::size_t end);

  std::span<const std::uint32_t> rows_;
  std::vector<double> values_;  ///< column after column
  std::vector<Range> box_;      ///< around the part that is halved
  std::vector<Key> keys_;       ///< the number of a copy, at its place
  std::vector<Key> room_;       ///< for as many
};

template <class Key>
template <class AtCut, class AtLeaf>
void LocalPoints<Key>::divide_part(std::size_t level, std::size_t part, std::size_t levels,
                                   const AtCut& at_cut, const AtLeaf& at_leaf) {
  const std::size_t begin = begin_of(level, part);
  const std::size_t end = begin_of(level, part + 1);
  if (level == levels) { return at_leaf(part, begin, end); }
  const std::size_t middle = begin_of(level + 1, 2 * part + 1);
  const Cut cut = halve(begin, middle, end);
  at_cut((std::size_t{1} << level) - 1 + part, cut, begin, middle);
  Range& side = box_[cut.column];
  const Range whole = side;
  const double between = std::min(cut.value, whole.high);
  side.high = between;
  divide_part(level + 1, 2 * part, levels, at_cut, at_leaf);
  side = {between, whole.high};
  divide_part(level + 1, 2 * part + 1, levels, at_cut, at_leaf);
  side = whole;
}

extern template class LocalPoints<kernels::ShortKey>;
extern template class LocalPoints<kernels::LongKey>;

/// Calls use(local) with the points as LocalPoints of the shortest keys that are enough for them.
template <class Use>
void with_local_points(const DesignRows& points, std::span<const std::uint32_t> rows,
                       const Use& use) {
  if (rows.size() <= kernels::kMostNumbers<kernels::ShortKey>) {
    LocalPoints<kernels::ShortKey> local(points, rows);
    use(local);
  } else {
    LocalPoints<kernels::LongKey> local(points, rows);
    use(local);
  }
}

}  // namespace logodds::search
