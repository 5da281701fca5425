// Drawings as SVG: text stays text, numbers have two decimals, nothing comes from outside.
#include <algorithm>

#include "draw/numbers.hpp"
#include "draw/roles.hpp"
#include "draw/shapes.hpp"
#include "draw/sound.hpp"
#include "logodds/draw/markup.hpp"
#include "logodds/draw/render.hpp"

namespace logodds::draw {

namespace {

constexpr std::string_view kFont =
    "system-ui,'Segoe UI','Helvetica Neue',Arial,'DejaVu Sans',sans-serif";

/// With more of them, the way by keyboard past a picture is a nuisance.
constexpr std::size_t kMostTabStops = 60;

std::size_t count_tips(const Path& path) { return path.tip.empty() ? 0 : 1; }
std::size_t count_tips(const Symbols& symbols) {
  return static_cast<std::size_t>(
      std::ranges::count_if(symbols.tips, [](const std::string& tip) { return !tip.empty(); }));
}
std::size_t count_tips(const Text& /*text*/) { return 0; }
std::size_t count_tips(const Image& /*image*/) { return 0; }
std::size_t count_tips(const Drawing& drawing) {
  std::size_t count = 0;
  for (const Layer& layer : drawing.layers) {
    for (const Mark& mark : layer.marks) {
      count += std::visit([](const auto& one) { return count_tips(one); }, mark);
    }
  }
  return count;
}

class SvgWriter {
 public:
  SvgWriter(Theme theme, std::string_view id) : theme_(theme), id_(id) {}

  std::string write(const Drawing& drawing) {
    const std::size_t tips = count_tips(drawing);
    tab_stops_ = tips > 0 && tips <= kMostTabStops;
    begin(drawing);
    for (const Layer& layer : drawing.layers) { write_layer(layer); }
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  void begin(const Drawing& drawing) {
    out_ += "<svg xmlns=\"http://www.w3.org/2000/svg\"";
    attribute("width", coordinate(drawing.width));
    attribute("height", coordinate(drawing.height));
    attribute("viewBox", "0 0 " + coordinate(drawing.width) + " " + coordinate(drawing.height));
    // What is inside of an img cannot be reached.
    attribute("role", tab_stops_ ? "group" : "img");
    attribute("aria-labelledby", id_ + "-title");
    if (!drawing.description.empty()) { attribute("aria-describedby", id_ + "-about"); }
    attribute("font-family", kFont);
    out_ += ">\n<title id=\"" + id_ + "-title\">" + escaped(drawing.title) + "</title>\n";
    if (!drawing.description.empty()) {
      out_ += "<desc id=\"" + id_ + "-about\">" + escaped(drawing.description) + "</desc>\n";
    }
    out_ += "<rect width=\"100%\" height=\"100%\"";
    paint("fill", Role::paper);
    out_ += "/>\n";
  }

  void write_layer(const Layer& layer) {
    if (layer.marks.empty()) { return; }
    std::string clip;
    if (layer.clip) {
      clip = id_ + "-clip" + std::to_string(++clips_);
      out_ += "<clipPath id=\"" + clip + "\"><rect";
      write_rect(*layer.clip);
      out_ += "/></clipPath>\n";
    }
    out_ += "<g";
    if (!layer.name.empty()) { attribute("class", layer.name); }
    if (!clip.empty()) { attribute("clip-path", "url(#" + clip + ")"); }
    out_ += ">\n";
    for (const Mark& mark : layer.marks) {
      std::visit([this](const auto& one) { write_mark(one); }, mark);
    }
    out_ += "</g>\n";
  }

  void attribute(std::string_view name, std::string_view value) {
    out_ += ' ';
    out_ += name;
    out_ += "=\"";
    append_escaped(out_, value);
    out_ += '"';
  }
  void number(std::string_view name, double value) { attribute(name, coordinate(value)); }

  /// A role is a variable of the page where the page has them; an attribute cannot name one.
  void paint(std::string_view name, const Paint& paint) {
    const Role* const role = std::get_if<Role>(&paint);
    if (role != nullptr && theme_ == Theme::page) {
      attribute("style", std::string(name) + ":var(--" + std::string(role_name(*role)) + ")");
    } else {
      attribute(name, hex(color_of(paint)));
    }
  }

  /// Both may be roles, and then go into one attribute.
  void paint_mark(const std::optional<Fill>& fill, const std::optional<Stroke>& stroke) {
    std::string style;
    const auto one = [&](std::string_view name, const Paint& paint) {
      const Role* const role = std::get_if<Role>(&paint);
      if (role != nullptr && theme_ == Theme::page) {
        style += std::string(name) + ":var(--" + std::string(role_name(*role)) + ");";
      } else {
        attribute(name, hex(color_of(paint)));
      }
    };
    if (fill) {
      one("fill", fill->paint);
      if (fill->opacity < 1.0) { number("fill-opacity", fill->opacity); }
    } else {
      attribute("fill", "none");
    }
    if (stroke) {
      one("stroke", stroke->paint);
      if (stroke->width != 1.0) { number("stroke-width", stroke->width); }
      if (stroke->opacity < 1.0) { number("stroke-opacity", stroke->opacity); }
      if (!stroke->dash.empty()) { attribute("stroke-dasharray", dashes(stroke->dash)); }
    }
    if (!style.empty()) { attribute("style", style); }
  }

  static std::string dashes(const std::vector<double>& dash) {
    std::string text;
    for (const double length : dash) { text += (text.empty() ? "" : " ") + coordinate(length); }
    return text;
  }

  void write_rect(const Rect& rect) {
    number("x", rect.x);
    number("y", rect.y);
    number("width", rect.width);
    number("height", rect.height);
  }

  static void append_point(std::string& out, Point point) {
    append_coordinate(out, point.x);
    out += ' ';
    append_coordinate(out, point.y);
  }

  static std::string path_data(const std::vector<std::vector<Point>>& lines, bool closed) {
    std::string data;
    for (const auto& line : lines) {
      char command = 'M';
      for (const Point point : line) {
        data += command;
        append_point(data, point);
        command = 'L';
      }
      if (closed && !line.empty()) { data += 'Z'; }
    }
    return data;
  }

  void end_with_tip(std::string_view tag, const std::string& tip) {
    if (tip.empty()) {
      out_ += "/>\n";
      return;
    }
    attribute("class", "tip");
    if (tab_stops_) {
      attribute("role", "img");
      attribute("tabindex", "0");
    }
    out_ += "><title>" + escaped(tip) + "</title></" + std::string(tag) + ">\n";
  }

  void write_mark(const Path& path) {
    out_ += "<path";
    attribute("d", path_data(path.lines, path.closed));
    if (path.closed && path.lines.size() > 1) { attribute("fill-rule", "evenodd"); }
    paint_mark(path.fill, path.stroke);
    if (path.stroke && !path.closed) { attribute("stroke-linejoin", "round"); }
    end_with_tip("path", path.tip);
  }

  void write_mark(const Symbols& symbols) {
    if (symbols.places.empty()) { return; }
    if (symbols.tips.empty() && symbols.shape == Shape::circle) { return write_dots(symbols); }
    for (std::size_t i = 0; i < symbols.places.size(); ++i) {
      write_symbol(symbols, i);
      if (symbols.tips.empty()) { return; }
    }
  }

  /// Many circles in one path: lines of no length with round ends.
  void write_dots(const Symbols& symbols) {
    std::string data;
    for (const Point place : symbols.places) {
      data += 'M';
      append_point(data, place);
      data += "h0";
    }
    if (symbols.outline) {
      write_dot_path(data, {.paint = symbols.outline->paint,
                            .width = symbols.size + 2.0 * symbols.outline->width,
                            .opacity = symbols.outline->opacity});
    }
    write_dot_path(
        data,
        {.paint = symbols.fill.paint, .width = symbols.size, .opacity = symbols.fill.opacity});
  }

  void write_dot_path(const std::string& data, const Stroke& stroke) {
    out_ += "<path";
    attribute("d", data);
    paint_mark(std::nullopt, stroke);
    attribute("stroke-linecap", "round");
    out_ += "/>\n";
  }

  /// One sign; without tips all of them, in one path.
  void write_symbol(const Symbols& symbols, std::size_t index) {
    const std::string tip = symbols.tips.empty() ? "" : symbols.tips[index];
    if (symbols.shape == Shape::circle) {
      out_ += "<circle";
      number("cx", symbols.places[index].x);
      number("cy", symbols.places[index].y);
      number("r", symbols.size / 2.0);
      paint_mark(symbols.fill, symbols.outline);
      return end_with_tip("circle", tip);
    }
    std::vector<std::vector<Point>> lines;
    for (std::size_t i = index; i < symbols.places.size(); ++i) {
      for (auto& line : outline_of(symbols.shape, symbols.places[i], symbols.size)) {
        lines.push_back(std::move(line));
      }
      if (!symbols.tips.empty()) { break; }
    }
    out_ += "<path";
    const bool strokes = is_lines(symbols.shape);
    attribute("d", path_data(lines, !strokes));
    if (strokes) {
      paint_mark(std::nullopt, Stroke{.paint = symbols.fill.paint,
                                      .width = line_width_of(symbols.size),
                                      .opacity = symbols.fill.opacity});
    } else {
      paint_mark(symbols.fill, symbols.outline);
    }
    end_with_tip("path", tip);
  }

  void write_mark(const Text& text) {
    out_ += "<text";
    number("x", text.at.x);
    number("y", text.at.y + baseline_shift(text));
    number("font-size", text.size);
    if (text.bold) { attribute("font-weight", "600"); }
    if (text.align != Align::start) {
      attribute("text-anchor", text.align == Align::middle ? "middle" : "end");
    }
    if (text.turn != 0.0) {
      attribute("transform", "rotate(" + coordinate(text.turn) + " " + coordinate(text.at.x) + " " +
                                 coordinate(text.at.y) + ")");
    }
    if (text.halo) {
      // A color is chosen for white paper, and keeps its rim on a dark page.
      const bool turns = std::holds_alternative<Role>(text.paint);
      const Paint rim = turns ? Paint(Role::paper) : Paint(color_of(Role::paper));
      paint_mark(Fill{.paint = text.paint}, Stroke{.paint = rim, .width = 3.0, .opacity = 0.85});
      attribute("paint-order", "stroke");
      attribute("stroke-linejoin", "round");
    } else {
      paint("fill", text.paint);
    }
    out_ += ">" + escaped(text.text) + "</text>\n";
  }

  void write_mark(const Image& image) {
    out_ += "<image";
    write_rect(image.place);
    attribute("preserveAspectRatio", "none");
    attribute("style", "image-rendering:pixelated");
    for (const auto& [name, value] : image.facts) { attribute("data-" + name, value); }
    out_ += " href=\"data:image/png;base64," + base64(png_of_pixels(image)) + "\">";
    out_ += "<title>" + escaped(image.about) + "</title></image>\n";
  }

  Theme theme_;
  std::string id_;
  std::string out_;
  std::size_t clips_ = 0;
  bool tab_stops_ = false;  // marks with tips are come to by keyboard
};

}  // namespace

std::string svg(const Drawing& drawing, Theme theme, std::string_view id) {
  return SvgWriter(theme, id).write(sound(drawing));
}

}  // namespace logodds::draw
