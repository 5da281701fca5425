// A rectangle cut into the regions where one label holds, by marching triangles: the lines between
// them go through places that are refined until the labels of their two sides are told apart by
// rounding alone.
//
// Layout first: places are in the unit square, x to the right and y up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "logodds/draw/drawing.hpp"

namespace logodds::draw {

/// A question, and its answer.
struct Sample {
  Point at;
  std::int32_t first = -1;  ///< margin: how much `first` is ahead of `second`
  std::int32_t second = -1;
  std::int32_t label = 0;
  double margin = 0.0;  ///< NaN or infinite: unknown, the search goes on by halves
};
/// Sets label and margin of every sample; the label is that which is ahead of all others.
using Labeling = std::function<void(std::span<Sample>)>;

/// Where the labels `first` < `second` meet.
struct BorderLine {
  std::int32_t first = 0;
  std::int32_t second = 0;
  std::vector<Point> points;  ///< a closed line ends where it begins
};

struct Partition {
  std::vector<BorderLine> lines;
  /// Of every label its outlines; the inside is by the even-odd rule.
  std::vector<std::vector<std::vector<Point>>> regions;
  /// Labels of the grid's points, row-major from the bottom, (columns + 1) x (rows + 1).
  std::vector<std::int32_t> grid;
  std::size_t columns = 0;
  std::size_t rows = 0;
};

/// Labels are 0, ..., labels - 1. What is smaller than a cell of the grid, columns x rows, may be
/// missed; the rest is found, and where three regions meet, too.
[[nodiscard]] Partition partition(const Labeling& labeling, std::size_t labels, std::size_t columns,
                                  std::size_t rows);

/// Where labels change on the way from 0 to 1 along x, found like the lines above from a grid of so
/// many cells.
struct Change {
  double at = 0.0;
  std::int32_t before = 0;
  std::int32_t after = 0;
};
struct Intervals {
  std::int32_t first = 0;  ///< the label at 0
  std::vector<Change> changes;
};
[[nodiscard]] Intervals intervals(const Labeling& labeling, std::size_t cells);

}  // namespace logodds::draw
