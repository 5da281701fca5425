// Which places of evenly spaced lines across lie inside of outlines.
#pragma once

#include <cstddef>
#include <vector>

#include "logodds/draw/drawing.hpp"

namespace logodds::draw {

/// Lines at y = begin + i step, i < count; step is positive.
struct LinesAcross {
  double begin = 0.0;
  double step = 1.0;
  std::size_t count = 0;
};

/// Where the lines cross the sides of closed outlines, in rising order: every side is looked at
/// once, however many places are asked for.
class Scanlines {
 public:
  Scanlines(const std::vector<std::vector<Point>>& outlines, const LinesAcross& lines);

  /// By the even-odd rule: an odd number of crossings lies to the right.
  [[nodiscard]] bool inside(std::size_t line, double x) const;

 private:
  void add_side(Point a, Point b, const LinesAcross& lines);

  std::vector<std::vector<double>> crossings_;  ///< of each line
};

}  // namespace logodds::draw
