// Rows on principal and on canonical axes.
#include <algorithm>
#include <cmath>

#include "plots/axis_rows.hpp"
#include "plots/class_marks.hpp"
#include "plots/density_panel.hpp"

namespace logodds::plots {

namespace {

using draw::Label;
using draw::Panel;
using draw::Rect;

constexpr std::size_t kMostNamed = 40;  // classes whose names are written into the picture
constexpr double kNameWidth = 160.0;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// The name of each class amid its rows.
std::vector<Label> class_labels(const AxisRows& rows, const Panel& panel) {
  std::vector<std::vector<double>> x(rows.names.size());
  std::vector<std::vector<double>> y(rows.names.size());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    if (rows.classes[r] < 0) { continue; }
    x[static_cast<std::size_t>(rows.classes[r])].push_back(rows.coordinates[2 * r]);
    y[static_cast<std::size_t>(rows.classes[r])].push_back(rows.coordinates[2 * r + 1]);
  }
  std::vector<Label> labels;
  for (std::size_t k = 0; k < rows.names.size(); ++k) {
    if (x[k].empty()) { continue; }
    labels.push_back({.at = panel.at(median(std::move(x[k])), median(std::move(y[k]))),
                      .text = cut(rows.names[k], kNameWidth),
                      .paint = class_paint(static_cast<std::int32_t>(k)),
                      .align = draw::Align::middle});
  }
  return labels;
}

/// Both axes in one unit, where that leaves neither of them much too short.
void share_unit(draw::Range& x, draw::Range& y, const Rect& area) {
  constexpr double kMostUnlike = 2.5;
  const double unit_x = x.size() / area.width;
  const double unit_y = y.size() / area.height;
  if (unit_x > kMostUnlike * unit_y || unit_y > kMostUnlike * unit_x) { return; }
  const auto widen = [](draw::Range& range, double size) {
    const double more = (size - range.size()) / 2.0;
    range = {range.low - more, range.high + more};
  };
  if (unit_x < unit_y) {
    widen(x, unit_y * area.width);
  } else {
    widen(y, unit_x * area.height);
  }
}

draw::Path arrow(draw::Point from, draw::Point to) {
  constexpr double kHead = 6.0;
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  const double dx = length > 0.0 ? (to.x - from.x) / length : 1.0;
  const double dy = length > 0.0 ? (to.y - from.y) / length : 0.0;
  const draw::Point left{to.x - kHead * dx + 0.5 * kHead * dy,
                         to.y - kHead * dy - 0.5 * kHead * dx};
  const draw::Point right{to.x - kHead * dx - 0.5 * kHead * dy,
                          to.y - kHead * dy + 0.5 * kHead * dx};
  return {.lines = {{from, to}, {left, to, right}}, .stroke = draw::Stroke{.width = 1.3}};
}

/// The columns as arrows from the origin, the longest of them a third of the panel; returns their
/// names.
std::vector<Label> draw_loadings(draw::Drawing& drawing, const AxisRows& rows, const Panel& panel) {
  double longest = 0.0;
  for (std::size_t c = 0; c < rows.columns.size(); ++c) {
    longest = std::max(longest, std::hypot(rows.loadings[2 * c], rows.loadings[2 * c + 1]));
  }
  if (longest == 0.0) { return {}; }
  const Rect& area = panel.area();
  const double unit = 0.36 * std::min(area.width, area.height) / longest;
  draw::Point origin = panel.at(0.0, 0.0);
  if (!panel.x().range().contains(0.0) || !panel.y().range().contains(0.0)) {
    origin = {area.middle(), area.y + area.height / 2.0};
  }
  draw::Layer& layer = panel.layer(drawing, "loadings");
  std::vector<Label> labels;
  for (std::size_t c = 0; c < rows.columns.size(); ++c) {
    const double dx = unit * rows.loadings[2 * c];
    const double dy = -unit * rows.loadings[2 * c + 1];
    draw::Path path = arrow(origin, {origin.x + dx, origin.y + dy});
    path.tip = rows.columns[c] + ": correlation " + draw::short_text(rows.loadings[2 * c], 3) +
               " with axis 1, " + draw::short_text(rows.loadings[2 * c + 1], 3) + " with axis 2";
    layer.marks.emplace_back(std::move(path));
    const double length = std::max(1.0, std::hypot(dx, dy));
    labels.push_back(
        {.at = {origin.x + dx * (1.0 + 5.0 / length), origin.y + dy * (1.0 + 9.0 / length)},
         .text = cut(rows.columns[c], kNameWidth),
         .align = dx < 0.0 ? draw::Align::end : draw::Align::start,
         .bold = false});
  }
  return labels;
}

void draw_plane(draw::Drawing& drawing, const Rect& room, const AxisRows& rows, std::size_t every) {
  std::vector<double> x(rows.rows());
  std::vector<double> y(rows.rows());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    x[r] = rows.coordinates[2 * r];
    y[r] = rows.coordinates[2 * r + 1];
  }
  draw::Range x_range = draw::range_of(x);
  draw::Range y_range = draw::range_of(y);
  share_unit(x_range, y_range, room.inset(20.0));
  const Panel panel(room, x_range, y_range, {.title = rows.titles[0]}, {.title = rows.titles[1]});
  std::vector<draw::Point> places;
  std::vector<std::int32_t> classes;
  for (std::size_t r = 0; r < rows.rows(); r += every) {
    places.push_back(panel.at(x[r], y[r]));
    classes.push_back(rows.classes[r]);
  }
  draw_points(panel.layer(drawing, "points"), places, classes, places.size() > 2000 ? 3.0 : 5.0);
  std::vector<Label> labels = draw_loadings(drawing, rows, panel);
  panel.draw_axes(drawing);
  if (rows.names.size() <= kMostNamed) {
    const std::vector<Label> names = class_labels(rows, panel);
    labels.insert(labels.end(), names.begin(), names.end());
  }
  draw_labels(drawing.layer("labels"), std::move(labels), panel.area());
}

std::vector<std::string> foot_of(const AxisRows& rows) {
  std::vector<std::string> foot;
  if (!rows.about.empty()) { foot.push_back("Axes: " + rows.about + "."); }
  if (rows.axes == 2 && !rows.columns.empty()) {
    foot.emplace_back("Arrows: correlations of the columns with the axes.");
  }
  if (rows.axes == 1) {
    foot.emplace_back("Densities: Gaussian kernels, Silverman's bandwidth, area 1 for each class.");
  }
  if (rows.axes == 2 && rows.names.size() > kMostNamed) {
    foot.emplace_back("The classes are too many to be named.");
  }
  foot.insert(foot.end(), rows.notes.begin(), rows.notes.end());
  return foot;
}

Plot draw_axes_of(AxisRows rows, const std::string& title, const PageWish& page) {
  Plot plot{.drawing = new_drawing(page, 680.0, 560.0), .notes = {}, .arrays = {}};
  const std::size_t every = thinning(rows.rows());
  if (every > 1) { rows.notes.push_back(thinning_note(rows.rows(), every)); }
  plot.notes = rows.notes;
  const Rect room = lay_out(plot.drawing, {.title = title_or(page, title),
                                           .subtitle = grouped(rows.rows()) + " rows",
                                           .notes = foot_of(rows)});
  if (rows.axes == 1) {
    draw_strips(plot.drawing, room, rows.coordinates, rows.classes, rows.names, rows.titles[0],
                every);
  } else {
    draw_plane(plot.drawing, room, rows, every);
  }
  plot.arrays.push_back({"coordinates", {rows.rows(), rows.axes}, rows.coordinates});
  plot.arrays.push_back({"classes", {rows.rows()}, {rows.classes.begin(), rows.classes.end()}});
  plot.arrays.push_back({"shares", {rows.axes}, rows.shares});
  plot.arrays.push_back({"loadings", {rows.columns.size(), rows.axes}, rows.loadings});
  return plot;
}

Plot draw_pca(const PlotInput& input, const Options&, const PageWish& page,
              const Context& context) {
  return draw_axes_of(principal_rows(input, context), "Principal axes", page);
}

Plot draw_canonical(const PlotInput& input, const Options&, const PageWish& page,
                    const Context& context) {
  return draw_axes_of(canonical_rows(input, context), "Axes that separate the classes", page);
}

}  // namespace

PlotRecord pca_plot() {
  return {.name = "pca",
          .summary = "rows on their first two principal axes, with the columns as arrows",
          .needs = Needs::labels_optional,
          .options = {},
          .example = "pca penguins.model penguins.csv -o pca.svg",
          .draw = draw_pca};
}

PlotRecord canonical_plot() {
  return {.name = "canonical",
          .summary = "rows on the two axes that separate the classes best",
          .needs = Needs::labels_optional,
          .options = {},
          .example = "canonical penguins.model penguins.csv -o canonical.svg",
          .draw = draw_canonical};
}

}  // namespace logodds::plots
