// Points halved along a column, one cut after the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "logodds/data/design.hpp"
#include "search/selection.hpp"

namespace logodds::search {

/// To places from 0 to 2^32 - 1 between two values of a column, in the order of the values but for
/// rounding; values outside go to the ends. Boxes are those of the points themselves, so that
/// places need not be exact.
class Places {
 public:
  Places() = default;
  Places(double low, double high);
  [[nodiscard]] std::uint32_t operator()(double value) const {
    // In this order NaN, from infinity times 0, is 0.
    return static_cast<std::uint32_t>(std::min(kMost, std::max(0.0, (value - low_) * scale_)));
  }

 private:
  static constexpr double kMost = 4294967295.0;
  double low_ = 0.0;
  double scale_ = 0.0;
};

/// On the right of a cut are the points with larger values, and of those with the same value the
/// rows from `row` on.
struct Cut {
  std::size_t column = 0;
  double value = 0.0;
  std::uint32_t row = 0;

  [[nodiscard]] bool right(const double* point, std::uint32_t of_row) const {
    const double x = point[column];
    return (x > value) | ((x == value) & (of_row >= row));  // NOLINT: without branches
  }
};

/// Some points, copied together so that they stay in a near cache while they are halved.
class LocalPoints {
 public:
  /// `rows` must last; they ascend, so that the order of the copies is that of the rows.
  LocalPoints(const DesignRows& points, std::span<const std::uint32_t> rows);

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  /// The row that stands at a place now, and its values.
  [[nodiscard]] std::uint32_t row(std::size_t place) const { return rows_[keys_[place].row()]; }
  [[nodiscard]] double value(std::size_t place, std::size_t column) const {
    return values_[column * size() + keys_[place].row()];
  }

  /// Halves the points `levels` times, each part along the column in which the box around it is
  /// widest. Calls at_cut(node, cut) for every halving, the whole being node 0 and the halves of
  /// node i being 2 i + 1 and 2 i + 2, then at_leaf(leaf, begin, end) for every last part, with the
  /// places of its points.
  template <class AtCut, class AtLeaf>
  void divide(std::size_t levels, const AtCut& at_cut, const AtLeaf& at_leaf) {
    divide_part(0, 0, levels, at_cut, at_leaf);
  }

 private:
  /// Where a part begins that is one of 2^level.
  [[nodiscard]] std::size_t begin_of(std::size_t level, std::size_t part) const {
    return part * size() >> level;
  }
  template <class AtCut, class AtLeaf>
  void divide_part(std::size_t level, std::size_t part, std::size_t levels, const AtCut& at_cut,
                   const AtLeaf& at_leaf);
  void find_range(std::size_t column);
  [[nodiscard]] Cut halve(std::size_t begin, std::size_t middle, std::size_t end);

  std::span<const std::uint32_t> rows_;
  std::vector<double> values_;  ///< column after column
  std::vector<double> low_;     ///< of the box around the part that is halved
  std::vector<double> high_;
  std::vector<Key> keys_;  ///< a place in a column, and the number of a copy
  std::vector<Key> room_;  ///< for as many
};

template <class AtCut, class AtLeaf>
void LocalPoints::divide_part(std::size_t level, std::size_t part, std::size_t levels,
                              const AtCut& at_cut, const AtLeaf& at_leaf) {
  const std::size_t begin = begin_of(level, part);
  const std::size_t end = begin_of(level, part + 1);
  if (level == levels) { return at_leaf(part, begin, end); }
  const std::size_t middle = begin_of(level + 1, 2 * part + 1);
  const Cut cut = halve(begin, middle, end);
  at_cut((std::size_t{1} << level) - 1 + part, cut);
  double& low = low_[cut.column];
  double& high = high_[cut.column];
  const double between = middle < end ? value(middle, cut.column) : high;
  const double before = std::exchange(high, between);
  divide_part(level + 1, 2 * part, levels, at_cut, at_leaf);
  high = before;
  const double after = std::exchange(low, between);
  divide_part(level + 1, 2 * part + 1, levels, at_cut, at_leaf);
  low = after;
}

}  // namespace logodds::search
