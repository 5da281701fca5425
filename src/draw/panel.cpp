#include "logodds/draw/panel.hpp"

#include <algorithm>
#include <cmath>

namespace logodds::draw {

namespace {

constexpr double kTickSize = 11.0;
constexpr double kTickLength = 4.0;
constexpr double kTitleRoom = 18.0;
constexpr double kLabelRoom = 18.0;

std::vector<Tick> ticks_of(const Scale& scale, const AxisStyle& style) {
  return style.named.empty() ? scale.ticks(style.ticks) : style.named;
}

double widest(const std::vector<Tick>& ticks, double least) {
  double width = least;
  for (const Tick& tick : ticks) { width = std::max(width, text_width(tick.text, kTickSize)); }
  return width;
}

Rect area_of(const Rect& outside, const AxisStyle& x, const AxisStyle& y,
             const std::vector<Tick>& y_ticks) {
  const double left = (y.title.empty() ? 0.0 : kTitleRoom) +
                      (y.labels ? widest(y_ticks, y.room) + kTickLength + 4.0 : 2.0);
  const double below =
      (x.title.empty() ? 0.0 : kTitleRoom) + (x.labels ? kLabelRoom + kTickLength : 2.0);
  // Half of the last number: without numbers, too, so that panels below each other align.
  constexpr double kRight = 10.0;
  return {outside.x + left, outside.y + 4.0, std::max(1.0, outside.width - left - kRight),
          std::max(1.0, outside.height - below - 4.0)};
}

Path line(Point from, Point to, Role role, double width = 1.0) {
  return {.lines = {{from, to}}, .stroke = Stroke{.paint = role, .width = width}};
}

/// Texts that would touch the one before are left out.
std::vector<Tick> apart(const std::vector<Tick>& ticks, const Scale& scale) {
  std::vector<Tick> kept;
  for (const Tick& tick : ticks) {
    const double room =
        kept.empty() ? 1e9 : std::abs(scale.place(tick.value) - scale.place(kept.back().value));
    const double needed =
        kept.empty()
            ? 0.0
            : (text_width(tick.text, kTickSize) + text_width(kept.back().text, kTickSize)) / 2.0 +
                  4.0;
    if (room >= needed) { kept.push_back(tick); }
  }
  return kept;
}

}  // namespace

Panel::Panel(const Rect& outside, Range x, Range y, AxisStyle x_style, AxisStyle y_style)
    : x_style_(std::move(x_style)),
      y_style_(std::move(y_style)),
      y_ticks_(ticks_of(Scale(y, 1.0, 0.0, y_style_.logarithmic), y_style_)),
      area_(area_of(outside, x_style_, y_style_, y_ticks_)),
      x_(x, area_.x, area_.right(), x_style_.logarithmic),
      y_(y, area_.bottom(), area_.y, y_style_.logarithmic) {}

void Panel::place(const Rect& area) {
  area_ = area;
  x_ = Scale(x_.range(), area_.x, area_.right(), x_style_.logarithmic);
  y_ = Scale(y_.range(), area_.bottom(), area_.y, y_style_.logarithmic);
}

Panel Panel::filling(const Rect& area, Range x, Range y, AxisStyle x_style, AxisStyle y_style) {
  Panel panel(area, x, y, std::move(x_style), std::move(y_style));
  panel.place(area);
  return panel;
}

std::vector<Point> Panel::curve(std::span<const double> x, std::span<const double> y) const {
  std::vector<Point> points(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) { points[i] = at(x[i], y[i]); }
  return points;
}

void Panel::draw_grid(Drawing& drawing) const {
  Layer& layer = drawing.layer("grid");
  if (x_style_.grid) {
    for (const Tick& tick : ticks_of(x_, x_style_)) {
      const double x = x_.place(tick.value);
      layer.marks.emplace_back(line({x, area_.y}, {x, area_.bottom()}, Role::grid));
    }
  }
  if (y_style_.grid) {
    for (const Tick& tick : y_ticks_) {
      const double y = y_.place(tick.value);
      layer.marks.emplace_back(line({area_.x, y}, {area_.right(), y}, Role::grid));
    }
  }
}

void Panel::draw_axes(Drawing& drawing) const {
  Layer& layer = drawing.layer("axes");
  layer.marks.emplace_back(
      line({area_.x, area_.bottom()}, {area_.right(), area_.bottom()}, Role::ink));
  layer.marks.emplace_back(line({area_.x, area_.y}, {area_.x, area_.bottom()}, Role::ink));
  double below = area_.bottom();
  if (x_style_.labels) {
    for (const Tick& tick : apart(ticks_of(x_, x_style_), x_)) {
      const double x = x_.place(tick.value);
      layer.marks.emplace_back(
          line({x, area_.bottom()}, {x, area_.bottom() + kTickLength}, Role::ink));
      layer.marks.emplace_back(Text{.at = {x, area_.bottom() + kTickLength + 3.0},
                                    .text = tick.text,
                                    .size = kTickSize,
                                    .align = Align::middle,
                                    .baseline = Baseline::hanging,
                                    .paint = Role::muted});
    }
    below += kTickLength + kLabelRoom;
  }
  double left = area_.x;
  if (y_style_.labels) {
    for (const Tick& tick : y_ticks_) {
      const double y = y_.place(tick.value);
      layer.marks.emplace_back(line({area_.x - kTickLength, y}, {area_.x, y}, Role::ink));
      layer.marks.emplace_back(Text{.at = {area_.x - kTickLength - 3.0, y},
                                    .text = tick.text,
                                    .size = kTickSize,
                                    .align = Align::end,
                                    .baseline = Baseline::middle,
                                    .paint = Role::muted});
    }
    left -= kTickLength + 4.0 + widest(y_ticks_, y_style_.room);
  }
  if (!x_style_.title.empty()) {
    layer.marks.emplace_back(Text{.at = {area_.middle(), below + 3.0},
                                  .text = x_style_.title,
                                  .align = Align::middle,
                                  .baseline = Baseline::hanging});
  }
  if (!y_style_.title.empty()) {
    layer.marks.emplace_back(Text{.at = {left - 6.0, area_.y + area_.height / 2.0},
                                  .text = y_style_.title,
                                  .align = Align::middle,
                                  .turn = -90.0});
  }
}

}  // namespace logodds::draw
