#include "draw/sound.hpp"

#include <algorithm>
#include <cmath>

#include "draw/characters.hpp"

namespace logodds::draw {

namespace {

bool has_place(Point point) { return !std::isnan(point.x) && !std::isnan(point.y); }

Point near_page(Point point) {
  return {std::clamp(point.x, -kFar, kFar), std::clamp(point.y, -kFar, kFar)};
}

bool is_size(double value) { return std::isfinite(value) && value > 0.0; }

bool is_rect(const Rect& rect) {
  return has_place({rect.x, rect.y}) && is_size(rect.width) && is_size(rect.height);
}

/// The pieces of a line between points without a place.
void append_pieces(std::vector<std::vector<Point>>& pieces, const std::vector<Point>& line,
                   bool closed) {
  std::vector<Point> piece;
  for (const Point point : line) {
    if (has_place(point)) {
      piece.push_back(near_page(point));
    } else if (!closed && !piece.empty()) {
      pieces.push_back(std::move(piece));
      piece = {};
    }
  }
  if (!piece.empty()) { pieces.push_back(std::move(piece)); }
}

std::optional<Stroke> sound_stroke(std::optional<Stroke> stroke) {
  if (!stroke || !is_size(stroke->width)) { return std::nullopt; }
  // Cairo takes no negative length, and none that add up to nothing.
  double length = 0.0;
  bool usable = true;
  for (const double part : stroke->dash) {
    usable = usable && std::isfinite(part) && part >= 0.0;
    length += part;
  }
  if (!usable || !(length > 0.0)) { stroke->dash.clear(); }
  return stroke;
}

std::optional<Mark> sound_mark(const Path& path) {
  Path copy{.lines = {},
            .closed = path.closed,
            .fill = path.fill,
            .stroke = sound_stroke(path.stroke),
            .tip = one_line(path.tip)};
  copy.lines.reserve(path.lines.size());
  for (const auto& line : path.lines) { append_pieces(copy.lines, line, path.closed); }
  if (copy.lines.empty() || (!copy.fill && !copy.stroke)) { return std::nullopt; }
  return copy;
}

std::optional<Mark> sound_mark(const Symbols& symbols) {
  if (!is_size(symbols.size)) { return std::nullopt; }
  Symbols copy{.shape = symbols.shape,
               .size = symbols.size,
               .places = {},
               .fill = symbols.fill,
               .outline = sound_stroke(symbols.outline)};
  copy.places.reserve(symbols.places.size());
  for (std::size_t i = 0; i < symbols.places.size(); ++i) {
    if (!has_place(symbols.places[i])) { continue; }
    copy.places.push_back(near_page(symbols.places[i]));
    if (i < symbols.tips.size()) { copy.tips.push_back(one_line(symbols.tips[i])); }
  }
  copy.tips.resize(copy.tips.empty() ? 0 : copy.places.size());
  if (copy.places.empty()) { return std::nullopt; }
  return copy;
}

std::optional<Mark> sound_mark(const Text& text) {
  if (!has_place(text.at) || !is_size(text.size) || !std::isfinite(text.turn)) {
    return std::nullopt;
  }
  Text copy = text;
  copy.at = near_page(text.at);
  copy.text = one_line(text.text);
  if (copy.text.empty()) { return std::nullopt; }
  return copy;
}

std::optional<Mark> sound_mark(const Image& image) {
  const bool whole =
      image.columns > 0 && image.rows > 0 && image.pixels.size() == 3 * image.columns * image.rows;
  if (!whole || !is_rect(image.place)) { return std::nullopt; }
  return image;
}

Layer sound_layer(const Layer& layer) {
  Layer copy{.clip = layer.clip, .marks = {}, .name = layer.name};
  if (layer.clip && !is_rect(*layer.clip)) { return copy; }  // nothing is inside
  copy.marks.reserve(layer.marks.size());
  for (const Mark& mark : layer.marks) {
    auto kept = std::visit([](const auto& one) { return sound_mark(one); }, mark);
    if (kept) { copy.marks.push_back(std::move(*kept)); }
  }
  return copy;
}

}  // namespace

std::string one_line(std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  while (!raw.empty()) {
    const std::string_view character = take_character(raw);
    out += character == "\n" || character == "\t" ? std::string_view(" ") : character;
  }
  return out;
}

Drawing sound(const Drawing& drawing) {
  Drawing copy;
  copy.width = is_size(drawing.width) ? std::min(drawing.width, kFar) : copy.width;
  copy.height = is_size(drawing.height) ? std::min(drawing.height, kFar) : copy.height;
  copy.title = one_line(drawing.title);
  copy.description = one_line(drawing.description);
  for (const std::string& paragraph : drawing.head) { copy.head.push_back(one_line(paragraph)); }
  for (const std::string& paragraph : drawing.foot) { copy.foot.push_back(one_line(paragraph)); }
  if (drawing.content && is_rect(*drawing.content)) { copy.content = drawing.content; }
  copy.layers.reserve(drawing.layers.size());
  for (const Layer& layer : drawing.layers) { copy.layers.push_back(sound_layer(layer)); }
  return copy;
}

}  // namespace logodds::draw
