// Least-squares lines: y on x and x on y with their rows; of several regressors, what is fitted
// against what was measured.
#include <algorithm>
#include <cmath>

#include "plots/chosen_columns.hpp"
#include "plots/class_marks.hpp"
#include "plots/class_rows.hpp"
#include "plots/curve_points.hpp"

namespace logodds::plots {

namespace {

using draw::Panel;
using draw::Point;
using draw::Rect;

constexpr draw::Color kLine = draw::kBlue;
constexpr draw::Color kOther = draw::kVermilion;

const FittedLine& line_of(const PlotInput& input) {
  const DescriptiveModel* const description = descriptive_of(input);
  if (description != nullptr && description->line() != nullptr) { return *description->line(); }
  throw Error(
      ErrorCode::usage,
      "plot lines draws a line that 'logodds line DATA --x A --y B -o FILE' wrote, and this "
      "model is of the family " +
          input.model->family() + "; take plot " +
          (description != nullptr ? input.model->family() : "regions or scatter"));
}

/// The rows that lack nothing.
struct LineRows {
  std::vector<double> x;  ///< the regressor, where there is one alone
  std::vector<double> observed;
  std::vector<double> fitted;
  std::size_t left_out = 0;
  [[nodiscard]] std::size_t rows() const { return observed.size(); }
  [[nodiscard]] double residual(std::size_t r) const { return observed[r] - fitted[r]; }
};

LineRows read_lines(const PlotInput& input, const FittedLine& line, const Context& context) {
  LineRows found;
  const auto source = input.open_rows();
  residuals(
      line, *source,
      [&](const RowBlock& block, std::span<const double> values) {
        for (std::size_t r = 0; r < block.rows; ++r) {
          if (!std::isfinite(values[3 * r + 2])) {
            ++found.left_out;
            continue;
          }
          found.observed.push_back(values[3 * r]);
          found.fitted.push_back(values[3 * r + 1]);
          if (line.pair()) { found.x.push_back(block.numeric[r * block.numeric_stride]); }
        }
      },
      context);
  if (found.rows() == 0) {
    throw Error(ErrorCode::input,
                "there is no complete row to draw; give a file with at least one");
  }
  return found;
}

/// response = intercept + slope regressor.
struct Straight {
  double intercept = 0.0;
  double slope = 0.0;
};
Straight straight(const RegressionFit& fit) {
  return fit.terms.size() == 1 ? Straight{0.0, fit.terms.front().coefficient}
                               : Straight{fit.terms[0].coefficient, fit.terms[1].coefficient};
}

/// Liang & Barsky (1984): the part of a + t (b - a), t of 0 to 1, inside of the ranges.
std::vector<Point> clipped(Point a, Point b, const draw::Range& x, const draw::Range& y) {
  double from = 0.0;
  double to = 1.0;
  const auto clip = [&](double start, double step, const draw::Range& range) {
    if (step == 0.0) { return; }
    const double t1 = (range.low - start) / step;
    const double t2 = (range.high - start) / step;
    from = std::max(from, std::min(t1, t2));
    to = std::min(to, std::max(t1, t2));
  };
  clip(a.x, b.x - a.x, x);
  clip(a.y, b.y - a.y, y);
  if (from >= to) { return {}; }
  return {{std::lerp(a.x, b.x, from), std::lerp(a.y, b.y, from)},
          {std::lerp(a.x, b.x, to), std::lerp(a.y, b.y, to)}};
}

/// In the units of the data, as far as the panel shows them.
std::vector<Point> y_on_x(const Straight& line, const Panel& panel) {
  const draw::Range& x = panel.x().range();
  return clipped({x.low, line.intercept + line.slope * x.low},
                 {x.high, line.intercept + line.slope * x.high}, x, panel.y().range());
}
std::vector<Point> x_on_y(const Straight& line, const Panel& panel) {
  const draw::Range& y = panel.y().range();
  return clipped({line.intercept + line.slope * y.low, y.low},
                 {line.intercept + line.slope * y.high, y.high}, panel.x().range(), y);
}

void draw_line(draw::Layer& layer, const Panel& panel, const std::vector<Point>& line,
               draw::Color color, std::string tip) {
  std::vector<Point> places;
  for (const Point point : line) { places.push_back(panel.at(point.x, point.y)); }
  layer.marks.emplace_back(draw::Path{.lines = {std::move(places)},
                                      .stroke = draw::Stroke{.paint = color, .width = 2.2},
                                      .tip = std::move(tip)});
}

std::string equation(const RegressionFit& fit, const std::string& regressor) {
  const Straight line = straight(fit);
  const std::string slope = draw::short_text(std::abs(line.slope)) + " " + regressor;
  if (fit.terms.size() == 1) {
    return fit.response + " = " + (line.slope < 0.0 ? "-" : "") + slope;
  }
  return fit.response + " = " + draw::short_text(line.intercept) +
         (line.slope < 0.0 ? " - " : " + ") + slope;
}

void draw_scattered(draw::Layer& layer, const Panel& panel, std::span<const double> x,
                    std::span<const double> y, std::size_t every) {
  constexpr double kOpacity = 0.6;
  std::vector<Point> places;
  for (std::size_t r = 0; r < x.size(); r += every) { places.push_back(panel.at(x[r], y[r])); }
  const double size = places.size() > 2000 ? 3.0 : 5.0;
  layer.marks.emplace_back(
      draw::Symbols{.size = size,
                    .places = std::move(places),
                    .fill = {.paint = draw::Role::muted, .opacity = kOpacity}});
}

void draw_residuals(draw::Layer& layer, const Panel& panel, const LineRows& rows,
                    std::size_t every) {
  draw::Path path{.lines = {},
                  .stroke = draw::Stroke{.paint = kLine, .width = 0.7, .opacity = 0.7}};
  for (std::size_t r = 0; r < rows.rows(); r += every) {
    path.lines.push_back(
        {panel.at(rows.x[r], rows.observed[r]), panel.at(rows.x[r], rows.fitted[r])});
  }
  layer.marks.emplace_back(std::move(path));
}

NamedArray columns_array(std::string name, const std::vector<std::vector<double>>& columns) {
  NamedArray array{std::move(name), {columns.front().size(), columns.size()}, {}};
  for (std::size_t r = 0; r < columns.front().size(); ++r) {
    for (const auto& column : columns) { array.values.push_back(column[r]); }
  }
  return array;
}

/// In the units of the data.
Point right_end(const std::vector<Point>& line) {
  if (line.empty()) { return {}; }
  return line[0].x > line[1].x ? line[0] : line[1];
}

/// Beside the right end of a line, and above or below all of it that is beside the name.
void add_name(std::vector<draw::Label>& labels, const Panel& panel, const std::vector<Point>& line,
              const std::pair<std::string, draw::Color>& name, bool above) {
  constexpr double kGap = 6.0;
  constexpr double kApart = 14.0;
  if (line.empty()) { return; }
  const Point end = right_end(line);
  const Point other = line[0].x > line[1].x ? line[1] : line[0];
  const Point at = panel.at(end.x, end.y);
  const Point from = panel.at(other.x, other.y);
  const double width = draw::kBoldWidth * draw::text_width(name.first) + kGap;
  const double share = at.x > from.x ? std::min(1.0, width / (at.x - from.x)) : 0.0;
  const double behind = at.y + share * (from.y - at.y);  // where the name begins
  labels.push_back({.at = {at.x - kGap, above ? std::min(at.y, behind) - kApart
                                              : std::max(at.y, behind) + kApart},
                    .text = name.first,
                    .paint = name.second,
                    .align = draw::Align::end});
}

/// Beyond both ends of the rows there is nothing to say of the lines.
void draw_pair(Plot& plot, const Rect& room, const FittedLine& line, const LineRows& rows,
               bool with_residuals, std::size_t every) {
  const RegressionFit& fit = line.regression();
  const LinePair& pair = *line.pair();
  const std::string& x_name = pair.x_on_y.response;
  const Panel panel(room, draw::range_of(rows.x), draw::range_of(rows.observed), {.title = x_name},
                    {.title = fit.response});
  const std::vector<Point> first = y_on_x(straight(fit), panel);
  const std::vector<Point> second = x_on_y(straight(pair.x_on_y), panel);
  draw::Layer& layer = panel.layer(plot.drawing, "points");
  if (with_residuals) { draw_residuals(layer, panel, rows, every); }
  draw_scattered(layer, panel, rows.x, rows.observed, every);
  draw::Layer& lines = panel.layer(plot.drawing, "lines");
  draw_line(lines, panel, first, kLine, equation(fit, x_name));
  draw_line(lines, panel, second, kOther, equation(pair.x_on_y, fit.response));
  panel.draw_axes(plot.drawing);
  std::vector<draw::Label> labels;
  const double half = room.width / 2.0;
  const bool above = right_end(first).y >= right_end(second).y;
  add_name(labels, panel, first, {cut(fit.response + " on " + x_name, half), kLine}, above);
  add_name(labels, panel, second, {cut(x_name + " on " + fit.response, half), kOther}, !above);
  draw_labels(plot.drawing.layer("labels"), std::move(labels), panel.area());
  plot.arrays.push_back(columns_array("points", {rows.x, rows.observed}));
  plot.arrays.push_back(points_array("y on x", first));
  plot.arrays.push_back(points_array("x on y", second));
  plot.arrays.push_back({"correlation", {1}, {pair.correlation}});
  plot.arrays.push_back({"angle", {2}, {pair.angle, pair.standard_angle}});
}

/// One of the two pictures of several regressors, with the line that a perfect fit would be on.
void draw_against(draw::Drawing& drawing, const Rect& room, std::span<const double> fitted,
                  std::span<const double> y, const std::string& title, double slope,
                  std::size_t every) {
  const Panel panel(room, draw::range_of(fitted), draw::range_of(y),
                    {.title = "fitted", .ticks = 5}, {.title = title});
  draw_scattered(panel.layer(drawing, "points"), panel, fitted, y, every);
  draw_line(panel.layer(drawing, "lines"), panel, y_on_x({0.0, slope}, panel), kLine,
            slope == 0.0 ? "no residual" : "observed = fitted");
  panel.draw_axes(drawing);
}

void draw_fitted(Plot& plot, const Rect& room, const FittedLine& line, const LineRows& rows,
                 std::size_t every) {
  std::vector<double> differences(rows.rows());
  for (std::size_t r = 0; r < rows.rows(); ++r) { differences[r] = rows.residual(r); }
  const double half = room.width / 2.0 - 8.0;
  draw_against(plot.drawing, {room.x, room.y, half, room.height}, rows.fitted, rows.observed,
               line.regression().response, 1.0, every);
  draw_against(plot.drawing, {room.x + half + 16.0, room.y, half, room.height}, rows.fitted,
               differences, "residual", 0.0, every);
  plot.arrays.push_back(
      columns_array("observed, fitted, residual", {rows.observed, rows.fitted, differences}));
}

std::string title_of(const FittedLine& line) {
  const RegressionFit& fit = line.regression();
  if (line.pair()) { return fit.response + " and " + line.pair()->x_on_y.response; }
  std::vector<std::string> names;
  for (const RegressionTerm& term : fit.terms) {
    const bool intercept =
        &term == &fit.terms.front() && fit.terms.size() > 1 && term.name == "(intercept)";
    if (!intercept) { names.push_back(term.name); }
  }
  return fit.response + " on " + some_names(names, 3);
}

std::string subtitle_of(const FittedLine& line) {
  const RegressionFit& fit = line.regression();
  if (!line.pair()) {
    return "R\xC2\xB2 " + draw::short_text(fit.r_squared) + ", residual deviation " +
           draw::short_text(fit.residual_deviation) + " with " +
           draw::short_text(fit.degrees_of_freedom, 6) + " degrees of freedom";
  }
  const LinePair& pair = *line.pair();
  return "r = " + draw::short_text(pair.correlation) + ", angle between the lines " +
         draw::short_text(pair.angle, 3) + "\xC2\xB0 (" + draw::short_text(pair.standard_angle, 3) +
         "\xC2\xB0 with both columns in units of their deviations)";
}

Plot draw_lines(const PlotInput& input, const Options& options, const PageWish& page,
                const Context& context) {
  const FittedLine& line = line_of(input);
  const LineRows rows = read_lines(input, line, context);
  const std::size_t every = thinning(rows.rows());
  Plot plot{.drawing = new_drawing(page, line.pair() ? 660.0 : 820.0, line.pair() ? 520.0 : 440.0),
            .notes = {},
            .arrays = {}};
  add_left_out(plot.notes, rows.left_out, "a value is missing");
  if (every > 1) { plot.notes.push_back(thinning_note(rows.rows(), every)); }
  std::vector<std::string> foot = plot.notes;
  if (line.pair()) {
    foot.insert(foot.begin(), equation(line.regression(), line.pair()->x_on_y.response) + ";  " +
                                  equation(line.pair()->x_on_y, line.regression().response));
  }
  const Rect room = lay_out(
      plot.drawing,
      {.title = title_or(page, title_of(line)), .subtitle = subtitle_of(line), .notes = foot});
  if (line.pair()) {
    draw_pair(plot, room, line, rows, options.flag("residuals"), every);
  } else {
    draw_fitted(plot, room, line, rows, every);
  }
  return plot;
}

}  // namespace

PlotRecord lines_plot() {
  return {.name = "lines",
          .summary = "least-squares lines: y on x, x on y, their angle; residuals",
          .needs = Needs::rows,
          .options = {{.name = "residuals",
                       .type = OptionType::flag,
                       .default_value = "false",
                       .help = "draw the distance of every row from the line of y on x"}},
          .example = "lines mass.line penguins.csv --residuals -o lines.svg",
          .draw = draw_lines};
}

}  // namespace logodds::plots
