// How often what has probability p comes true: the reliability curve, and how often p occurs.
#include <algorithm>

#include "logodds/error.hpp"
#include "plots/measuring.hpp"
#include "plots/plot_options.hpp"

namespace logodds::plots {

namespace {

using draw::Path;
using draw::Point;
using draw::Rect;
using measure::CalibrationBin;
using measure::Estimate;

constexpr draw::Color kDecisions{0x00, 0x72, 0xB2};
constexpr double kShareOfCurve = 0.74;
constexpr double kTickRoom = 32.0;  ///< "100 %": both panels alike

struct CalibrationPicture {
  const measure::Calibration& curve;
  double level;
  draw::Color color;
  std::string event;  ///< "the decision is right", "setosa is true"

  [[nodiscard]] double weight() const {
    double sum = 0.0;
    for (const CalibrationBin& bin : curve.bins()) { sum += bin.weight; }
    return sum;
  }
  [[nodiscard]] std::string edges(std::size_t b) const {
    const double width = 1.0 / static_cast<double>(curve.bins().size());
    return draw::short_text(curve.lower_edge(b)) + " to " +
           draw::short_text(curve.lower_edge(b) + width);
  }
};

std::vector<draw::Tick> percent_ticks() {
  std::vector<draw::Tick> ticks;
  for (const double share : {0.0, 0.2, 0.4, 0.6, 0.8, 1.0}) {
    ticks.push_back({share, draw::percent(share, 0)});
  }
  return ticks;
}

void draw_reliability(draw::Drawing& drawing, const CalibrationPicture& picture, const Rect& room) {
  const draw::Panel panel(
      room, {0.0, 1.0}, {0.0, 1.0}, {.labels = false, .grid = true},
      {.title = "came true", .room = kTickRoom, .grid = true, .named = percent_ticks()});
  panel.draw_grid(drawing);
  draw::Layer& layer = panel.layer(drawing, "curve");
  layer.marks.emplace_back(
      Path{.lines = {{panel.at(0.0, 0.0), panel.at(1.0, 1.0)}},
           .stroke = draw::Stroke{.paint = draw::Role::muted, .dash = {4.0, 4.0}},
           .tip = "posteriors that hold what they say"});
  Path bars{.lines = {}, .stroke = draw::Stroke{.paint = picture.color, .width = 1.5}};
  std::vector<Point> line;
  draw::Symbols points{.size = 8.0,
                       .places = {},
                       .fill = {.paint = picture.color},
                       .outline = draw::Stroke{.paint = draw::Role::paper, .width = 1.0}};
  for (std::size_t b = 0; b < picture.curve.bins().size(); ++b) {
    const CalibrationBin& bin = picture.curve.bins()[b];
    if (!(bin.weight > 0.0)) { continue; }
    const Estimate share = measure::bin_share(bin, picture.level);
    const double x = bin.mean_probability();
    line.push_back(panel.at(x, share.value));
    bars.lines.push_back({panel.at(x, share.lower), panel.at(x, share.upper)});
    points.tips.push_back("posterior " + picture.edges(b) + ", on average " +
                          draw::short_text(x, 3) + ": " + picture.event + " in " +
                          share_text(share) + " of " + grouped(bin.rows) + " rows");
  }
  points.places = line;
  layer.marks.emplace_back(std::move(bars));
  layer.marks.emplace_back(
      Path{.lines = {std::move(line)},
           .stroke = draw::Stroke{.paint = picture.color, .width = 1.5, .opacity = 0.6}});
  panel.draw_axes(drawing);
  drawing.layer("points").marks.emplace_back(std::move(points));
}

void draw_histogram(draw::Drawing& drawing, const CalibrationPicture& picture, const Rect& room,
                    const std::string& x_title) {
  const double all = picture.weight();
  double most = 0.0;
  for (const CalibrationBin& bin : picture.curve.bins()) { most = std::max(most, bin.weight); }
  const draw::Range shares{0.0, 1.05 * most / all};
  std::vector<draw::Tick> ticks = draw::Scale(shares, 0.0, 1.0).ticks(3);
  for (draw::Tick& tick : ticks) { tick.text = draw::short_text(100.0 * tick.value, 3) + " %"; }
  const draw::Panel panel(room, {0.0, 1.0}, shares, {.title = x_title},
                          {.title = "rows", .room = kTickRoom, .named = ticks});
  draw::Layer& layer = panel.layer(drawing, "histogram");
  const double width = 1.0 / static_cast<double>(picture.curve.bins().size());
  for (std::size_t b = 0; b < picture.curve.bins().size(); ++b) {
    const CalibrationBin& bin = picture.curve.bins()[b];
    if (!(bin.weight > 0.0)) { continue; }
    const double left = picture.curve.lower_edge(b);
    const double share = bin.weight / all;
    layer.marks.emplace_back(
        Path{.lines = {{panel.at(left, 0.0), panel.at(left, share), panel.at(left + width, share),
                        panel.at(left + width, 0.0)}},
             .closed = true,
             .fill = draw::Fill{.paint = picture.color, .opacity = 0.5},
             .stroke = draw::Stroke{.paint = draw::Role::paper, .width = 1.0},
             .tip = "posterior " + picture.edges(b) + ": " + grouped(bin.rows) + " rows, " +
                    draw::percent(share)});
  }
  panel.draw_axes(drawing);
}

NamedArray bins_array(const CalibrationPicture& picture) {
  NamedArray array{"bins", {0, 6}, {}};
  for (const CalibrationBin& bin : picture.curve.bins()) {
    if (!(bin.weight > 0.0)) { continue; }
    const Estimate share = measure::bin_share(bin, picture.level);
    ++array.shape[0];
    array.values.insert(array.values.end(),
                        {bin.mean_probability(), share.value, share.lower, share.upper, bin.weight,
                         static_cast<double>(bin.rows)});
  }
  return array;
}

Plot draw_calibration(const PlotInput& input, const Options& options, const PageWish& page,
                      const Context& context) {
  const Classifier& model = classifier_of(input, "calibration");
  const auto chosen = chosen_class(options, model);
  const auto bins = static_cast<std::size_t>(options.integer("bins"));
  const auto evaluation = evaluate_rows(input, model, context, {.bins = bins, .rows = true});
  const measure::Measures& measures = evaluation->measures;
  const double level = options.real("level");
  const measure::Report report = measure::report(measures, {.level = level}, context);
  const std::string name = chosen ? model.labels()[*chosen] : "";
  const CalibrationPicture picture{
      .curve = chosen ? measures.calibration(*chosen) : measures.decision_calibration(),
      .level = level,
      .color = chosen ? draw::class_color(*chosen) : kDecisions,
      .event = chosen ? "'" + name + "' is true" : "the decision is right"};
  const Estimate& error =
      chosen ? report.classes[*chosen].calibration_error : report.calibration_error;
  Plot plot{.drawing = new_drawing(page, 560.0, 640.0), .notes = {}, .arrays = {}};
  add_row_notes(plot.notes, evaluation->report);
  std::vector<std::string> foot{"Bars: " + draw::percent(level, 0) +
                                " intervals, exact (Clopper & Pearson). Dashed: posteriors that "
                                "hold what they say."};
  foot.insert(foot.end(), plot.notes.begin(), plot.notes.end());
  const Rect room =
      lay_out(plot.drawing, {.title = title_or(page, "Calibration, " + model_title(model)),
                             .subtitle = grouped(measures.rows()) +
                                         " rows; expected calibration error " + share_text(error),
                             .notes = foot});
  const double split = kShareOfCurve * room.height;
  draw_reliability(plot.drawing, picture, {room.x, room.y, room.width, split - 4.0});
  draw_histogram(plot.drawing, picture,
                 {room.x, room.y + split + 4.0, room.width, room.height - split - 4.0},
                 chosen ? "posterior of " + draw::cut_to(name, 0.6 * room.width)
                        : "posterior of the decision");
  plot.arrays.push_back(bins_array(picture));
  plot.arrays.push_back({"calibration error", {3}, {error.value, error.lower, error.upper}});
  return plot;
}

}  // namespace

PlotRecord calibration_plot() {
  return {.name = "calibration",
          .summary =
              "how often what has probability p comes true, with intervals, and how often p "
              "occurs",
          .needs = Needs::labels,
          .options = {class_option(), bins_option(), level_option()},
          .example = "calibration penguins.model held_out.csv -o calibration.svg",
          .draw = draw_calibration};
}

}  // namespace logodds::plots
