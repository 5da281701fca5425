// A picture as marks on a page. What draws it (SVG, HTML, PNG, PDF, a terminal) is in render.hpp.
//
// Layout first: page units are CSS pixels, 96 to the inch; x grows to the right and y DOWN. Marks
// are painted in the order of the layers, and in a layer in their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "logodds/draw/color.hpp"

namespace logodds::draw {

struct Point {
  double x = 0.0;
  double y = 0.0;
};

struct Rect {
  double x = 0.0;
  double y = 0.0;
  double width = 0.0;
  double height = 0.0;
  [[nodiscard]] double right() const { return x + width; }
  [[nodiscard]] double bottom() const { return y + height; }
  [[nodiscard]] double middle() const { return x + width / 2.0; }
  /// Smaller by so much on every side.
  [[nodiscard]] Rect inset(double by) const {
    return {x + by, y + by, width - 2.0 * by, height - 2.0 * by};
  }
};

/// Colors that follow the page: a dark page turns them round.
enum class Role : std::uint8_t {
  ink,    ///< text, axes
  muted,  ///< text that matters less
  grid,   ///< lines that the eye may miss
  paper   ///< the ground
};
using Paint = std::variant<Role, Color>;

struct Fill {
  Paint paint = Role::ink;
  double opacity = 1.0;
};

struct Stroke {
  Paint paint = Role::ink;
  double width = 1.0;
  double opacity = 1.0;
  std::vector<double> dash{};  ///< lengths of dashes and gaps; empty: a whole line
};

/// Lines, or with `closed` outlines whose inside is filled (by the even-odd rule).
struct Path {
  std::vector<std::vector<Point>> lines{};
  bool closed = false;
  std::optional<Fill> fill{};
  std::optional<Stroke> stroke{};
  std::string tip{};  ///< shown to who points at it; empty: nothing
};

enum class Shape : std::uint8_t { circle, square, triangle, diamond, cross, plus };

/// The same sign in many places.
struct Symbols {
  Shape shape = Shape::circle;
  double size = 5.0;  ///< across
  std::vector<Point> places{};
  Fill fill{};  ///< of cross and plus: the color of their lines
  std::optional<Stroke> outline{};
  std::vector<std::string> tips{};  ///< one a place, or none
};

enum class Align : std::uint8_t { start, middle, end };
enum class Baseline : std::uint8_t { alphabetic, middle, hanging };

inline constexpr double kTextSize = 12.0;

struct Text {
  Point at{};
  std::string text{};
  double size = kTextSize;
  Align align = Align::start;
  Baseline baseline = Baseline::alphabetic;
  double turn = 0.0;  ///< degrees, clockwise, around `at`
  bool bold = false;
  Paint paint = Role::ink;
  bool halo = false;  ///< a rim of paper around the letters, for text over marks
};

/// Pixels, row-major from the top, three bytes each; each fills a rectangle of `place`.
struct Image {
  Rect place{};
  std::size_t columns = 0;
  std::size_t rows = 0;
  std::vector<std::uint8_t> pixels{};
  std::string about{};  ///< what it shows, for who does not see it
  /// Facts for programs that read the picture, as attributes data-NAME of an SVG: the range of the
  /// axes, say.
  std::vector<std::pair<std::string, std::string>> facts{};
};

using Mark = std::variant<Path, Symbols, Text, Image>;

struct Layer {
  std::optional<Rect> clip{};  ///< nothing is painted outside of it
  std::vector<Mark> marks{};
  std::string name{};  ///< for programs that read the picture: "boundaries", "points"
};

/// The layer of `head` and `foot`, which a back end that sets them itself leaves out.
inline constexpr std::string_view kPageText = "page-text";

struct Drawing {
  double width = 640.0;
  double height = 480.0;
  std::string title{};        ///< what the picture is called
  std::string description{};  ///< what it shows, for who does not see it
  std::vector<Layer> layers{};
  /// Paragraphs above and below the content, where lay_out() has put them on the page, and what it
  /// has left for the content.
  std::vector<std::string> head{};
  std::vector<std::string> foot{};
  std::optional<Rect> content{};

  /// A new layer on top. The reference holds until the next one.
  Layer& layer(std::string name, std::optional<Rect> clip = std::nullopt) {
    return layers.emplace_back(Layer{.clip = clip, .name = std::move(name)});
  }
};

/// About how wide a text is, in page units: enough to leave room for it.
[[nodiscard]] double text_width(std::string_view text, double size = kTextSize);
/// How much wider a text is in bold: DejaVu Sans Bold, over words and numbers.
inline constexpr double kBoldWidth = 1.13;
/// The text, cut with an ellipsis where it is wider than this.
[[nodiscard]] std::string cut_to(std::string_view text, double width, double size = kTextSize);
/// Broken at spaces into lines of about this width.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, double width,
                                               double size = kTextSize);

}  // namespace logodds::draw
