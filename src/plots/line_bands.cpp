#include "plots/line_bands.hpp"

#include <algorithm>
#include <cmath>

#include "plots/plane_points.hpp"
#include "plots/region_marks.hpp"

namespace logodds::plots {

namespace {

constexpr std::size_t kCurvePoints = 401;
constexpr std::size_t kCells = 1000;
constexpr std::size_t kMostNamed = 12;
constexpr double kFloor = -0.32;  // the rows lie between this and 0
constexpr double kGap = 0.03;

draw::Path band(const draw::Panel& panel, double from, double to, std::size_t k) {
  const double left = panel.x().place(from);
  const double right = panel.x().place(to);
  const double top = panel.area().y;
  const double bottom = panel.y().place(0.0);
  return {.lines = {{{left, top}, {right, top}, {right, bottom}, {left, bottom}}},
          .closed = true,
          .fill = draw::Fill{.paint = draw::tint(draw::class_color(k), 0.22)}};
}

class Bands {
 public:
  Bands(const Classifier& model, const Plane& line, const PlaneRows& rows, const Context& context)
      : labels_(model.labels()), line_(line), rows_(rows), on_line_(model, line, context) {
    found_ = draw::intervals(on_line_.decisions(), kCells);
    std::vector<draw::Point> points(kCurvePoints);
    for (std::size_t i = 0; i < kCurvePoints; ++i) {
      points[i] = line.value({static_cast<double>(i) / (kCurvePoints - 1), 0.0});
      x_.push_back(points[i].x);
    }
    posteriors_.resize(kCurvePoints * labels_.size());
    on_line_.posteriors(points, posteriors_);
  }

  [[nodiscard]] std::string subtitle() const {
    const std::size_t wrong = wrong_rows(rows_);
    std::string text = "P(class | " + line_.x_name + ")";
    if (rows_.given && rows_.truths) {
      text += "; " + grouped(wrong) + " of " + grouped(rows_.rows.rows) +
              " rows are decided wrongly" + (wrong > 0 ? ", with a black rim" : "");
    }
    return text;
  }
  [[nodiscard]] std::vector<std::string> notes() const {
    return plane_notes(line_, on_line_, rows_);
  }

  void draw(draw::Drawing& drawing, const draw::Rect& room) const {
    std::vector<draw::Tick> ticks;
    for (const double p : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      ticks.push_back({p, draw::short_text(p)});
    }
    const draw::Panel panel(room, line_.x, {rows_.given ? kFloor : -0.01, 1.03},
                            {.title = line_.x_name}, {.title = "posterior", .named = ticks});
    draw_bands(drawing, panel);
    draw_curves(drawing, panel);
    if (rows_.given) { draw_rows(drawing, panel); }
    panel.draw_axes(drawing);
  }

  void add_arrays(Plot& plot) const {
    NamedArray boundaries{"boundaries", {found_.changes.size()}, {}};
    for (const draw::Change& change : found_.changes) {
      boundaries.values.push_back(line_.value({change.at, 0.0}).x);
    }
    plot.arrays.push_back(std::move(boundaries));
    const std::size_t classes = labels_.size();
    NamedArray curves{"posteriors", {kCurvePoints, 1 + classes}, {}};
    for (std::size_t i = 0; i < kCurvePoints; ++i) {
      curves.values.push_back(x_[i]);
      for (std::size_t k = 0; k < classes; ++k) {
        curves.values.push_back(posteriors_[i * classes + k]);
      }
    }
    plot.arrays.push_back(std::move(curves));
  }

 private:
  void draw_bands(draw::Drawing& drawing, const draw::Panel& panel) const {
    draw::Layer& layer = panel.layer(drawing, "regions");
    double from = line_.x.low;
    auto label = static_cast<std::size_t>(found_.first);
    for (std::size_t i = 0; i <= found_.changes.size(); ++i) {
      const bool last = i == found_.changes.size();
      const double to = last ? line_.x.high : line_.value({found_.changes[i].at, 0.0}).x;
      if (label < labels_.size()) { layer.marks.emplace_back(band(panel, from, to, label)); }
      if (!last) { label = static_cast<std::size_t>(found_.changes[i].after); }
      from = to;
    }
    draw_boundaries(drawing, panel);
  }

  void draw_boundaries(draw::Drawing& drawing, const draw::Panel& panel) const {
    draw::Layer& layer = panel.layer(drawing, "boundaries");
    std::vector<draw::Label> values;
    for (const draw::Change& change : found_.changes) {
      const double value = line_.value({change.at, 0.0}).x;
      const double x = panel.x().place(value);
      layer.marks.emplace_back(
          draw::Path{.lines = {{{x, panel.area().y}, {x, panel.area().bottom()}}},
                     .stroke = draw::Stroke{.paint = draw::Color{0x33, 0x33, 0x33}, .width = 1.4},
                     .tip = "boundary at " + draw::short_text(value, 6)});
      const bool left = x > panel.area().right() - 60.0;
      values.push_back({{x + (left ? -4.0 : 4.0), panel.area().y + 10.0},
                        draw::short_text(value, 4),
                        draw::Role::ink,
                        left ? draw::Align::end : draw::Align::start});
    }
    if (values.size() <= kMostNamed) {
      draw::draw_labels(layer, std::move(values), panel.area(), 11.0);
    }
  }

  void draw_curves(draw::Drawing& drawing, const draw::Panel& panel) const {
    const std::size_t classes = labels_.size();
    draw::Layer& layer = panel.layer(drawing, "posteriors");
    std::vector<draw::Label> names;
    for (std::size_t k = 0; k < classes; ++k) {
      std::vector<double> p(kCurvePoints);
      for (std::size_t i = 0; i < kCurvePoints; ++i) { p[i] = posteriors_[i * classes + k]; }
      layer.marks.emplace_back(
          draw::Path{.lines = {panel.curve(x_, p)},
                     .stroke = draw::Stroke{.paint = draw::class_color(k), .width = 2.2},
                     .tip = labels_[k]});
      names.push_back(name_at_top(panel, p, k));
    }
    if (classes <= kMostNamed) {
      draw::draw_labels(panel.layer(drawing, "names"), std::move(names), panel.area());
    }
  }

  /// In the middle of where the curve is as high as it gets.
  [[nodiscard]] draw::Label name_at_top(const draw::Panel& panel, const std::vector<double>& p,
                                        std::size_t k) const {
    const double top = *std::ranges::max_element(p);
    std::vector<std::size_t> high;
    for (std::size_t i = 0; i < p.size(); ++i) {
      if (p[i] >= 0.98 * top) { high.push_back(i); }
    }
    const std::size_t at = high.empty() ? 0 : high[high.size() / 2];
    draw::Point place = panel.at(x_[at], top);
    place.y += 26.0;
    const std::string name = cut(labels_[k], 150.0);
    place.x = kept_inside(place.x, draw::text_width(name) / 2.0 + 4.0, panel.area());
    return {place, name, name_color(k), draw::Align::middle};
  }

  void draw_rows(draw::Drawing& drawing, const draw::Panel& panel) const {
    const std::size_t every = thinning(rows_.rows.rows);
    const auto classes = static_cast<double>(labels_.size());
    draw::Layer& layer = panel.layer(drawing, "points");
    std::vector<draw::Symbols> marks;
    for (std::size_t k = 0; k < 2 * labels_.size(); ++k) {
      const bool wrong = k >= labels_.size();
      marks.push_back({.shape = draw::Shape::circle,
                       .size = 4.0,
                       .places = {},
                       .fill = {.paint = draw::class_color(k % labels_.size()), .opacity = 0.7}});
      if (wrong) { marks.back().outline = draw::Stroke{.paint = draw::Color{}, .width = 1.2}; }
    }
    for (std::size_t r = 0; r < rows_.rows.rows; r += every) {
      const double x = line_.project(rows_.rows.numbers.data() + r * line_.origin.size()).x;
      if (!std::isfinite(x) || rows_.classes[r] < 0) { continue; }
      const auto k = static_cast<std::size_t>(rows_.classes[r]);
      double whole = 0.0;  // places between neighbors, by the golden section
      const double spread = std::modf(static_cast<double>(r) * 0.6180339887498949, &whole);
      const double slot = (static_cast<double>(k) + 0.15 + 0.7 * spread) / classes;
      const bool wrong = is_wrong(rows_, r);
      marks[k + (wrong ? labels_.size() : 0)].places.push_back(
          panel.at(x, -kGap + slot * (kFloor + 2.0 * kGap)));
    }
    for (draw::Symbols& mark : marks) {
      if (!mark.places.empty()) { layer.marks.emplace_back(std::move(mark)); }
    }
  }

  const std::vector<std::string>& labels_;
  const Plane& line_;
  const PlaneRows& rows_;
  PlaneModel on_line_;
  draw::Intervals found_;
  std::vector<double> x_;
  std::vector<double> posteriors_;
};

}  // namespace

Plot draw_bands(const Classifier& model, const Plane& line, const PlaneRows& rows,
                const std::string& title, const PageWish& page, const Context& context) {
  Plot plot{.drawing = new_drawing(page, 680.0, 460.0), .notes = {}, .arrays = {}};
  const Bands bands(model, line, rows, context);
  add_point_notes(plot.notes, line, rows);
  std::vector<std::string> foot = bands.notes();
  foot.insert(foot.begin(), plot.notes.begin(), plot.notes.end());
  const draw::Rect room = lay_out(
      plot.drawing, {.title = title_or(page, title), .subtitle = bands.subtitle(), .notes = foot});
  bands.draw(plot.drawing, room);
  bands.add_arrays(plot);
  return plot;
}

}  // namespace logodds::plots
