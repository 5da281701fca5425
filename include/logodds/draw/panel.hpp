// A rectangle of the page with an x and a y axis, and the text around it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "logodds/draw/drawing.hpp"
#include "logodds/draw/scale.hpp"

namespace logodds::draw {

/// What stands around the content of a picture.
struct PageText {
  std::string title;
  std::string subtitle{};            ///< smaller, below it
  std::vector<std::string> notes{};  ///< at the foot: what the reader should know
};

/// Puts the text on the page, in a layer of its own, and returns the room that is left. Sets the
/// title of the drawing, too; its description, unless it has one, becomes the subtitle.
[[nodiscard]] Rect lay_out(Drawing& drawing, const PageText& text);

/// How an axis is drawn.
struct AxisStyle {
  std::string title{};  ///< a column's name, with its unit
  bool logarithmic = false;
  std::size_t ticks = 6;  ///< about so many
  bool labels = true;     ///< numbers at the ticks
  /// Of a y axis: at least so wide for these numbers, so that panels below each other align.
  double room = 0.0;
  bool grid = false;
  /// Instead of round numbers: these, at their values.
  std::vector<Tick> named{};
};

class Panel {
 public:
  /// Makes room for ticks and titles inside of `outside`; the rest, area(), is for the marks.
  Panel(const Rect& outside, Range x, Range y, AxisStyle x_style = {}, AxisStyle y_style = {});
  /// One of several that stand in a grid: the marks fill `area`, ticks and titles are around it.
  [[nodiscard]] static Panel filling(const Rect& area, Range x, Range y, AxisStyle x_style = {},
                                     AxisStyle y_style = {});

  [[nodiscard]] const Rect& area() const { return area_; }
  [[nodiscard]] const Scale& x() const { return x_; }
  [[nodiscard]] const Scale& y() const { return y_; }
  [[nodiscard]] Point at(double x, double y) const { return {x_.place(x), y_.place(y)}; }
  /// The points of a curve, x and y of one length.
  [[nodiscard]] std::vector<Point> curve(std::span<const double> x,
                                         std::span<const double> y) const;

  /// A layer that ends at the edges of the area.
  Layer& layer(Drawing& drawing, std::string name) const {
    return drawing.layer(std::move(name), area_);
  }
  /// Grid lines, below what is drawn after it.
  void draw_grid(Drawing& drawing) const;
  /// Axes, ticks and titles: after the marks, so that they are on top.
  void draw_axes(Drawing& drawing) const;

 private:
  void place(const Rect& area);

  AxisStyle x_style_;
  AxisStyle y_style_;
  std::vector<Tick> y_ticks_;
  Rect area_;
  Scale x_;
  Scale y_;
};

/// A name at its color, in places that do not cover each other: direct labels instead of a legend.
struct Label {
  Point at;
  std::string text;
  Paint paint = Role::ink;
  Align align = Align::start;
  bool bold = true;
};
/// Moves labels up and down until they are apart, within `area`; those that find no room are left
/// out, the later ones first.
void draw_labels(Layer& layer, std::vector<Label> labels, const Rect& area,
                 double size = kTextSize);

/// Colored signs with names in a row at the top of `room`, where direct labels have no place;
/// returns what is left of the room.
struct Key {
  std::string text;
  Paint paint = Role::ink;
  Shape shape = Shape::square;
};
[[nodiscard]] Rect draw_keys(Drawing& drawing, const std::vector<Key>& keys, const Rect& room);

}  // namespace logodds::draw
