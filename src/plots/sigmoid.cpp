#include "plots/sigmoid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "plots/plane_points.hpp"

namespace logodds::plots {

namespace {

using draw::Point;

constexpr std::size_t kPoints = 301;

/// Means of the rows of the two classes, in the unit square.
std::array<Point, 2> class_means(const Plane& plane, const PlaneRows& rows) {
  std::array<Point, 2> means{};
  std::array<double, 2> counts{};
  const std::vector<Point> all = projected(plane, rows);
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (!std::isfinite(all[r].x) || !std::isfinite(all[r].y) || rows.classes[r] < 0) { continue; }
    const auto k = static_cast<std::size_t>(rows.classes[r]);
    counts[k] += 1.0;
    means[k].x += ((all[r].x - plane.x.low) / plane.x.size() - means[k].x) / counts[k];
    means[k].y += ((all[r].y - plane.y.low) / plane.y.size() - means[k].y) / counts[k];
  }
  return means;
}

/// Nearest to `to` on the lines, on the page.
std::optional<Point> nearest(const draw::Partition& regions, Point to, double aspect) {
  std::optional<Point> best;
  double least = std::numeric_limits<double>::infinity();
  for (const draw::BorderLine& line : regions.lines) {
    for (std::size_t i = 1; i < line.points.size() && line.second == 1; ++i) {
      const Point a = line.points[i - 1];
      const Point b = line.points[i];
      const double x = b.x - a.x;
      const double y = (b.y - a.y) * aspect;
      const double square = x * x + y * y;
      const double share =
          square > 0.0
              ? std::clamp(((to.x - a.x) * x + (to.y - a.y) * aspect * y) / square, 0.0, 1.0)
              : 0.0;
      const Point p{a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
      const double distance = std::hypot(p.x - to.x, (p.y - to.y) * aspect);
      if (distance < least) {
        least = distance;
        best = p;
      }
    }
  }
  return best;
}

/// a_1 - a_0 at a place of the unit square.
double log_odds(const PlaneModel& model, const Plane& plane, Point place) {
  const std::vector<Point> point{plane.value(place)};
  std::array<double, 2> scores{};
  model.log_scores(point, scores);
  return scores[1] - scores[0];
}

/// Where a ray leaves the unit square, in units of its direction.
double way_out(Point from, Point direction) {
  double way = std::numeric_limits<double>::infinity();
  if (direction.x != 0.0) {
    way = std::min(way, ((direction.x > 0.0 ? 1.0 : 0.0) - from.x) / direction.x);
  }
  if (direction.y != 0.0) {
    way = std::min(way, ((direction.y > 0.0 ? 1.0 : 0.0) - from.y) / direction.y);
  }
  return way;
}

/// Uphill for the second class, straight on the page: steps in x and y of the unit square.
std::optional<Point> uphill(const PlaneModel& model, const Plane& plane, Point at, double aspect) {
  constexpr double kStep = 1e-4;
  const double x =
      log_odds(model, plane, {at.x + kStep, at.y}) - log_odds(model, plane, {at.x - kStep, at.y});
  const double y = log_odds(model, plane, {at.x, at.y + kStep / aspect}) -
                   log_odds(model, plane, {at.x, at.y - kStep / aspect});
  const double length = std::hypot(x, y);
  if (!(length > 0.0) || !std::isfinite(length)) { return std::nullopt; }
  return Point{x / length, y / length / aspect};
}

}  // namespace

std::optional<SigmoidLine> sigmoid_line(const PlaneModel& model, const Plane& plane,
                                        const PlaneRows& rows, const draw::Partition& regions,
                                        const draw::Rect& room) {
  const double aspect = room.height / room.width;
  const std::array<Point, 2> means = class_means(plane, rows);
  const Point middle{(means[0].x + means[1].x) / 2.0, (means[0].y + means[1].y) / 2.0};
  const auto at = nearest(regions, middle, aspect);
  if (!at) { return std::nullopt; }
  const auto direction = uphill(model, plane, *at, aspect);
  if (!direction) { return std::nullopt; }
  const double back = way_out(*at, {-direction->x, -direction->y});
  const double ahead = way_out(*at, *direction);
  // Along the direction, which has length 1 where y counts `aspect`.
  const double apart = std::abs((means[1].x - means[0].x) * direction->x +
                                (means[1].y - means[0].y) * direction->y * aspect * aspect);
  const double step = apart > 1e-6 ? apart : 1.0;
  SigmoidLine line{.from = -back / step, .to = ahead / step, .steps = {}, .posteriors = {}};
  const auto place = [&](double t) {
    return plane.value({at->x + t * direction->x, at->y + t * direction->y});
  };
  line.begin = place(-back);
  line.end = place(ahead);
  std::vector<Point> points;
  for (std::size_t i = 0; i < kPoints; ++i) {
    const double t = -back + (back + ahead) * static_cast<double>(i) / (kPoints - 1);
    line.steps.push_back(t / step);
    points.push_back(place(t));
  }
  std::vector<double> p(2 * kPoints);
  model.posteriors(points, p);
  for (std::size_t i = 0; i < kPoints; ++i) { line.posteriors.push_back(p[2 * i + 1]); }
  return line;
}

void draw_sigmoid_line(draw::Drawing& drawing, const draw::Panel& panel, const SigmoidLine& line) {
  panel.layer(drawing, "normal")
      .marks.emplace_back(draw::Path{
          .lines = {{panel.at(line.begin.x, line.begin.y), panel.at(line.end.x, line.end.y)}},
          .stroke = draw::Stroke{.paint = draw::Color{}, .width = 1.2, .dash = {5.0, 4.0}},
          .tip = "the line of the lower picture"});
}

void draw_sigmoid(Plot& plot, const draw::Rect& room, const SigmoidLine& line,
                  const std::vector<std::string>& labels) {
  const draw::Panel panel(
      room, {line.from, line.to}, {-0.03, 1.03},
      {.title = "along the dashed line, from the boundary (1: as far as the means are apart)"},
      {.title = "P(" + cut(labels[1], 90.0) + ")",
       .grid = true,
       .named = {{0.0, "0"}, {0.5, "0.5"}, {1.0, "1"}}});
  panel.draw_grid(plot.drawing);
  draw::Layer& layer = panel.layer(plot.drawing, "sigmoid");
  const double middle = panel.x().place(0.0);
  layer.marks.emplace_back(
      draw::Path{.lines = {{{middle, panel.area().y}, {middle, panel.area().bottom()}}},
                 .stroke = draw::Stroke{.paint = draw::Role::muted, .dash = {2.0, 3.0}}});
  layer.marks.emplace_back(
      draw::Path{.lines = {panel.curve(line.steps, line.posteriors)},
                 .stroke = draw::Stroke{.paint = draw::class_color(1), .width = 2.4}});
  panel.draw_axes(plot.drawing);
  NamedArray array{"sigmoid", {line.steps.size(), 4}, {}};
  for (std::size_t i = 0; i < line.steps.size(); ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(line.steps.size() - 1);
    array.values.insert(array.values.end(),
                        {line.steps[i], line.begin.x + share * (line.end.x - line.begin.x),
                         line.begin.y + share * (line.end.y - line.begin.y), line.posteriors[i]});
  }
  plot.arrays.push_back(std::move(array));
}

}  // namespace logodds::plots
