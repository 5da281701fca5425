// Voronoi cells of the training rows of a nearest-neighbor classifier, in the colors of their
// classes.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "logodds/error.hpp"
#include "plots/plane_points.hpp"
#include "plots/voronoi.hpp"

namespace logodds::plots {

namespace {

using draw::Point;

constexpr std::size_t kMostRows = 20000;

[[noreturn]] void refuse(const std::string& reason) {
  throw Error(ErrorCode::usage,
              "plot kdiagram draws the cells of the one nearest row in two columns "
              "of numbers, and " +
                  reason);
}

void check(const Classifier& model) {
  const Neighborhood* const near = model.neighborhood();
  if (near == nullptr) {
    refuse("a model of family " + model.family() +
           " does not decide by near rows; take plot regions");
  }
  if (near->neighbor_count() != 1) {
    refuse("this model asks " + std::to_string(near->neighbor_count()) +
           " of them; take plot regions, or train with --k 1");
  }
  const Schema& schema = model.schema();
  if (schema.numeric_count() != 2 || schema.columns.size() != 2) {
    refuse("this model has " +
           (schema.columns.size() == 2 ? std::string("a column of another kind")
                                       : std::to_string(schema.columns.size()) + " columns") +
           "; take plot regions, or train on two columns");
  }
  const RowBlock& rows = near->training_rows();
  if (rows.weights != nullptr) { refuse("the rows of this model have weights; take plot regions"); }
  if (rows.rows > kMostRows) {
    refuse("this model holds " + grouped(rows.rows) + " rows, of which a page shows at most " +
           grouped(kMostRows) + "; train with --condense, or take plot regions");
  }
}

/// The places of the rows, each with the class that is decided there: rows at one place share the
/// vote.
struct Sites {
  std::vector<Point> places;  ///< in the units of the data
  std::vector<std::int32_t> labels;
  std::size_t hidden = 0;  ///< rows at the place of an earlier one
};

Sites sites_of(const Classifier& model, const Context& context) {
  const RowBlock& rows = model.neighborhood()->training_rows();
  Sites sites;
  std::set<std::pair<double, double>> seen;
  std::vector<double> numbers;
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const Point p{rows.numeric[r * rows.numeric_stride], rows.numeric[r * rows.numeric_stride + 1]};
    if (!seen.emplace(p.x, p.y).second) {
      ++sites.hidden;
      continue;
    }
    sites.places.push_back(p);
    numbers.insert(numbers.end(), {p.x, p.y});
  }
  sites.labels.resize(sites.places.size());
  decisions(model, row_major(numbers.data(), sites.places.size(), 2), sites.labels, context);
  return sites;
}

/// From the columns to coordinates whose Euclidean distances are compared, and back.
class Metric {
 public:
  Metric(const Neighborhood& near, draw::Range x, draw::Range y) : begin_{x.low, y.low} {
    const std::array<double, 6> corners{x.low, y.low, x.high, y.low, x.low, y.high};
    const std::vector<double> z = near.coordinates({.rows = 3,
                                                    .numeric = corners.data(),
                                                    .numeric_columns = 2,
                                                    .numeric_stride = 2,
                                                    .codes = {}});
    if (z.empty()) { refuse("this model compares by another metric; take plot regions"); }
    for (std::size_t i = 0; i < 2; ++i) {
      forth_[2 * i] = (z[2 + i] - z[i]) / x.size();
      forth_[2 * i + 1] = (z[4 + i] - z[i]) / y.size();
    }
    determinant_ = forth_[0] * forth_[3] - forth_[1] * forth_[2];
    if (!(std::abs(determinant_) > 0.0)) {
      refuse("in this model a column does not count; take plot regions");
    }
  }
  [[nodiscard]] Point forth(Point p) const {
    const double x = p.x - begin_.x;
    const double y = p.y - begin_.y;
    return {forth_[0] * x + forth_[1] * y, forth_[2] * x + forth_[3] * y};
  }
  [[nodiscard]] Point back(Point z) const {
    return {begin_.x + (forth_[3] * z.x - forth_[1] * z.y) / determinant_,
            begin_.y + (forth_[0] * z.y - forth_[2] * z.x) / determinant_};
  }
  [[nodiscard]] bool mirrors() const { return determinant_ < 0.0; }

 private:
  Point begin_;
  std::array<double, 4> forth_{};
  double determinant_ = 1.0;
};

/// Cells in the units of the data.
std::vector<VoronoiCell> cells_of(const Sites& sites, const Metric& metric, draw::Range x,
                                  draw::Range y) {
  std::vector<Point> places;
  for (const Point p : sites.places) { places.push_back(metric.forth(p)); }
  std::vector<Point> outline{metric.forth({x.low, y.low}), metric.forth({x.high, y.low}),
                             metric.forth({x.high, y.high}), metric.forth({x.low, y.high})};
  if (metric.mirrors()) { std::ranges::reverse(outline); }
  std::vector<VoronoiCell> cells = voronoi_cells(places, outline);
  for (VoronoiCell& cell : cells) {
    for (Point& corner : cell.corners) { corner = metric.back(corner); }
  }
  return cells;
}

void draw_cells(draw::Drawing& drawing, const draw::Panel& panel, const Sites& sites,
                const std::vector<VoronoiCell>& cells, std::size_t classes) {
  draw::Layer& layer = panel.layer(drawing, "cells");
  for (std::size_t k = 0; k < classes; ++k) {
    draw::Path path{.lines = {},
                    .closed = true,
                    .fill = draw::Fill{.paint = draw::tint(draw::class_color(k), 0.3)},
                    .stroke = draw::Stroke{.paint = draw::Color{255, 255, 255}, .width = 0.7}};
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (sites.labels[i] != static_cast<std::int32_t>(k) || cells[i].corners.empty()) { continue; }
      std::vector<Point> corners;
      for (const Point p : cells[i].corners) { corners.push_back(panel.at(p.x, p.y)); }
      path.lines.push_back(std::move(corners));
    }
    if (!path.lines.empty()) { layer.marks.emplace_back(std::move(path)); }
  }
}

/// Sides between cells of two classes: x and y of both ends.
std::vector<double> class_boundary(const Sites& sites, const std::vector<VoronoiCell>& cells) {
  std::vector<double> sides;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const VoronoiCell& cell = cells[i];
    for (std::size_t s = 0; s < cell.corners.size(); ++s) {
      const std::int64_t other = cell.across[s];
      if (other < static_cast<std::int64_t>(i)) { continue; }  // the rim, or seen from there
      if (sites.labels[static_cast<std::size_t>(other)] == sites.labels[i]) { continue; }
      const Point a = cell.corners[s];
      const Point b = cell.corners[(s + 1) % cell.corners.size()];
      sides.insert(sides.end(), {a.x, a.y, b.x, b.y});
    }
  }
  return sides;
}

void draw_boundary(draw::Drawing& drawing, const draw::Panel& panel,
                   const std::vector<double>& sides) {
  draw::Path path{.lines = {},
                  .stroke = draw::Stroke{.paint = draw::Color{0x22, 0x22, 0x22}, .width = 2.0}};
  for (std::size_t i = 0; i + 3 < sides.size(); i += 4) {
    path.lines.push_back({panel.at(sides[i], sides[i + 1]), panel.at(sides[i + 2], sides[i + 3])});
  }
  if (!path.lines.empty()) { panel.layer(drawing, "boundary").marks.emplace_back(std::move(path)); }
}

void draw_sites(draw::Drawing& drawing, const draw::Panel& panel, const Sites& sites,
                std::size_t classes) {
  draw::Layer& layer = panel.layer(drawing, "points");
  const double size = sites.places.size() <= 400 ? 5.0 : sites.places.size() <= 3000 ? 3.0 : 1.8;
  for (std::size_t k = 0; k < classes; ++k) {
    draw::Symbols symbols{.shape = class_shape(k),
                          .size = size,
                          .places = {},
                          .fill = {.paint = draw::class_color(k)}};
    for (std::size_t i = 0; i < sites.places.size(); ++i) {
      if (sites.labels[i] == static_cast<std::int32_t>(k)) {
        symbols.places.push_back(panel.at(sites.places[i].x, sites.places[i].y));
      }
    }
    if (!symbols.places.empty()) { layer.marks.emplace_back(std::move(symbols)); }
  }
}

draw::Range range_along(const Sites& sites, bool upward) {
  std::vector<double> values;
  for (const Point p : sites.places) { values.push_back(upward ? p.y : p.x); }
  return draw::range_of(values, 0.06);
}

/// In the units of the columns.
double area_of(const VoronoiCell& cell) {
  double twice = 0.0;
  for (std::size_t i = 2; i < cell.corners.size(); ++i) {  // triangles with the first corner
    const Point a = cell.corners[0];
    const Point b = cell.corners[i - 1];
    const Point c = cell.corners[i];
    twice += (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
  }
  return std::abs(twice) / 2.0;
}

void add_arrays(Plot& plot, const Sites& sites, const std::vector<VoronoiCell>& cells,
                const std::vector<double>& sides) {
  plot.arrays.push_back({"boundary", {sides.size() / 4, 4}, sides});
  NamedArray corners{"corners", {0, 3}, {}};  // number of the cell, x, y
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (const Point p : cells[i].corners) {
      corners.values.insert(corners.values.end(), {static_cast<double>(i), p.x, p.y});
      ++corners.shape[0];
    }
  }
  plot.arrays.push_back(std::move(corners));
  NamedArray areas{"areas", {cells.size()}, {}};
  for (const VoronoiCell& cell : cells) { areas.values.push_back(area_of(cell)); }
  plot.arrays.push_back(std::move(areas));
  plot.arrays.push_back({"classes", {cells.size()}, {sites.labels.begin(), sites.labels.end()}});
}

std::string subtitle_of(const Sites& sites) {
  const std::string rows = grouped(sites.places.size() + sites.hidden) + " training rows";
  return rows +
         (sites.hidden > 0 ? " at " + grouped(sites.places.size()) + " places, each place"
                           : std::string(", each")) +
         " with what is nearest to it; black: where the class changes";
}

Plot draw_kdiagram(const PlotInput& input, const Options& /*options*/, const PageWish& page,
                   const Context& context) {
  const Classifier& model = classifier_of(input, "kdiagram");
  check(model);
  const Sites sites = sites_of(model, context);
  const draw::Range x = range_along(sites, false);
  const draw::Range y = range_along(sites, true);
  const Metric metric(*model.neighborhood(), x, y);
  const std::vector<VoronoiCell> cells = cells_of(sites, metric, x, y);
  const std::vector<double> sides = class_boundary(sites, cells);
  Plot plot{.drawing = new_drawing(page, 680.0, 560.0), .notes = {}, .arrays = {}};
  if (sites.hidden > 0) {
    plot.notes.push_back(
        grouped(sites.hidden) + (sites.hidden == 1 ? " row lies" : " rows lie") +
        " at the place of another; the most frequent class at a place decides there");
  }
  const draw::Rect room = lay_out(
      plot.drawing, {.title = title_or(page, "Cells of the nearest row, " + model_title(model)),
                     .subtitle = subtitle_of(sites),
                     .notes = plot.notes});
  const std::size_t classes = model.labels().size();
  std::vector<std::size_t> all(classes);
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto keys = class_keys(all, [&](std::size_t k) { return cut(model.labels()[k], 150.0); });
  const draw::Rect rest = draw::draw_keys(plot.drawing, keys, room);
  const std::vector<Column>& columns = model.schema().columns;
  const draw::Panel panel(rest, x, y, {.title = columns[0].name}, {.title = columns[1].name});
  draw_cells(plot.drawing, panel, sites, cells, classes);
  draw_boundary(plot.drawing, panel, sides);
  draw_sites(plot.drawing, panel, sites, classes);
  panel.draw_axes(plot.drawing);
  add_arrays(plot, sites, cells, sides);
  return plot;
}

}  // namespace

PlotRecord kdiagram_plot() {
  return {.name = "kdiagram",
          .summary = "Voronoi cells of the rows of a nearest-neighbor classifier (--k 1), by class",
          .needs = Needs::nothing,
          .options = {},
          .example = "kdiagram nearest.model -o cells.svg",
          .draw = draw_kdiagram};
}

}  // namespace logodds::plots
