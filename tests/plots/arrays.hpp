// What a picture shows, as numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "logodds/error.hpp"
#include "logodds/plots/plots.hpp"

namespace logodds::test {

/// The array of that name; Error(usage) where there is none.
inline const NamedArray& array_of(const plots::Plot& plot, const std::string& name) {
  const auto found = std::ranges::find(plot.arrays, name, &NamedArray::name);
  if (found == plot.arrays.end()) { throw Error(ErrorCode::usage, "no array " + name); }
  return *found;
}

/// Marks of one sort in the layer of that name.
template <class Mark>
std::vector<Mark> marks_of(const draw::Drawing& drawing, std::string_view layer) {
  std::vector<Mark> found;
  for (const draw::Layer& one : drawing.layers) {
    if (one.name != layer) { continue; }
    for (const draw::Mark& mark : one.marks) {
      if (const auto* const fits = std::get_if<Mark>(&mark)) { found.push_back(*fits); }
    }
  }
  return found;
}

/// Of an outline, by Gauss's formula; of points (x, y), row-major.
inline double polygon_area(const NamedArray& points) {
  const std::size_t count = points.shape[0];
  double twice = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t j = (i + 1) % count;
    twice += points.values[2 * i] * points.values[2 * j + 1] -
             points.values[2 * j] * points.values[2 * i + 1];
  }
  return std::abs(twice) / 2.0;
}

/// Under a line of points, whose x go up or down.
inline double area_below(const NamedArray& points) {
  double area = 0.0;
  for (std::size_t i = 0; i + 1 < points.shape[0]; ++i) {
    area += (points.values[2 * i + 2] - points.values[2 * i]) *
            (points.values[2 * i + 1] + points.values[2 * i + 3]) / 2.0;
  }
  return std::abs(area);
}

}  // namespace logodds::test
