// The posterior surface: every pixel a mix of the classes' colors by the posteriors at its center.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "logodds/error.hpp"
#include "plots/level_lines.hpp"
#include "plots/line_bands.hpp"
#include "plots/plane_model.hpp"
#include "plots/plane_points.hpp"
#include "plots/region_marks.hpp"
#include "plots/sigmoid.hpp"

namespace logodds::plots {

namespace {

constexpr double kPixel = 2.0;  // page units to a pixel
constexpr double kShare = 0.6;  // of the classes' colors; the rest is white
constexpr double kSigmoidRoom = 190.0;

std::vector<draw::Color> surface_colors(std::size_t classes) {
  std::vector<draw::Color> colors = draw::class_colors(classes);
  for (draw::Color& color : colors) { color = draw::tint(color, kShare); }
  return colors;
}

std::string color_list(const std::vector<draw::Color>& colors) {
  std::string list;
  for (const draw::Color color : colors) { list += (list.empty() ? "" : ",") + draw::hex(color); }
  return list;
}

void fill_row(draw::Image& image, std::size_t row, const PlaneModel& model, const Plane& plane,
              const std::vector<draw::Color>& colors) {
  std::vector<draw::Point> points(image.columns);
  for (std::size_t c = 0; c < image.columns; ++c) {
    points[c] =
        plane.value({(static_cast<double>(c) + 0.5) / static_cast<double>(image.columns),
                     1.0 - (static_cast<double>(row) + 0.5) / static_cast<double>(image.rows)});
  }
  std::vector<double> p(points.size() * colors.size());
  model.posteriors(points, p);
  for (std::size_t c = 0; c < image.columns; ++c) {
    const std::span<const double> of_pixel = std::span(p).subspan(c * colors.size(), colors.size());
    const bool sound = std::ranges::none_of(of_pixel, [](double x) { return std::isnan(x); });
    const draw::Color color = sound ? draw::mix(colors, of_pixel) : draw::Color{255, 255, 255};
    const std::array<std::uint8_t, 3> rgb = {color.red, color.green, color.blue};
    std::ranges::copy(
        rgb, image.pixels.begin() + static_cast<std::ptrdiff_t>(3 * (row * image.columns + c)));
  }
}

draw::Image surface(const PlaneModel& model, const Plane& plane, const draw::Rect& area) {
  const std::vector<draw::Color> colors = surface_colors(model.classes());
  draw::Image image{.place = area,
                    .columns = static_cast<std::size_t>(std::max(8.0, area.width / kPixel)),
                    .rows = static_cast<std::size_t>(std::max(8.0, area.height / kPixel)),
                    .pixels = {},
                    .about = "posterior probabilities of the classes as a mix of their colors",
                    .facts = {{"x-low", format_number(plane.x.low)},
                              {"x-high", format_number(plane.x.high)},
                              {"y-low", format_number(plane.y.low)},
                              {"y-high", format_number(plane.y.high)},
                              {"colors", color_list(colors)}}};
  image.pixels.resize(3 * image.columns * image.rows);
  for (std::size_t r = 0; r < image.rows; ++r) { fill_row(image, r, model, plane, colors); }
  return image;
}

/// ln p / (1 - p)
double logit(double p) { return std::log(p / (1.0 - p)); }

/// Log odds of one score against all the others.
double log_odds_of(std::span<const double> scores, std::size_t k) {
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < scores.size(); ++j) {
    if (j != k) { largest = std::max(largest, scores[j]); }
  }
  double sum = 0.0;
  for (std::size_t j = 0; j < scores.size(); ++j) {
    if (j != k && scores[j] > -std::numeric_limits<double>::infinity()) {
      sum += std::exp(scores[j] - largest);
    }
  }
  return sum > 0.0 ? scores[k] - largest - std::log(sum) : std::numeric_limits<double>::infinity();
}

/// Log odds of the second of two classes, else of the likeliest.
Field log_odds_field(const PlaneModel& model, const Plane& plane) {
  return [&](std::span<const draw::Point> places, std::span<double> out) {
    const std::size_t classes = model.classes();
    std::vector<draw::Point> points;
    points.reserve(places.size());
    for (const draw::Point place : places) { points.push_back(plane.value(place)); }
    std::vector<double> scores(points.size() * classes);
    model.log_scores(points, scores);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::span<const double> row = std::span(scores).subspan(i * classes, classes);
      const auto best =
          classes == 2 ? 1 : static_cast<std::size_t>(std::ranges::max_element(row) - row.begin());
      out[i] = log_odds_of(row, best);
    }
  };
}

struct Contours {
  std::vector<double> levels;
  std::vector<LevelLine> lines;
};

Contours find_contours(const PlaneModel& model, const Plane& plane, const draw::Rect& area) {
  Contours found{.levels = {0.75, 0.9, 0.99}, .lines = {}};
  if (model.classes() == 2) { found.levels = {0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99}; }
  std::vector<double> heights;
  for (const double level : found.levels) { heights.push_back(logit(level)); }
  found.lines = level_lines(log_odds_field(model, plane), heights, grid_cells(area.width),
                            grid_cells(area.height));
  return found;
}

void draw_contours(draw::Drawing& drawing, const draw::Panel& panel, const Contours& contours) {
  draw::Layer& layer = panel.layer(drawing, "contours");
  for (std::size_t level = 0; level < contours.levels.size(); ++level) {
    draw::Path path{.lines = {},
                    .stroke = draw::Stroke{.paint = draw::Color{0x22, 0x22, 0x22},
                                           .width = contours.levels[level] == 0.5 ? 1.8 : 0.9},
                    .tip = "probability " + draw::short_text(contours.levels[level])};
    for (const LevelLine& line : contours.lines) {
      if (line.level == level) { path.lines.push_back(on_page(panel, line.points)); }
    }
    if (!path.lines.empty()) { layer.marks.emplace_back(std::move(path)); }
  }
}

void name_contours(draw::Drawing& drawing, const draw::Panel& panel, const Contours& contours) {
  std::vector<std::string> names;
  for (const double level : contours.levels) { names.push_back(draw::short_text(level)); }
  name_lines(panel.layer(drawing, "levels"), panel, contours.lines, names);
}

void add_arrays(Plot& plot, const Contours& contours, const Plane& plane) {
  std::vector<std::size_t> seen(contours.levels.size(), 0);
  for (const LevelLine& line : contours.lines) {
    const std::size_t number = ++seen[line.level];
    add_line_array(plot, "contour " + draw::short_text(contours.levels[line.level]), number,
                   line.points, plane);
  }
}

const Classifier& checked_model(const PlotInput& input) {
  const Classifier& model = classifier_of(input, "posterior");
  if (model.centers() == nullptr) { return model; }
  throw Error(ErrorCode::usage, "plot posterior draws probabilities, and a model of family " +
                                    model.family() +
                                    " decides for the nearest center without any; take plot "
                                    "clusters or plot regions");
}

Plot draw_posterior(const PlotInput& input, const Options& options, const PageWish& page,
                    const Context& context) {
  const Classifier& model = checked_model(input);
  const PlaneRows rows = plane_rows(input, model, "posterior", context);
  const Plane plane = make_plane(model, rows, options, context);
  const std::string title = "Posterior probabilities, " + model_title(model);
  if (plane.line) { return draw_bands(model, plane, rows, title, page, context); }
  const PlaneModel on_plane(model, plane, context);
  const bool two = model.labels().size() == 2;
  Plot plot{.drawing = new_drawing(page, 680.0, two ? 700.0 : 560.0), .notes = {}, .arrays = {}};
  add_point_notes(plot.notes, plane, rows);
  std::vector<std::string> foot = plot.notes;
  for (const std::string& note : plane_notes(plane, on_plane, rows)) { foot.push_back(note); }
  const std::string whose =
      two ? "of class " + cut(model.labels()[1], 200.0) : "of the likeliest class";
  draw::Rect room = lay_out(plot.drawing, {.title = title_or(page, title),
                                           .subtitle = "color: mix of the classes' colors by "
                                                       "their posteriors; lines: probability " +
                                                       whose,
                                           .notes = foot});
  const draw::Partition regions = cut_regions(on_plane, room);
  room = draw_keys_of(plot.drawing, model.labels(), regions, present_classes(rows, model), room);
  draw::Rect above = room;
  std::optional<SigmoidLine> line;
  if (two) {
    above.height = std::max(above.height - kSigmoidRoom, above.height / 2.0);
    line = sigmoid_line(on_plane, plane, rows, regions, above);
    if (!line) { above = room; }
  }
  const draw::Panel panel(above, plane.x, plane.y, {.title = plane.x_name},
                          {.title = plane.y_name});
  panel.layer(plot.drawing, "surface").marks.emplace_back(surface(on_plane, plane, panel.area()));
  const Contours contours = find_contours(on_plane, plane, panel.area());
  draw_contours(plot.drawing, panel, contours);
  if (!two) { draw_region_lines(plot.drawing, panel, regions, on_plane, model.labels()); }
  std::vector<draw::Point> places;
  if (rows.given) { places = draw_points(plot.drawing, panel, plane, rows); }
  if (line) { draw_sigmoid_line(plot.drawing, panel, *line); }
  name_contours(plot.drawing, panel, contours);
  name_regions(plot.drawing, panel, regions, model.labels(), places);
  panel.draw_axes(plot.drawing);
  add_arrays(plot, contours, plane);
  if (line) {
    const draw::Rect below{room.x, above.bottom() + 14.0, room.width,
                           room.bottom() - above.bottom() - 14.0};
    draw_sigmoid(plot, below, *line, model.labels());
  }
  return plot;
}

}  // namespace

PlotRecord posterior_plot() {
  return {.name = "posterior",
          .summary =
              "posterior probabilities as a blend of the classes' colors, with lines of "
              "equal probability",
          .needs = Needs::rows_optional,
          .options = plane_options(),
          .example = "posterior penguins.model penguins.csv -o posterior.svg",
          .draw = draw_posterior};
}

}  // namespace logodds::plots
