// Densities of one column as curves, the rows as ticks below them.
#include <algorithm>
#include <cmath>

#include "plots/class_marks.hpp"
#include "plots/density_marks.hpp"

namespace logodds::plots {

namespace {

using draw::Point;

constexpr std::size_t kPoints = 501;
constexpr double kFloor = -0.18;  // of the highest density: the rows lie between this and 0

/// p(x | C_k) along a line, points x classes.
struct Curves {
  explicit Curves(const DensityPicture& picture) : classes(picture.model.labels().size()) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < kPoints; ++i) {
      points.push_back(picture.plane.value({static_cast<double>(i) / (kPoints - 1), 0.0}));
      x.push_back(points.back().x);
    }
    values.resize(kPoints * classes);
    picture.on_plane.log_joint(points, true, values);
    const std::span<const double> log_priors = generative_of(picture.model).log_priors();
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = std::exp(values[i] - log_priors[i % classes]);
      if (std::isfinite(values[i])) { top = std::max(top, values[i]); }
    }
  }
  /// What is infinite reaches out of the picture.
  [[nodiscard]] std::vector<double> of_class(std::size_t k) const {
    std::vector<double> y(kPoints);
    for (std::size_t i = 0; i < kPoints; ++i) {
      const double value = values[i * classes + k];
      y[i] = std::isnan(value) ? 0.0 : std::min(value, 2.0 * top);
    }
    return y;
  }

  std::size_t classes;
  std::vector<double> x;
  std::vector<double> values;
  double top = 0.0;  ///< the highest that is finite
};

/// Returns where the class's name stands.
Point draw_curve(draw::Layer& layer, const draw::Panel& panel, const Curves& curves, std::size_t k,
                 std::string tip) {
  const std::vector<double> y = curves.of_class(k);
  std::vector<Point> curve = panel.curve(curves.x, y);
  std::vector<Point> area = curve;
  area.push_back(panel.at(curves.x.back(), 0.0));
  area.push_back(panel.at(curves.x.front(), 0.0));
  layer.marks.emplace_back(
      draw::Path{.lines = {std::move(area)},
                 .closed = true,
                 .fill = draw::Fill{.paint = draw::class_color(k), .opacity = 0.14}});
  Point at = curve[static_cast<std::size_t>(std::ranges::max_element(y) - y.begin())];
  at.y -= 9.0;
  layer.marks.emplace_back(
      draw::Path{.lines = {std::move(curve)},
                 .stroke = draw::Stroke{.paint = draw::class_color(k), .width = 2.2},
                 .tip = std::move(tip)});
  return at;
}

/// The rows of the class at this place of `shown` as ticks in a strip of its own.
void draw_ticks(draw::Layer& layer, const draw::Panel& panel, const DensityPicture& picture,
                double floor, std::size_t place) {
  const auto& [model, on_plane, line, rows, shown] = picture;
  const std::size_t k = shown[place];
  const auto classes = static_cast<double>(shown.size());
  const auto strip = [&](double share) {
    return floor * (0.25 + 0.7 * (static_cast<double>(place) + share) / classes);
  };
  draw::Path ticks{
      .lines = {},
      .stroke = draw::Stroke{.paint = draw::class_color(k), .width = 1.0, .opacity = 0.5}};
  const std::size_t every = thinning(rows.rows.rows);
  for (std::size_t r = 0; r < rows.rows.rows; r += every) {
    const double value = line.project(rows.rows.numbers.data() + r * line.origin.size()).x;
    if (rows.classes[r] != static_cast<std::int32_t>(k) || !std::isfinite(value)) { continue; }
    ticks.lines.push_back({panel.at(value, strip(0.0)), panel.at(value, strip(0.8))});
  }
  if (!ticks.lines.empty()) { layer.marks.emplace_back(std::move(ticks)); }
}

NamedArray array_of(const Curves& curves) {
  NamedArray array{"densities", {kPoints, 1 + curves.classes}, {}};
  for (std::size_t i = 0; i < kPoints; ++i) {
    array.values.push_back(curves.x[i]);
    for (std::size_t k = 0; k < curves.classes; ++k) {
      array.values.push_back(curves.values[i * curves.classes + k]);
    }
  }
  return array;
}

}  // namespace

void draw_density_curves(Plot& plot, const draw::Rect& room, const DensityPicture& picture) {
  const auto& [model, on_plane, line, rows, shown] = picture;
  const Curves curves(picture);
  const double top = curves.top > 0.0 ? curves.top : 1.0;
  const draw::Panel panel(room, line.x, {rows.given ? top * kFloor : 0.0, top * 1.08},
                          {.title = line.x_name}, {.title = "density"});
  std::vector<Point> tops;
  draw::Layer& layer = panel.layer(plot.drawing, "densities");
  for (const std::size_t k : shown) {
    tops.push_back(
        draw_curve(layer, panel, curves, k, "p(" + line.x_name + " | " + model.labels()[k] + ")"));
  }
  if (rows.given) {
    draw::Layer& points = panel.layer(plot.drawing, "points");
    for (std::size_t place = 0; place < shown.size(); ++place) {
      draw_ticks(points, panel, picture, curves.top * kFloor, place);
    }
  }
  name_classes(plot.drawing, panel, tops, model.labels());
  panel.draw_axes(plot.drawing);
  plot.arrays.push_back(array_of(curves));
}

}  // namespace logodds::plots
