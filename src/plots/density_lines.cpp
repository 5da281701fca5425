// Lines of equal density.
#include <algorithm>
#include <cmath>

#include "plots/class_marks.hpp"
#include "plots/density_marks.hpp"
#include "plots/level_lines.hpp"
#include "plots/region_marks.hpp"

namespace logodds::plots {

namespace {

using draw::Point;

/// Shares of the probability inside of ellipses of 1, 2 and 3 deviations: 1 - exp(-d^2 / 2).
std::vector<double> shares_inside() {
  return {1.0 - std::exp(-0.5), 1.0 - std::exp(-2.0), 1.0 - std::exp(-4.5)};
}

/// ln p(x, y | C_k) on the plane. All classes are scored at once, so what is found on the large
/// grids that every class is looked at on is kept.
class LogDensities {
 public:
  LogDensities(const PlaneModel& on_plane, const Plane& plane, const Generative& generative)
      : on_plane_(on_plane), plane_(plane), generative_(generative) {}

  [[nodiscard]] Field of_class(std::size_t k) {
    return [this, k](std::span<const Point> places, std::span<double> out) {
      std::vector<double> fresh;
      const std::vector<double>& joint = find(places, fresh);
      const std::size_t classes = on_plane_.classes();
      for (std::size_t i = 0; i < places.size(); ++i) {
        out[i] = joint[i * classes + k] - generative_.log_priors()[k];
      }
    };
  }

 private:
  struct Grid {
    std::vector<Point> places;
    std::vector<double> joint;
  };

  const std::vector<double>& find(std::span<const Point> places, std::vector<double>& fresh) {
    constexpr std::size_t kMostGrids = 2;
    constexpr std::size_t kMostNumbers = std::size_t{1} << 25U;  // 256 MiB
    const auto same = [](Point a, Point b) { return a.x == b.x && a.y == b.y; };
    for (const Grid& grid : grids_) {
      if (std::ranges::equal(grid.places, places, same)) { return grid.joint; }
    }
    std::vector<Point> points;
    points.reserve(places.size());
    for (const Point place : places) { points.push_back(plane_.value(place)); }
    fresh.resize(points.size() * on_plane_.classes());
    on_plane_.log_joint(points, true, fresh);
    if (grids_.size() == kMostGrids || fresh.size() > kMostNumbers || places.size() < kLeastGrid) {
      return fresh;
    }
    grids_.push_back({{places.begin(), places.end()}, std::move(fresh)});
    return grids_.back().joint;
  }

  static constexpr std::size_t kLeastGrid = 4000;  // places; lines are refined by fewer
  const PlaneModel& on_plane_;
  const Plane& plane_;
  const Generative& generative_;
  std::vector<Grid> grids_;
};

/// Heights above which the shares of the probability lie that the picture holds, rising; fewer
/// where they coincide.
std::vector<double> heights_of(const Field& field, std::size_t columns, std::size_t rows) {
  std::vector<Point> places;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      places.push_back({(static_cast<double>(c) + 0.5) / static_cast<double>(columns),
                        (static_cast<double>(r) + 0.5) / static_cast<double>(rows)});
    }
  }
  std::vector<double> values(places.size());
  field(places, values);
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  std::ranges::sort(values, std::greater<>{});
  std::vector<double> heights;
  if (values.empty()) { return heights; }
  double total = 0.0;
  for (const double value : values) { total += std::exp(value - values.front()); }
  double sum = 0.0;
  const std::vector<double> shares = shares_inside();
  for (const double value : values) {
    sum += std::exp(value - values.front());
    if (heights.size() < shares.size() && sum >= shares[heights.size()] * total) {
      heights.push_back(value);
    }
  }
  std::ranges::reverse(heights);
  const auto repeated = std::ranges::unique(heights);
  heights.erase(repeated.begin(), repeated.end());
  return heights;
}

}  // namespace

void draw_density_lines(Plot& plot, const draw::Rect& room, const DensityPicture& picture) {
  const auto& [model, on_plane, plane, rows, shown] = picture;
  const draw::Panel panel(room, plane.x, plane.y, {.title = plane.x_name}, {.title = plane.y_name});
  draw_rows_below(plot, panel, plane, rows);
  std::vector<Point> tops;
  LogDensities densities(on_plane, plane, generative_of(model));
  draw::Layer& layer = panel.layer(plot.drawing, "densities");
  const std::size_t columns = grid_cells(panel.area().width);
  const std::size_t lines_up = grid_cells(panel.area().height);
  for (const std::size_t k : shown) {
    const Field field = densities.of_class(k);
    const std::vector<double> heights = heights_of(field, columns, lines_up);
    std::vector<std::size_t> seen(heights.size(), 0);
    Point top{panel.area().middle(), panel.area().bottom()};
    for (const LevelLine& line : level_lines(field, heights, columns, lines_up)) {
      std::vector<Point> points = square_on_page(panel, line.points);
      if (line.level + 1 == heights.size()) {
        for (const Point p : points) { top = p.y < top.y ? p : top; }
      }
      layer.marks.emplace_back(draw::Path{
          .lines = {std::move(points)},
          .stroke = draw::Stroke{.paint = name_color(k),
                                 .width = line.level + 1 == heights.size() ? 2.0 : 1.3},
          .tip =
              model.labels()[k] + ": density " + draw::short_text(std::exp(heights[line.level]))});
      add_line_array(
          plot,
          "density " + model.labels()[k] + " " + draw::short_text(std::exp(heights[line.level]), 6),
          ++seen[line.level], line.points, plane);
    }
    tops.push_back({top.x, top.y - 10.0});
  }
  name_classes(plot.drawing, panel, tops, model.labels());
  panel.draw_axes(plot.drawing);
}

}  // namespace logodds::plots
