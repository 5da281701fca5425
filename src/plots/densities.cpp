// Class-conditional densities: ellipses and principal axes of Gaussian models, lines of equal
// density of others, curves where there is one column.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "logodds/error.hpp"
#include "logodds/models/adjusted.hpp"
#include "plots/ellipses.hpp"
#include "plots/level_lines.hpp"
#include "plots/plane_model.hpp"
#include "plots/plane_points.hpp"
#include "plots/region_marks.hpp"

namespace logodds::plots {

namespace {

using draw::Point;

constexpr std::size_t kCurvePoints = 501;
constexpr std::size_t kMostNamed = 12;

const Generative& generative_of(const Classifier& model) {
  if (const Generative* const found = unadjusted(model).generative()) { return *found; }
  throw Error(ErrorCode::usage, "a model of family " + model.family() +
                                    " has no densities of the rows; take plot posterior or plot "
                                    "regions, or train a generative family, as gaussian is");
}

/// What the densities drawn stand for, in the picture's notes.
std::string rest_note(const Schema& schema, std::size_t drawn) {
  const std::size_t others = schema.columns.size() - drawn;
  if (others == 0) { return {}; }
  return others == 1 ? "The other column is integrated out."
                     : "The other " + grouped(others) + " columns are integrated out.";
}

/// Rows as points below the densities.
void draw_rows(Plot& plot, const draw::Panel& panel, const Plane& plane, PlaneRows rows) {
  if (!rows.given) { return; }
  rows.truths = false;  // right or wrong is another picture's matter
  draw_points(plot.drawing, panel, plane, rows);
}

void name_classes(draw::Drawing& drawing, const draw::Panel& panel, std::vector<Point> places,
                  const std::vector<std::string>& labels) {
  if (labels.size() > kMostNamed) { return; }
  std::vector<draw::Label> names;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const std::string name = cut(labels[k], 150.0);
    Point at = places[k];
    at.x = kept_inside(at.x, draw::text_width(name) / 2.0 + 4.0, panel.area());
    names.push_back({at, name, name_color(k), draw::Align::middle});
  }
  draw::draw_labels(panel.layer(drawing, "names"), std::move(names), panel.area(), 13.0);
}

/// Keys for more classes than can be named in their places.
draw::Rect keys_for(draw::Drawing& drawing, const std::vector<std::string>& labels,
                    const draw::Rect& room) {
  constexpr std::size_t kMostKeys = 24;
  if (labels.size() <= kMostNamed) { return room; }
  std::vector<draw::Key> keys;
  for (std::size_t k = 0; k < std::min(labels.size(), kMostKeys); ++k) {
    keys.push_back({cut(labels[k], 120.0), draw::class_color(k), class_shape(k)});
  }
  if (labels.size() > kMostKeys) {
    keys.push_back({"and " + grouped(labels.size() - kMostKeys) + " more", draw::Role::paper});
  }
  return draw::draw_keys(drawing, keys, room);
}

// One column.

/// p(x | C_k) at every point, points x classes.
std::vector<double> densities_at(const PlaneModel& on_line, const Generative& generative,
                                 std::span<const Point> points) {
  const std::size_t classes = on_line.classes();
  std::vector<double> values(points.size() * classes);
  on_line.log_joint(points, true, values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = std::exp(values[i] - generative.log_priors()[i % classes]);
  }
  return values;
}

void draw_curves(Plot& plot, const draw::Rect& room, const Classifier& model, const Plane& line,
                 const PlaneRows& rows, const std::vector<double>& x,
                 const std::vector<double>& values) {
  const std::size_t classes = model.labels().size();
  double top = 0.0;
  for (const double value : values) { top = std::isfinite(value) ? std::max(top, value) : top; }
  const double floor = rows.given ? -0.18 : 0.0;
  const draw::Panel panel(room, line.x,
                          {(top > 0.0 ? top : 1.0) * floor, (top > 0.0 ? top : 1.0) * 1.08},
                          {.title = line.x_name}, {.title = "density"});
  draw::Layer& layer = panel.layer(plot.drawing, "densities");
  std::vector<Point> tops;
  for (std::size_t k = 0; k < classes; ++k) {
    std::vector<double> y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double value = values[i * classes + k];
      y[i] = std::isnan(value) ? 0.0 : std::min(value, 2.0 * top);
    }
    std::vector<Point> curve = panel.curve(x, y);
    std::vector<Point> area = curve;
    area.push_back(panel.at(x.back(), 0.0));
    area.push_back(panel.at(x.front(), 0.0));
    layer.marks.emplace_back(
        draw::Path{.lines = {std::move(area)},
                   .closed = true,
                   .fill = draw::Fill{.paint = draw::class_color(k), .opacity = 0.14}});
    const auto peak = std::ranges::max_element(y) - y.begin();
    Point at = curve[static_cast<std::size_t>(peak)];
    at.y -= 9.0;
    tops.push_back(at);
    layer.marks.emplace_back(
        draw::Path{.lines = {std::move(curve)},
                   .stroke = draw::Stroke{.paint = draw::class_color(k), .width = 2.2},
                   .tip = "p(" + line.x_name + " | " + model.labels()[k] + ")"});
  }
  if (rows.given) {
    draw::Layer& points = panel.layer(plot.drawing, "points");
    const std::size_t every = thinning(rows.rows.rows);
    for (std::size_t k = 0; k < classes; ++k) {
      draw::Path ticks{
          .lines = {},
          .stroke = draw::Stroke{.paint = draw::class_color(k), .width = 1.0, .opacity = 0.5}};
      const double low =
          top * floor * (0.25 + 0.7 * static_cast<double>(k) / static_cast<double>(classes));
      const double high =
          top * floor *
          (0.25 + 0.7 * (static_cast<double>(k) + 0.8) / static_cast<double>(classes));
      for (std::size_t r = 0; r < rows.rows.rows; r += every) {
        const double value = line.project(rows.rows.numbers.data() + r * line.origin.size()).x;
        if (rows.classes[r] != static_cast<std::int32_t>(k) || !std::isfinite(value)) { continue; }
        ticks.lines.push_back({panel.at(value, low), panel.at(value, high)});
      }
      if (!ticks.lines.empty()) { points.marks.emplace_back(std::move(ticks)); }
    }
  }
  name_classes(plot.drawing, panel, std::move(tops), model.labels());
  panel.draw_axes(plot.drawing);
}

void draw_line(Plot& plot, const draw::Rect& room, const Classifier& model,
               const PlaneModel& on_line, const Plane& line, const PlaneRows& rows) {
  std::vector<Point> points;
  std::vector<double> x;
  for (std::size_t i = 0; i < kCurvePoints; ++i) {
    points.push_back(line.value({static_cast<double>(i) / (kCurvePoints - 1), 0.0}));
    x.push_back(points.back().x);
  }
  const std::vector<double> values = densities_at(on_line, generative_of(model), points);
  draw_curves(plot, room, model, line, rows, x, values);
  const std::size_t classes = model.labels().size();
  NamedArray array{"densities", {kCurvePoints, 1 + classes}, {}};
  for (std::size_t i = 0; i < kCurvePoints; ++i) {
    array.values.push_back(x[i]);
    for (std::size_t k = 0; k < classes; ++k) { array.values.push_back(values[i * classes + k]); }
  }
  plot.arrays.push_back(std::move(array));
}

// Gaussian models.

void draw_gaussians(Plot& plot, const draw::Rect& room, const Classifier& model, Plane plane,
                    const PlaneRows& rows, const std::vector<Gaussian2>& gaussians) {
  for (const Gaussian2& g : gaussians) {  // three deviations fit
    constexpr double kWide = 3.2;
    const double x = kWide * std::sqrt(g.xx);
    const double y = kWide * std::sqrt(g.yy);
    plane.x = draw::joined(plane.x, {g.mean.x - x, g.mean.x + x});
    plane.y = draw::joined(plane.y, {g.mean.y - y, g.mean.y + y});
  }
  const draw::Panel panel(room, plane.x, plane.y, {.title = plane.x_name}, {.title = plane.y_name});
  draw_rows(plot, panel, plane, rows);
  std::vector<Point> tops;
  for (std::size_t k = 0; k < gaussians.size(); ++k) {
    draw_ellipses(plot, panel, gaussians[k], k, model.labels()[k]);
    Point top = panel.at(gaussians[k].mean.x, gaussians[k].mean.y + std::sqrt(gaussians[k].yy));
    top.y -= 12.0;
    tops.push_back(top);
  }
  name_classes(plot.drawing, panel, std::move(tops), model.labels());
  panel.draw_axes(plot.drawing);
}

// Others: lines of equal density.

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

void draw_lines(Plot& plot, const draw::Rect& room, const Classifier& model,
                const PlaneModel& on_plane, const Plane& plane, const PlaneRows& rows) {
  const draw::Panel panel(room, plane.x, plane.y, {.title = plane.x_name}, {.title = plane.y_name});
  draw_rows(plot, panel, plane, rows);
  std::vector<Point> tops;
  LogDensities densities(on_plane, plane, generative_of(model));
  draw::Layer& layer = panel.layer(plot.drawing, "densities");
  const std::size_t columns = grid_cells(panel.area().width);
  const std::size_t lines_up = grid_cells(panel.area().height);
  for (std::size_t k = 0; k < model.labels().size(); ++k) {
    const Field field = densities.of_class(k);
    const std::vector<double> heights = heights_of(field, columns, lines_up);
    std::vector<std::size_t> seen(heights.size(), 0);
    Point top{panel.area().middle(), panel.area().bottom()};
    for (const LevelLine& line : level_lines(field, heights, columns, lines_up)) {
      std::vector<Point> points = on_page(panel, line.points);
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
  name_classes(plot.drawing, panel, std::move(tops), model.labels());
  panel.draw_axes(plot.drawing);
}

void check_axes(const Classifier& model, const Options& options, bool gaussian) {
  if (gaussian || options.choice("axes") == "columns") { return; }
  throw Error(ErrorCode::usage, "option --axes " + options.choice("axes") +
                                    ": densities of a model of family " + model.family() +
                                    " are known along its columns; take --x and --y");
}

Plot draw_densities(const PlotInput& input, const Options& options, const PageWish& page,
                    const Context& context) {
  const Classifier& model = unadjusted(classifier_of(input, "densities"));
  check_columns(model.schema(), "densities");
  static_cast<void>(generative_of(model));
  const PlaneRows rows = plane_rows(input, model, "densities", context);
  Plane plane = make_plane(model, rows, options, context);
  const std::vector<Gaussian2> gaussians =
      plane.line ? std::vector<Gaussian2>{} : gaussians_on(plane, model);
  check_axes(model, options, !gaussians.empty());
  const PlaneModel on_plane(model, plane, context);
  Plot plot{
      .drawing = new_drawing(page, 680.0, plane.line ? 440.0 : 560.0), .notes = {}, .arrays = {}};
  add_point_notes(plot.notes, plane, rows);
  std::vector<std::string> foot = plot.notes;
  const bool columns = options.choice("axes") == "columns";
  const std::string rest = rest_note(model.schema(), plane.line ? 1 : 2);
  if (columns && !rest.empty()) { foot.push_back(rest); }
  const std::string words =
      plane.line ? "p(" + plane.x_name + " | class)"
      : gaussians.empty()
          ? "lines of equal density that hold 39, 86 and 99 % of a class, as 1, 2 and 3 "
            "deviations of a Gaussian do"
          : "ellipses at 1, 2 and 3 deviations; crosses: principal axes, as long as their "
            "deviations";
  draw::Rect room = lay_out(
      plot.drawing, {.title = title_or(page, "Densities of the classes, " + model_title(model)),
                     .subtitle = words,
                     .notes = foot});
  room = keys_for(plot.drawing, model.labels(), room);
  if (plane.line) {
    draw_line(plot, room, model, on_plane, plane, rows);
  } else if (gaussians.empty()) {
    draw_lines(plot, room, model, on_plane, plane, rows);
  } else {
    draw_gaussians(plot, room, model, plane, rows, gaussians);
  }
  return plot;
}

}  // namespace

PlotRecord densities_plot() {
  return {.name = "densities",
          .summary =
              "densities of the classes of a generative model, with covariance ellipses "
              "and principal axes",
          .needs = Needs::rows_optional,
          .options = plane_options(),
          .example = "densities penguins.model penguins.csv -o densities.svg",
          .draw = draw_densities};
}

}  // namespace logodds::plots
