#include "plots/curve_points.hpp"

#include "logodds/draw/simplify.hpp"

namespace logodds::plots {

NamedArray points_array(std::string name, const std::vector<draw::Point>& points) {
  NamedArray array{std::move(name), {points.size(), 2}, {}};
  for (const draw::Point& point : points) {
    array.values.insert(array.values.end(), {point.x, point.y});
  }
  return array;
}

std::vector<draw::Point> values_on_page(const draw::Panel& panel, std::vector<draw::Point> points) {
  for (draw::Point& point : points) { point = panel.at(point.x, point.y); }
  return points;
}

std::vector<draw::Point> thinned(const draw::Panel& panel, const std::vector<draw::Point>& line) {
  const std::vector<draw::Point> page = values_on_page(panel, line);
  std::vector<draw::Point> kept;
  for (const std::size_t i : draw::kept_points(page)) { kept.push_back(line[i]); }
  return kept;
}

}  // namespace logodds::plots
