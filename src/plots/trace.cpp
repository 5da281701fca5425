// The course of optimizers: how far the objective is from the best, and the gradient, step by step.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "plots/curve_points.hpp"
#include "plots/plot_options.hpp"
#include "plots/support.hpp"
#include "plots/trace_table.hpp"

namespace logodds::plots {

namespace {

using draw::Path;
using draw::Point;
using draw::Rect;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
/// Left edge of a logarithmic axis of steps, where step 0 stands.
constexpr double kFirstStep = 0.5;
constexpr double kTickRoom = 46.0;

/// One line: a positive number at every step, NaN for none.
struct Course {
  std::string name;
  std::vector<double> steps;
  std::vector<double> values;
  std::string tip;
};

/// The best value of each objective, over all traces that have it.
std::map<std::string, double> best_values(const std::vector<TraceTable>& traces) {
  std::map<std::string, double> best;
  for (const TraceTable& trace : traces) {
    for (const double value : trace.values) {
      if (std::isnan(value)) { continue; }
      const auto [at, is_new] = best.emplace(trace.objective, value);
      if (!is_new) {
        at->second = trace.rises ? std::max(at->second, value) : std::min(at->second, value);
      }
    }
  }
  return best;
}

std::string course_tip(const TraceTable& trace) {
  const auto last = std::ranges::find_if(trace.values.rbegin(), trace.values.rend(),
                                         [](double value) { return !std::isnan(value); });
  std::string tip = trace.name + ": " + draw::short_text(trace.steps.back(), 8) + " " + trace.step +
                    (trace.steps.back() == 1.0 ? "" : "s") + ", " + trace.objective + " " +
                    (last == trace.values.rend() ? "none" : draw::short_text(*last, 8));
  if (!trace.gradient.empty()) {
    tip += ", gradient norm " + draw::short_text(trace.gradient.back(), 3);
  }
  return tip;
}

/// |objective - best|, with NaN where it is the best.
Course distance_course(const TraceTable& trace, double best) {
  Course course{trace.name, trace.steps, {}, course_tip(trace)};
  for (const double value : trace.values) {
    const double distance = std::abs(value - best);
    course.values.push_back(distance > 0.0 ? distance : value == best ? 0.0 : kNaN);
  }
  return course;
}

/// Powers of ten around the positive values; nothing positive: 0.1 to 1.
draw::Range log_range(const std::vector<Course>& courses) {
  double low = std::numeric_limits<double>::infinity();
  double high = 0.0;
  for (const Course& course : courses) {
    for (const double value : course.values) {
      if (!(value > 0.0) || !std::isfinite(value)) { continue; }
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (!(high > 0.0)) { return {0.1, 1.0}; }
  constexpr double kMost = std::numeric_limits<double>::max() / 4.0;  // ends stay finite
  high = std::min(high, kMost);
  // A point at the best itself, and beyond what doubles tell apart, stands at the lower edge.
  low = std::clamp(low, 1e-18 * high, high);
  return {std::max(low / 2.0, std::numeric_limits<double>::denorm_min()), high * 2.0};
}

/// Steps that differ much in number are drawn on a logarithmic axis.
bool long_and_short(const std::vector<TraceTable>& traces) {
  constexpr double kRatio = 30.0;
  double least = std::numeric_limits<double>::infinity();
  double most = 0.0;
  for (const TraceTable& trace : traces) {
    least = std::min(least, std::max(1.0, trace.steps.back()));
    most = std::max(most, trace.steps.back());
  }
  return most > kRatio * least;
}

std::vector<std::vector<Point>> lines_of(const Course& course, const draw::Panel& panel,
                                         bool logarithmic) {
  std::vector<std::vector<Point>> lines(1);
  for (std::size_t i = 0; i < course.steps.size(); ++i) {
    if (std::isnan(course.values[i])) {
      if (!lines.back().empty()) { lines.emplace_back(); }
      continue;
    }
    const double step = logarithmic ? std::max(course.steps[i], kFirstStep) : course.steps[i];
    const draw::Range& y = panel.y().range();
    lines.back().push_back({step, std::clamp(course.values[i], y.low, y.high)});
  }
  if (lines.back().empty()) { lines.pop_back(); }
  for (std::vector<Point>& line : lines) { line = values_on_page(panel, thinned(panel, line)); }
  return lines;
}

struct TraceAxes {
  draw::Range steps;
  bool logarithmic = false;
  std::string title;
};

void draw_courses(Plot& plot, const std::vector<Course>& courses, const Rect& room,
                  const TraceAxes& axes, const std::string& y_title, bool lowest) {
  constexpr double kGap = 6.0;
  constexpr double kRounding = 0.01;  // of widths, on the page
  double names = 0.0;
  for (const Course& course : courses) { names = std::max(names, draw::text_width(course.name)); }
  names = std::min(draw::kBoldWidth * names + 2.0 * kGap, room.width / 4.0);
  const draw::Panel panel({room.x, room.y, room.width - names, room.height}, axes.steps,
                          log_range(courses),
                          {.title = lowest ? axes.title : "",
                           .logarithmic = axes.logarithmic,
                           .labels = lowest,
                           .grid = true},
                          {.title = y_title, .logarithmic = true, .room = kTickRoom, .grid = true});
  panel.draw_grid(plot.drawing);
  std::vector<draw::Label> labels;
  for (std::size_t i = 0; i < courses.size(); ++i) {
    const std::vector<std::vector<Point>> lines = lines_of(courses[i], panel, axes.logarithmic);
    if (lines.empty()) { continue; }
    draw::Layer& layer = panel.layer(plot.drawing, "courses");
    layer.marks.emplace_back(
        Path{.lines = lines,
             .stroke = draw::Stroke{.paint = draw::class_color(i), .width = 1.8},
             .tip = courses[i].tip});
    const Point end = lines.back().back();
    plot.drawing.layer("ends").marks.emplace_back(
        draw::Symbols{.places = {end}, .fill = {.paint = draw::class_color(i)}});
    labels.push_back(
        {{end.x + kGap, end.y},
         draw::cut_to(courses[i].name, (names - 2.0 * kGap) / draw::kBoldWidth + kRounding),
         draw::class_color(i)});
  }
  panel.draw_axes(plot.drawing);
  Rect beside = panel.area();
  beside.width += names;
  draw_labels(plot.drawing.layer("names"), std::move(labels), beside);
}

/// "log-likelihood - best" is "best - log-likelihood".
std::string distance_title(const std::vector<TraceTable>& traces) {
  const TraceTable& first = traces.front();
  for (const TraceTable& trace : traces) {
    if (trace.objective != first.objective) { return "distance from the best"; }
  }
  return first.rises ? "best - " + first.objective : first.objective + " - best";
}

std::string subtitle_of(const std::map<std::string, double>& best) {
  std::string text;
  for (const auto& [name, value] : best) {
    text += (text.empty() ? "best " : "; best ") + name + " " + draw::short_text(value, 8);
  }
  return text;
}

std::vector<TraceTable> read_all(const PlotInput& input) {
  const std::vector<std::string> names = short_names(input.tables);
  std::vector<TraceTable> traces;
  for (std::size_t i = 0; i < names.size(); ++i) {
    traces.push_back(read_trace(input.tables[i].first, names[i]));
  }
  return traces;
}

void add_arrays(Plot& plot, const std::vector<TraceTable>& traces) {
  for (const TraceTable& trace : traces) {
    const auto add = [&](const std::string& what, const std::vector<double>& values) {
      NamedArray array{trace.name + " " + what, {trace.steps.size(), 2}, {}};
      for (std::size_t i = 0; i < values.size(); ++i) {
        array.values.insert(array.values.end(), {trace.steps[i], values[i]});
      }
      plot.arrays.push_back(std::move(array));
    };
    add(trace.objective, trace.values);
    if (!trace.gradient.empty()) { add("gradient norm", trace.gradient); }
  }
}

Plot draw_trace(const PlotInput& input, const Options& /*options*/, const PageWish& page,
                const Context& /*context*/) {
  const std::vector<TraceTable> traces = read_all(input);
  const std::map<std::string, double> best = best_values(traces);
  std::vector<Course> distances;
  std::vector<Course> gradients;
  TraceAxes axes{
      .steps = {0.0, 1.0}, .logarithmic = long_and_short(traces), .title = traces.front().step};
  for (const TraceTable& trace : traces) {
    const auto own = best.find(trace.objective);
    distances.push_back(distance_course(trace, own == best.end() ? kNaN : own->second));
    gradients.push_back({trace.name, trace.steps, trace.gradient, course_tip(trace)});
    gradients.back().values.resize(trace.steps.size(), kNaN);
    axes.steps.high = std::max(axes.steps.high, trace.steps.back());
  }
  if (axes.logarithmic) { axes.steps.low = kFirstStep; }
  Plot plot{.drawing = {}, .notes = {}, .arrays = {}};
  const bool with_gradients =
      std::ranges::any_of(traces, [](const TraceTable& one) { return !one.gradient.empty(); });
  plot.drawing = new_drawing(page, 680.0, with_gradients ? 620.0 : 420.0);
  std::vector<std::string> foot;
  if (axes.logarithmic) {
    foot.push_back("The axis of " + axes.title +
                   "s is logarithmic; number 0 stands at its left end.");
  }
  const Rect room = lay_out(
      plot.drawing,
      {.title = title_or(page, "Course of the fit"), .subtitle = subtitle_of(best), .notes = foot});
  const double split = with_gradients ? 0.48 * room.height : room.height;
  draw_courses(plot, distances, {room.x, room.y, room.width, split}, axes, distance_title(traces),
               !with_gradients);
  if (with_gradients) {
    draw_courses(plot, gradients,
                 {room.x, room.y + split + 8.0, room.width, room.height - split - 8.0}, axes,
                 "norm of the gradient", true);
  }
  add_arrays(plot, traces);
  return plot;
}

}  // namespace

PlotRecord trace_plot() {
  return {.name = "trace",
          .summary = "objective and gradient step by step, of one or more files that --trace wrote",
          .needs = Needs::tables,
          .options = {},
          .example = "trace lbfgs.csv newton.csv -o trace.svg",
          .draw = draw_trace};
}

}  // namespace logodds::plots
