// Mean cost of decisions against the threshold of a class: what it came to, and what the posteriors
// expect.
#include <algorithm>
#include <cmath>
#include <limits>

#include "logodds/decide/costs_text.hpp"
#include "logodds/error.hpp"
#include "plots/cost_curve.hpp"
#include "plots/curve_points.hpp"
#include "plots/measuring.hpp"
#include "plots/plot_options.hpp"

namespace logodds::plots {

namespace {

using draw::Path;
using draw::Point;

constexpr draw::Color kRealized = draw::kBlue;
constexpr draw::Color kExpected = draw::kVermilion;

/// A line of steps, from threshold 1 to 0, of what `value` takes from each.
std::vector<Point> step_line(const CostCurve& curve, const auto& value) {
  std::vector<Point> line;
  line.reserve(2 * curve.steps.size());
  for (const CostStep& step : curve.steps) {
    line.push_back({step.high, value(step)});
    line.push_back({step.low, value(step)});
  }
  return line;
}

double realized(const CostStep& step) { return step.realized.value; }
double expected(const CostStep& step) { return step.expected; }
/// The value itself where there is no interval.
double lower(const CostStep& step) {
  return std::isnan(step.realized.lower) ? step.realized.value : step.realized.lower;
}
double upper(const CostStep& step) {
  return std::isnan(step.realized.upper) ? step.realized.value : step.realized.upper;
}

/// Where to be wrong in one way costs much more than at the best threshold, a linear axis shows
/// nothing but that.
bool wide(const CostCurve& curve) {
  constexpr double kRatio = 30.0;
  double least = std::numeric_limits<double>::infinity();
  double most = 0.0;
  for (const CostStep& step : curve.steps) {
    least = std::min({least, step.realized.value, step.expected});
    most = std::max({most, step.realized.value, step.expected});
  }
  return least > 0.0 && std::isfinite(most) && most > kRatio * least;
}

/// Of a logarithmic axis: lower ends of intervals may be at 0 and below, which it does not have.
draw::Range wide_range(const CostCurve& curve) {
  constexpr double kMargin = 1.5;
  draw::Range range{std::numeric_limits<double>::infinity(), 0.0};
  for (const CostStep& step : curve.steps) {
    range.low = std::min({range.low, step.realized.value, step.expected});
    range.high = std::max({range.high, upper(step), step.expected});
  }
  return {range.low / kMargin, range.high * kMargin};
}

draw::Range cost_range(const CostCurve& curve) {
  if (wide(curve)) { return wide_range(curve); }
  std::vector<double> values{0.0};
  for (const CostStep& step : curve.steps) {
    values.insert(values.end(), {lower(step), upper(step), step.expected});
  }
  draw::Range range = draw::range_of(values, 0.06);
  if (*std::ranges::min_element(values) >= 0.0) { range.low = 0.0; }
  return range;
}

void draw_lines(Plot& plot, const draw::Panel& panel, const CostCurve& curve) {
  const double least =
      panel.y().logarithmic() ? panel.y().range().low : -std::numeric_limits<double>::infinity();
  const std::vector<Point> low = thinned(
      panel, step_line(curve, [&](const CostStep& step) { return std::max(least, lower(step)); }));
  const std::vector<Point> high = thinned(panel, step_line(curve, upper));
  std::vector<Point> band = values_on_page(panel, high);
  const std::vector<Point> back = values_on_page(panel, low);
  band.insert(band.end(), back.rbegin(), back.rend());
  draw::Layer& layer = panel.layer(plot.drawing, "curves");
  layer.marks.emplace_back(Path{.lines = {std::move(band)},
                                .closed = true,
                                .fill = draw::Fill{.paint = kRealized, .opacity = 0.15}});
  const std::vector<Point> by_posteriors = thinned(panel, step_line(curve, expected));
  const std::vector<Point> by_truth = thinned(panel, step_line(curve, realized));
  layer.marks.emplace_back(
      Path{.lines = {values_on_page(panel, by_posteriors)},
           .stroke = draw::Stroke{.paint = kExpected, .width = 1.5, .dash = {5.0, 3.0}},
           .tip = "mean cost that the posteriors expect"});
  layer.marks.emplace_back(Path{.lines = {values_on_page(panel, by_truth)},
                                .stroke = draw::Stroke{.paint = kRealized, .width = 2.0},
                                .tip = "mean cost that it came to"});
  plot.arrays.push_back(points_array("realized", by_truth));
  plot.arrays.push_back(points_array("expected", by_posteriors));
  plot.arrays.push_back(points_array("lower", low));
  plot.arrays.push_back(points_array("upper", high));
}

void draw_mark(draw::Drawing& drawing, const draw::Panel& panel, double threshold,
               const std::string& text, std::size_t row) {
  const double x = panel.x().place(threshold);
  const bool left = x > panel.area().middle();
  draw::Layer& layer = drawing.layer("thresholds");
  layer.marks.emplace_back(
      Path{.lines = {{{x, panel.area().y}, {x, panel.area().bottom()}}},
           .stroke = draw::Stroke{.paint = draw::Role::muted, .dash = {2.0, 3.0}}});
  drawing.layer("names of thresholds")
      .marks.emplace_back(draw::Text{
          .at = {x + (left ? -6.0 : 6.0), panel.area().y + 10.0 + 16.0 * static_cast<double>(row)},
          .text = text,
          .align = left ? draw::Align::end : draw::Align::start,
          .baseline = draw::Baseline::middle,
          .halo = true});
}

void draw_marks(Plot& plot, const draw::Panel& panel, const CostCurve& curve,
                const std::optional<double>& ideal) {
  std::size_t row = 0;
  if (curve.cheapest) {
    const decide::ThresholdChoice& best = *curve.cheapest;
    draw_mark(plot.drawing, panel, best.threshold,
              "cheapest: from " + draw::short_text(best.threshold, 3) + " on, cost " +
                  draw::short_text(best.cost, 3),
              row++);
    plot.drawing.layer("cheapest")
        .marks.emplace_back(
            draw::Symbols{.size = 9.0,
                          .places = {panel.at(best.threshold, best.cost)},
                          .fill = {.paint = kRealized},
                          .outline = draw::Stroke{.paint = draw::Role::paper, .width = 1.5},
                          .tips = {"threshold " + draw::short_text(best.threshold) +
                                   ", mean cost " + draw::short_text(best.cost)}});
    plot.arrays.push_back({"cheapest", {2}, {best.threshold, best.cost}});
  }
  if (ideal) {
    draw_mark(plot.drawing, panel, *ideal,
              "if posteriors are right: " + draw::short_text(*ideal, 3), row);
    plot.arrays.push_back({"ideal", {1}, {*ideal}});
  }
}

std::size_t class_of(const Options& options, const Classifier& model) {
  if (const auto chosen = chosen_class(options, model)) { return *chosen; }
  if (model.labels().size() == 2) { return 1; }
  throw Error(ErrorCode::usage, "plot cost moves the threshold of one class, and the model has " +
                                    std::to_string(model.labels().size()) +
                                    "; say which by --class, as in --class " +
                                    model.labels().front());
}

Plot draw_cost(const PlotInput& input, const Options& options, const PageWish& page,
               const Context& context) {
  const Classifier& model = classifier_of(input, "cost");
  if (model.labels().size() < 2) {
    throw Error(ErrorCode::usage, "plot cost compares decisions, and the model has one class only");
  }
  const std::size_t label = class_of(options, model);
  const bool priced = !options.text("cost").empty();
  const decide::Costs costs =
      priced ? decide::costs_of(options.text("cost"), model.labels(), "option --cost")
             : decide::Costs::zero_one(model.labels().size());
  const auto evaluation = evaluate_rows(input, model, context, {.rows = true});
  const double level = options.real("level");
  const CostCurve curve = cost_curve(kept_rows(*evaluation, "cost"), costs, label, level);
  const std::string& name = model.labels()[label];
  Plot plot{.drawing = new_drawing(page, 640.0, 480.0), .notes = {}, .arrays = {}};
  add_row_notes(plot.notes, evaluation->report);
  if (!curve.cheapest) {
    plot.notes.push_back("it is cheapest never to decide for '" + name + "'");
  }
  if (costs.can_reject()) {
    plot.notes.emplace_back("rows that are not decided have a cost, but a threshold decides all");
  }
  std::vector<std::string> foot{"Band: " + draw::percent(level, 0) +
                                " interval of the mean, by Student's law."};
  if (wide(curve)) { foot.emplace_back("The axis of costs is logarithmic."); }
  foot.insert(foot.end(), plot.notes.begin(), plot.notes.end());
  const draw::Rect page_room =
      lay_out(plot.drawing,
              {.title = title_or(page, "Cost of decisions, " + model_title(model)),
               .subtitle = grouped(evaluation->measures.rows()) + " rows; " +
                           (priced ? "costs: " + options.text("cost") : "every error costs 1"),
               .notes = foot});
  const draw::Rect room =
      draw_keys(plot.drawing,
                {{"what it came to", kRealized}, {"what posteriors expect", kExpected}}, page_room);
  const draw::Panel panel(
      room, {0.0, 1.0}, cost_range(curve),
      {.title = "posterior from which '" + draw::cut_to(name, 0.4 * room.width) + "' is decided"},
      {.title = priced ? "mean cost" : "error rate", .logarithmic = wide(curve), .grid = true});
  panel.draw_grid(plot.drawing);
  draw_lines(plot, panel, curve);
  panel.draw_axes(plot.drawing);
  draw_marks(plot, panel, curve, ideal_threshold(costs, label));
  return plot;
}

}  // namespace

PlotRecord cost_plot() {
  return {.name = "cost",
          .summary = "mean cost of decisions against the threshold of a class, with its interval",
          .needs = Needs::labels,
          .options = {class_option(), cost_option(), level_option()},
          .example = "cost spam.model held_out.csv --cost ham:spam=10,spam:ham=1 -o cost.svg",
          .draw = draw_cost};
}

}  // namespace logodds::plots
