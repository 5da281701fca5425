// Densities times priors along one column, where decisions between them err, and how often.
#include <algorithm>
#include <cmath>

#include "logodds/error.hpp"
#include "logodds/models/adjusted.hpp"
#include "models/lists.hpp"
#include "plots/class_marks.hpp"
#include "plots/curve_points.hpp"
#include "plots/measuring.hpp"
#include "plots/overlap_areas.hpp"
#include "plots/overlap_boundaries.hpp"
#include "plots/plot_options.hpp"

namespace logodds::plots {

namespace {

using draw::Path;
using draw::Point;
using draw::Rect;
using draw::Text;

constexpr std::size_t kMostClasses = 12;
/// Of more columns the one to draw is not looked for.
constexpr std::size_t kMostColumns = 40;

std::string probability_text(double p) { return draw::short_text(100.0 * p, 3) + " %"; }

const Classifier& checked_model(const PlotInput& input, const Options& options) {
  const Classifier& model = classifier_of(input, "overlap");
  if (model.generative() == nullptr) {
    throw Error(ErrorCode::usage, "plot overlap draws densities, which a model of the family " +
                                      model.family() +
                                      " has not; plot posterior draws its posteriors, or train "
                                      "--model gaussian");
  }
  const std::size_t classes = model.labels().size();
  if (classes < 2 || classes > kMostClasses) {
    throw Error(ErrorCode::usage, "plot overlap draws 2 to " + std::to_string(kMostClasses) +
                                      " classes, and the model has " + std::to_string(classes) +
                                      "; 'logodds error' tells how often they are confused");
  }
  if (model.schema().numeric_count() == 0) {
    throw Error(ErrorCode::usage,
                "plot overlap draws along a column of numbers, and the model has none; plot words "
                "or plot evidence show what others say");
  }
  if (!options.text("threshold").empty() && classes != 2) {
    throw Error(ErrorCode::usage,
                "option --threshold: a threshold decides between two classes, and the model has " +
                    std::to_string(classes) + "; leave the option out");
  }
  return model;
}

std::vector<std::string> number_columns(const Schema& schema) {
  std::vector<std::string> names;
  for (const Column& column : schema.columns) {
    if (column.number()) { names.push_back(column.name); }
  }
  return names;
}

/// The column that --x names, else the one by which alone rows are confused least.
std::size_t chosen_column(const Classifier& model, const std::string& name,
                          std::vector<std::string>& notes) {
  const std::vector<std::string> names = number_columns(model.schema());
  if (!name.empty()) {
    const auto found = std::ranges::find(names, name);
    if (found != names.end()) { return static_cast<std::size_t>(found - names.begin()); }
    throw Error(ErrorCode::usage, "option --x: there is no column of numbers '" + name + "'" +
                                      did_you_mean(name, names));
  }
  if (names.size() == 1) { return 0; }
  if (names.size() > kMostColumns) {
    throw Error(ErrorCode::usage, "plot overlap draws along one column, and the model has " +
                                      std::to_string(names.size()) + "; name one by --x");
  }
  std::size_t best = 0;
  double least = 2.0;
  for (std::size_t c = 0; c < names.size(); ++c) {
    const Marginal marginal(model, c);
    const double error = best_rule(model, c, profile_of(marginal)).error;
    if (error < least) {
      least = error;
      best = c;
    }
  }
  notes.push_back("of " + std::to_string(names.size()) + " columns " + names[best] +
                  " alone confuses classes least, and is drawn; --x takes another");
  return best;
}

struct OverlapPicture {
  const Classifier& model;
  const Marginal& marginal;
  const Profile& profile;
  const OverlapRule& best;
  const OverlapRule& shown;  ///< that of the threshold, where there is one
  std::optional<double> threshold;

  [[nodiscard]] const std::string& label(std::size_t k) const { return model.labels()[k]; }
  [[nodiscard]] std::string area_text(std::size_t k) const {
    const std::string other = model.labels().size() == 2 ? "as " + label(1 - k) : "otherwise";
    return label(k) + " decided " + other + ": " + probability_text(shown.probabilities[k]);
  }
};

/// The largest density in view. One that a needle of almost no probability reaches is cut where the
/// other classes would not be seen beside it, and true is said.
std::pair<double, bool> highest(const OverlapPicture& picture) {
  constexpr double kNeedle = 60.0;  // of 1 / width: what the whole probability of a 60th would have
  constexpr double kSeen = 20.0;    // times as low, a peak is still seen
  const draw::Range& view = picture.marginal.view();
  std::vector<double> peaks(picture.profile.classes, 0.0);
  for (std::size_t i = 0; i < picture.profile.x.size(); ++i) {
    if (!view.contains(picture.profile.x[i])) { continue; }
    for (std::size_t k = 0; k < peaks.size(); ++k) {
      peaks[k] = std::max(peaks[k], picture.profile.at(i, k));
    }
  }
  const double most = std::ranges::max(peaks);
  std::erase(peaks, 0.0);
  const double lowest = peaks.empty() ? 0.0 : std::ranges::min(peaks);
  const double cap = std::max(kNeedle / view.size(), kSeen * lowest);
  return most > cap ? std::pair{cap, true} : std::pair{most, false};
}

std::vector<Point> curve_of(const Profile& profile, std::size_t k) {
  std::vector<Point> line;
  line.reserve(profile.x.size());
  for (std::size_t i = 0; i < profile.x.size(); ++i) {
    line.push_back({profile.x[i], profile.at(i, k)});
  }
  return line;
}

/// Outlines whose points lie in the room that is drawn: what is far outside has no place on a page.
std::vector<Point> within(std::vector<Point> points, const draw::Range& x, double top) {
  for (Point& point : points) {
    point = {std::clamp(point.x, x.low - x.size(), x.high + x.size()),
             std::min(point.y, 4.0 * top)};
  }
  return points;
}

void draw_areas(Plot& plot, const OverlapPicture& picture, const draw::Panel& panel, double top) {
  for (std::size_t k = 0; k < picture.profile.classes; ++k) {
    const std::vector<Point> outline = error_area(picture.profile, picture.shown, k);
    plot.arrays.push_back(points_array("area " + std::to_string(k + 1), outline));
    if (outline.empty()) { continue; }
    const std::vector<Point> line = thinned(panel, within(outline, panel.x().range(), top));
    panel.layer(plot.drawing, "areas")
        .marks.emplace_back(Path{.lines = {values_on_page(panel, line)},
                                 .closed = true,
                                 .fill = draw::Fill{.paint = draw::class_color(k), .opacity = 0.35},
                                 .tip = std::to_string(k + 1) + ": " + picture.area_text(k)});
  }
}

void draw_curves(Plot& plot, const OverlapPicture& picture, const draw::Panel& panel, double top) {
  std::vector<draw::Label> labels;
  for (std::size_t k = 0; k < picture.profile.classes; ++k) {
    const std::vector<Point> line =
        thinned(panel, within(curve_of(picture.profile, k), panel.x().range(), top));
    panel.layer(plot.drawing, "densities")
        .marks.emplace_back(
            Path{.lines = {values_on_page(panel, line)},
                 .stroke = draw::Stroke{.paint = draw::class_color(k), .width = 2.0},
                 .tip = picture.label(k)});
    plot.arrays.push_back(points_array("density " + picture.label(k), line));
    Point peak{panel.x().range().low, -1.0};
    for (const Point& point : line) {
      if (panel.x().range().contains(point.x) && point.y > peak.y) { peak = point; }
    }
    const Point at = panel.at(peak.x, std::min(peak.y, panel.y().range().high));
    const std::string name = draw::cut_to(picture.label(k), panel.area().width / 3.0);
    const double half = draw::text_width(name) / 2.0 + 4.0;
    labels.push_back({{kept_inside(at.x, half, panel.area()), at.y - 10.0},
                      name,
                      draw::class_color(k),
                      draw::Align::middle});
  }
  draw_labels(plot.drawing.layer("names"), std::move(labels), panel.area());
}

/// The number of an area, where it is largest: inside if there is room, else above with a line.
void draw_number(draw::Drawing& drawing, const OverlapPicture& picture, const draw::Panel& panel,
                 std::size_t k) {
  constexpr double kInside = 18.0;
  const Profile& profile = picture.profile;
  std::size_t place = profile.x.size();
  double most = 0.0;
  for (std::size_t i = 0; i + 1 < profile.x.size(); ++i) {
    if (picture.shown.decided[i] == k || !panel.x().range().contains(profile.x[i])) { continue; }
    if (profile.at(i, k) > most) {
      most = profile.at(i, k);
      place = i;
    }
  }
  if (place == profile.x.size()) { return; }
  // Half as high as at its highest it is still inside, and away from the boundary.
  std::size_t inner = place;
  const auto inside = [&](std::size_t i) {
    return i + 1 < profile.x.size() && picture.shown.decided[i] != k &&
           profile.at(i, k) > 0.5 * most;
  };
  while (inside(inner + 1)) { ++inner; }
  if (inner == place) {
    while (inner > 0 && inside(inner - 1)) { --inner; }
  }
  const Point at = panel.at(0.5 * profile.x[place] + 0.5 * profile.x[inner], 0.0);
  const double height = at.y - panel.at(0.0, profile.at(inner, k)).y;
  const bool fits = height > kInside;
  const Point text{at.x, fits ? at.y - 0.5 * height : at.y - height - 26.0};
  draw::Layer& layer = drawing.layer("numbers");
  if (!fits) {
    layer.marks.emplace_back(Path{.lines = {{{at.x, at.y - 0.5 * height}, {text.x, text.y + 8.0}}},
                                  .stroke = draw::Stroke{.paint = draw::Role::muted}});
  }
  layer.marks.emplace_back(Text{.at = text,
                                .text = std::to_string(k + 1),
                                .size = 13.0,
                                .align = draw::Align::middle,
                                .baseline = draw::Baseline::middle,
                                .bold = true,
                                .halo = true});
}

/// A strip along the axis in the color of the class that is decided.
void draw_strip(draw::Drawing& drawing, const OverlapPicture& picture, const draw::Panel& panel) {
  constexpr double kHeight = 5.0;
  const Profile& profile = picture.profile;
  draw::Layer& layer = panel.layer(drawing, "decided");
  for (std::size_t i = 0; i + 1 < profile.x.size();) {
    const std::size_t k = picture.shown.decided[i];
    std::size_t end = i;
    while (end + 1 < profile.x.size() && picture.shown.decided[end] == k) { ++end; }
    const draw::Range& range = panel.x().range();
    const double from = panel.x().place(std::max(profile.x[i], range.low));
    const double to = panel.x().place(std::min(profile.x[end], range.high));
    if (to > from) {
      const double y = panel.area().bottom();
      layer.marks.emplace_back(
          Path{.lines = {{{from, y - kHeight}, {to, y - kHeight}, {to, y}, {from, y}}},
               .closed = true,
               .fill = draw::Fill{.paint = draw::class_color(k)},
               .tip = picture.label(k) + " is decided"});
    }
    i = end;
  }
}

/// The areas by number, in words, at the top of the room; returns what is left of it.
Rect draw_list(draw::Drawing& drawing, const OverlapPicture& picture, const Rect& room) {
  constexpr double kRow = 18.0;
  constexpr double kSign = 11.0;
  draw::Layer& layer = drawing.layer("list");
  double y = room.y + kRow / 2.0;
  for (std::size_t k = 0; k < picture.profile.classes; ++k, y += kRow) {
    layer.marks.emplace_back(
        draw::Symbols{.shape = draw::Shape::square,
                      .size = kSign,
                      .places = {{room.x + kSign / 2.0, y}},
                      .fill = {.paint = draw::class_color(k), .opacity = 0.5}});
    layer.marks.emplace_back(Text{.at = {room.x + kSign + 6.0, y},
                                  .text = std::to_string(k + 1),
                                  .baseline = draw::Baseline::middle,
                                  .bold = true});
    layer.marks.emplace_back(Text{.at = {room.x + kSign + 6.0 + draw::text_width("12 "), y},
                                  .text = draw::cut_to(picture.area_text(k), room.width - 40.0),
                                  .baseline = draw::Baseline::middle});
  }
  const double used = y - kRow / 2.0 + 4.0 - room.y;
  return {room.x, room.y + used, room.width, std::max(1.0, room.height - used)};
}

std::string subtitle_of(const OverlapPicture& picture) {
  std::string text = "probability of an error " + probability_text(picture.best.error);
  const std::vector<double>& ends = picture.profile.boundaries;
  if (ends.size() == 1) { text += " at the optimal threshold " + draw::short_text(ends[0], 5); }
  if (picture.threshold) {
    text += ", " + probability_text(picture.shown.error) + " at the given " +
            draw::short_text(*picture.threshold, 5);
  }
  return text;
}

void draw_all(Plot& plot, const OverlapPicture& picture, const std::string& column,
              const Rect& room) {
  const auto [top, cut] = highest(picture);
  const draw::Range view =
      picture.threshold
          ? draw::joined(picture.marginal.view(), {*picture.threshold, *picture.threshold})
          : picture.marginal.view();
  const std::vector<OverlapBoundary> boundaries =
      boundaries_of(picture.profile, picture.threshold, view);
  const auto panel_to = [&](double most) {
    return draw::Panel(room, view, {0.0, most}, {.title = column},
                       {.title = picture.marginal.whole_numbers() ? "P(x, class)" : "p(x, class)"});
  };
  const draw::Panel first = panel_to(top > 0.0 ? 1.18 * top : 1.0);
  const draw::Panel panel = panel_to(first.y().range().high * above_curves(first, boundaries));
  draw_areas(plot, picture, panel, panel.y().range().high);
  draw_curves(plot, picture, panel, panel.y().range().high);
  draw_strip(plot.drawing, picture, panel);
  panel.draw_axes(plot.drawing);
  draw_boundaries(plot.drawing, panel, boundaries);
  for (std::size_t k = 0; k < picture.profile.classes; ++k) {
    draw_number(plot.drawing, picture, panel, k);
  }
}

std::optional<double> given_threshold(const Options& options) {
  const std::string& text = options.text("threshold");
  if (text.empty()) { return {}; }
  if (const auto value = parse_number(text)) { return value; }
  throw Error(ErrorCode::usage, "option --threshold: '" + text + "' is not a finite number");
}

/// What calibration and thresholds make of the picture.
void add_adjustment_notes(const Classifier& model, std::vector<std::string>& notes) {
  const Adjustments* const adjustments = adjustments_of(model);
  if (adjustments == nullptr) { return; }
  if (adjustments->calibration != nullptr) {
    notes.emplace_back(
        "the model is calibrated: curves are its posteriors times p(x), and errors are theirs, not "
        "those of the densities alone, which logodds error tells");
  }
  if (!adjustments->thresholds.empty()) {
    notes.emplace_back(
        "thresholds that the model keeps are left aside: this is the largest posterior; plot "
        "regions shows what is decided by them");
  }
}

Plot draw_overlap(const PlotInput& input, const Options& options, const PageWish& page,
                  const Context& /*context*/) {
  const Classifier& model = checked_model(input, options);
  const std::optional<double> threshold = given_threshold(options);
  Plot plot{.drawing = {}, .notes = {}, .arrays = {}};
  const std::size_t column = chosen_column(model, options.text("x"), plot.notes);
  const std::string name = number_columns(model.schema())[column];
  const Marginal marginal(model, column);
  const Profile profile =
      profile_of(marginal, threshold ? std::vector<double>{*threshold} : std::vector<double>{});
  const OverlapRule best = best_rule(model, column, profile);
  const OverlapRule shown =
      threshold ? threshold_rule(model, column, profile, *threshold, marginal.whole_numbers())
                : best;
  const OverlapPicture picture{model, marginal, profile, best, shown, threshold};
  if (highest(picture).second || profile.unbounded) {
    plot.notes.emplace_back("a density is higher than the picture, or infinite, and is cut off");
  }
  add_adjustment_notes(model, plot.notes);
  constexpr double kUnseen = 1e-6;
  if (const double outside = probability_outside(profile);
      marginal.whole_numbers() && outside > kUnseen) {
    plot.notes.push_back("counts above " + draw::short_text(std::floor(profile.x.back()), 7) +
                         ", which have probability " + probability_text(outside) +
                         ", are left out of the areas");
  }
  plot.drawing = new_drawing(page, 680.0, 440.0 + 18.0 * static_cast<double>(profile.classes));
  std::vector<std::string> foot{
      "Curves: density times prior of each class. Shaded and numbered: where another class is "
      "decided. Strip at the axis: what is decided."};
  foot.insert(foot.end(), plot.notes.begin(), plot.notes.end());
  const Rect room = lay_out(
      plot.drawing, {.title = title_or(page, "Overlap along " + name + ", " + model_title(model)),
                     .subtitle = subtitle_of(picture),
                     .notes = foot});
  draw_all(plot, picture, name, draw_list(plot.drawing, picture, room));
  plot.arrays.push_back({"boundaries", {profile.boundaries.size()}, profile.boundaries});
  plot.arrays.push_back({"probabilities", {shown.probabilities.size()}, shown.probabilities});
  plot.arrays.push_back({"error", {1}, {shown.error}});
  plot.arrays.push_back({"optimal error", {1}, {best.error}});
  return plot;
}

}  // namespace

PlotRecord overlap_plot() {
  return {.name = "overlap",
          .summary =
              "densities times priors along one column, the threshold, and the areas of the "
              "errors",
          .needs = Needs::nothing,
          .options = {x_option(),
                      {.name = "threshold",
                       .type = OptionType::text,
                       .default_value = "",
                       .help = "another rule between two classes: that of the smaller mean below "
                               "this number",
                       .form = "X"}},
          .example = "overlap geyser.model --threshold 3 -o overlap.svg",
          .draw = draw_overlap};
}

}  // namespace logodds::plots
