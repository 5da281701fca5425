#include "plots/ranking_curves.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "logodds/draw/simplify.hpp"
#include "logodds/error.hpp"
#include "measure/class_scores.hpp"
#include "measure/ranked_rows.hpp"
#include "plots/measuring.hpp"
#include "plots/plot_options.hpp"

namespace logodds::plots {

namespace {

using draw::Path;
using draw::Point;
using draw::Rect;
using draw::Text;
using measure::Estimate;

/// Of more classes, those ranked worst have a color and a name.
constexpr std::size_t kMostNamed = 8;
constexpr draw::Color kGray{0x99, 0x99, 0x99};
/// Points at which the band is computed, besides those of the curve.
constexpr std::size_t kBandPoints = 200;

struct Curve {
  std::vector<RankedPart> parts;  ///< of the rows above each threshold, from the highest on
  RankedPart all;
};

Curve curve_of(const measure::Scores& scores, const Context& context) {
  const measure::RankedRows rows(scores, context.threads);
  Curve curve;
  RankedPart part;
  rows.each_score([&](const measure::TiedRows& tied) {
    part.positives += tied.positives;
    part.negatives += tied.negatives;
    part.positive_squares += tied.positive_squares;
    part.negative_squares += tied.negative_squares;
    curve.parts.push_back(part);
  });
  curve.all = curve.parts.back();
  return curve;
}

/// The points of the line, in the units of the data.
std::vector<Point> line_of(const RankingKind& kind, const Curve& curve) {
  std::vector<Point> line;
  line.reserve((kind.steps ? 2 : 1) * curve.parts.size() + 1);
  line.push_back({0.0, kind.steps ? kind.y(curve.parts.front(), curve.all) : 0.0});
  for (const RankedPart& part : curve.parts) {
    const Point to{kind.x(part, curve.all), kind.y(part, curve.all)};
    if (kind.steps) { line.push_back({line.back().x, to.y}); }
    line.push_back(to);
  }
  return line;
}

struct RankingPicture {
  const RankingKind& kind;
  const Classifier& model;
  const Evaluation& evaluation;
  const measure::Report& report;
  double level;
  Plot& plot;

  [[nodiscard]] const Estimate& area(std::size_t k) const {
    return report.classes[k].*kind.estimate;
  }
  /// Where the decisions stand among the thresholds.
  [[nodiscard]] Point decided(std::size_t k, const RankedPart& all) const {
    const std::size_t classes = model.labels().size();
    const std::vector<double>& counts = evaluation.measures.confusion();
    RankedPart part;
    for (std::size_t truth = 0; truth < classes; ++truth) {
      (truth == k ? part.positives : part.negatives) += counts[truth * classes + k];
    }
    return {kind.x(part, all), kind.y(part, all)};
  }
};

void draw_band(RankingPicture& picture, const draw::Panel& panel, const Curve& curve,
               std::size_t k) {
  const std::vector<Point> page = [&] {
    std::vector<Point> points;
    for (const RankedPart& part : curve.parts) {
      points.push_back({picture.kind.x(part, curve.all), picture.kind.y(part, curve.all)});
    }
    return on_page(panel, std::move(points));
  }();
  std::vector<std::size_t> places = draw::kept_points(page);
  const std::size_t stride = std::max<std::size_t>(1, curve.parts.size() / kBandPoints);
  for (std::size_t i = 0; i < curve.parts.size(); i += stride) { places.push_back(i); }
  std::ranges::sort(places);
  places.erase(std::ranges::unique(places).begin(), places.end());
  NamedArray array{"band " + picture.model.labels()[k], {places.size(), 3}, {}};
  std::vector<Point> upper;
  std::vector<Point> lower;
  for (const std::size_t i : places) {
    const double x = picture.kind.x(curve.parts[i], curve.all);
    const Estimate y = picture.kind.y_interval(curve.parts[i], curve.all, picture.level);
    upper.push_back(panel.at(x, y.upper));
    lower.push_back(panel.at(x, y.lower));
    array.values.insert(array.values.end(), {x, y.lower, y.upper});
  }
  upper.insert(upper.end(), lower.rbegin(), lower.rend());
  panel.layer(picture.plot.drawing, "band")
      .marks.emplace_back(Path{.lines = {std::move(upper)},
                               .closed = true,
                               .fill = draw::Fill{.paint = draw::class_color(k), .opacity = 0.18}});
  picture.plot.arrays.push_back(std::move(array));
}

void draw_chance(RankingPicture& picture, const draw::Panel& panel, const RankedPart& all,
                 draw::Paint paint) {
  const auto [begin, end] = picture.kind.chance(all);
  panel.layer(picture.plot.drawing, "chance")
      .marks.emplace_back(Path{.lines = {{panel.at(0.0, begin), panel.at(1.0, end)}},
                               .stroke = draw::Stroke{.paint = paint, .dash = {4.0, 4.0}},
                               .tip = "a score that tells nothing"});
}

void draw_curve(RankingPicture& picture, const draw::Panel& panel, const Curve& curve,
                std::size_t k, bool named) {
  const draw::Color color = named ? draw::class_color(k) : kGray;
  const std::vector<Point> line = thinned(panel, line_of(picture.kind, curve));
  const std::string& label = picture.model.labels()[k];
  draw::Layer& layer = panel.layer(picture.plot.drawing, "curves");
  layer.marks.emplace_back(
      Path{.lines = {on_page(panel, line)},
           .stroke = draw::Stroke{.paint = color, .width = named ? 2.0 : 0.8},
           .tip = label + ": " + picture.kind.area + " " + estimate_text(picture.area(k))});
  picture.plot.arrays.push_back(points_array("curve " + label, line));
  const Point at = picture.decided(k, curve.all);
  picture.plot.arrays.push_back(points_array("decisions " + label, {at}));
  if (!named || std::isnan(at.y)) { return; }
  picture.plot.drawing.layer("decisions")
      .marks.emplace_back(draw::Symbols{
          .size = 9.0,
          .places = {panel.at(at.x, at.y)},
          .fill = {.paint = color},
          .outline = draw::Stroke{.paint = draw::Role::paper, .width = 1.5},
          .tips = {label + ", as it is decided: " + picture.kind.x_title + " " +
                   draw::percent(at.x) + ", " + picture.kind.y_title + " " + draw::percent(at.y)}});
}

/// Names and areas below each other, in the corner where there are no curves.
void draw_names(RankingPicture& picture, const Rect& area, const std::vector<std::size_t>& named) {
  constexpr double kRow = 18.0;
  constexpr double kSample = 16.0;
  const std::string heading =
      picture.kind.area + " (" + draw::percent(picture.level, 0) + " interval)";
  double width = draw::text_width(heading);
  std::vector<std::string> texts;
  for (const std::size_t k : named) {
    const std::string numbers = estimate_text(picture.area(k));
    const double room = 0.6 * area.width - draw::text_width(numbers);
    texts.push_back(draw::cut_to(picture.model.labels()[k], std::max(40.0, room)) + "  " + numbers);
    width = std::max(width, kSample + 6.0 + draw::text_width(texts.back()));
  }
  const double x = picture.kind.keys_left ? area.x + 14.0 : area.right() - width - 10.0;
  double y = area.bottom() - 14.0 - kRow * static_cast<double>(texts.size());
  draw::Layer& layer = picture.plot.drawing.layer("names");
  layer.marks.emplace_back(Text{.at = {x, y},
                                .text = heading,
                                .baseline = draw::Baseline::middle,
                                .paint = draw::Role::muted,
                                .halo = true});
  for (std::size_t i = 0; i < named.size(); ++i) {
    y += kRow;
    layer.marks.emplace_back(
        Path{.lines = {{{x, y}, {x + kSample, y}}},
             .stroke = draw::Stroke{.paint = draw::class_color(named[i]), .width = 3.0}});
    layer.marks.emplace_back(Text{.at = {x + kSample + 6.0, y},
                                  .text = texts[i],
                                  .baseline = draw::Baseline::middle,
                                  .halo = true});
  }
}

/// The classes that have a curve: rows of their own, and others.
std::vector<std::size_t> drawn_classes(const RankingPicture& picture, const Options& options) {
  const std::vector<std::string>& labels = picture.model.labels();
  const auto chosen = chosen_class(options, picture.model);
  std::vector<std::size_t> classes;
  if (chosen || labels.size() == 2) {
    classes.push_back(chosen.value_or(1));
  } else {
    classes.resize(labels.size());
    std::iota(classes.begin(), classes.end(), std::size_t{0});
  }
  std::erase_if(classes, [&](std::size_t k) { return std::isnan(picture.area(k).value); });
  if (classes.empty()) {
    throw Error(ErrorCode::input, "plot " + picture.kind.name + " compares " +
                                      (chosen ? "the rows of '" + labels[*chosen] + "' with others"
                                              : "rows of classes") +
                                      ", and the rows are all of one kind; give rows of both");
  }
  return classes;
}

/// The worst first; ties in the order of labels.
std::vector<std::size_t> worst(const RankingPicture& picture, std::vector<std::size_t> classes) {
  std::ranges::stable_sort(classes, {}, [&](std::size_t k) { return picture.area(k).value; });
  if (classes.size() > kMostNamed) { classes.resize(kMostNamed); }
  return classes;
}

void draw_curves(RankingPicture& picture, const draw::Panel& panel,
                 const std::vector<std::size_t>& classes, const std::vector<std::size_t>& named,
                 const Context& context) {
  measure::ClassScores scores(kept_rows(picture.evaluation, picture.kind.name));
  const auto is_named = [&](std::size_t k) { return std::ranges::count(named, k) > 0; };
  for (const bool with_name : {false, true}) {  // names on top
    for (const std::size_t k : classes) {
      if (is_named(k) != with_name) { continue; }
      const Curve curve = curve_of(scores.of_class(k), context);
      if (classes.size() == 1) { draw_band(picture, panel, curve, k); }
      const bool diagonal = picture.kind.chance(curve.all).second == 1.0;
      if (with_name && !(diagonal && k != named.front())) {
        draw_chance(picture, panel, curve.all,
                    diagonal || classes.size() == 1 ? draw::Paint(draw::Role::muted)
                                                    : draw::Paint(draw::class_color(k)));
      }
      draw_curve(picture, panel, curve, k, with_name);
    }
  }
}

std::string subtitle_of(const RankingPicture& picture, const std::vector<std::size_t>& classes) {
  const std::string rows = grouped(picture.evaluation.measures.rows()) + " rows; ";
  if (classes.size() == 1) {
    return rows + "'" + picture.model.labels()[classes.front()] +
           "' against the rest, by its posterior";
  }
  return rows + "each class against the rest, by its posterior";
}

}  // namespace

std::vector<OptionSpec> ranking_options() {
  return {class_option(), cost_option(), thresholds_option(), level_option()};
}

Plot draw_ranking(const RankingKind& kind, const PlotInput& input, const Options& options,
                  const PageWish& page, const Context& context) {
  const Classifier& model = classifier_of(input, kind.name);
  const Deciding deciding = chosen_deciding(options, model);
  const auto known = evaluate_rows(input, model, context, {.rows = true}, deciding);
  const Evaluation& evaluation = *known;
  static_cast<void>(kept_rows(evaluation, kind.name));
  const double level = options.real("level");
  const measure::Report report = measure::report(evaluation.measures, {.level = level}, context);
  Plot plot{.drawing = new_drawing(page, 560.0, 600.0), .notes = {}, .arrays = {}};
  RankingPicture picture{kind, model, evaluation, report, level, plot};
  const std::vector<std::size_t> classes = drawn_classes(picture, options);
  const std::vector<std::size_t> named = worst(picture, classes);
  add_row_notes(plot.notes, evaluation.report);
  if (classes.size() > named.size()) {
    plot.notes.push_back("of " + grouped(classes.size()) + " classes the " +
                         std::to_string(named.size()) + " with the least " + kind.area +
                         " are named");
  }
  std::vector<std::string> foot{"Dots: decisions " + deciding.words +
                                ". Dashed: a score that tells nothing."};
  if (classes.size() == 1) {
    foot.push_back("Band: " + draw::percent(level, 0) + " interval of the " + kind.band +
                   " at each threshold, exact (Clopper & Pearson).");
  }
  foot.insert(foot.end(), plot.notes.begin(), plot.notes.end());
  const Rect room =
      lay_out(plot.drawing, {.title = title_or(page, kind.title + ", " + model_title(model)),
                             .subtitle = subtitle_of(picture, classes),
                             .notes = foot});
  const draw::Panel panel(room, {0.0, 1.0}, {0.0, 1.0}, {.title = kind.x_title, .grid = true},
                          {.title = kind.y_title, .grid = true});
  panel.draw_grid(plot.drawing);
  draw_curves(picture, panel, classes, named, context);
  panel.draw_axes(plot.drawing);
  draw_names(picture, panel.area(), named);
  NamedArray areas{kind.area, {classes.size(), 3}, {}};
  for (const std::size_t k : classes) {
    const Estimate& area = picture.area(k);
    areas.values.insert(areas.values.end(), {area.value, area.lower, area.upper});
  }
  plot.arrays.push_back(std::move(areas));
  return plot;
}

}  // namespace logodds::plots
