#include "logodds/draw/panel.hpp"

namespace logodds::draw {

namespace {

constexpr double kMargin = 14.0;
constexpr double kTitleSize = 16.0;
constexpr double kNoteSize = 11.0;
constexpr double kLine = 1.35;  // line height, in parts of the size

struct Style {
  double size = kTextSize;
  bool bold = false;
  Role role = Role::ink;
};

/// Lines from `top` on; returns where the next text begins.
double write_lines(Layer& layer, const std::vector<std::string>& lines, double top,
                   const Style& style) {
  for (const std::string& line : lines) {
    layer.marks.emplace_back(Text{.at = {kMargin, top + style.size},
                                  .text = line,
                                  .size = style.size,
                                  .bold = style.bold,
                                  .paint = style.role});
    top += kLine * style.size;
  }
  return top;
}

std::vector<std::string> note_lines(const PageText& text, double width) {
  std::vector<std::string> lines;
  for (const std::string& note : text.notes) {
    for (std::string& line : wrapped(note, width, kNoteSize)) { lines.push_back(std::move(line)); }
  }
  return lines;
}

}  // namespace

Rect lay_out(Drawing& drawing, const PageText& text) {
  drawing.title = text.title;
  if (drawing.description.empty()) { drawing.description = text.subtitle; }
  const double width = drawing.width - 2.0 * kMargin;
  Layer& layer = drawing.layer(std::string(kPageText));
  double top = kMargin / 2.0;
  if (!text.title.empty()) {
    top = write_lines(layer, wrapped(text.title, width / kBoldWidth, kTitleSize), top,
                      {.size = kTitleSize, .bold = true});
  }
  if (!text.subtitle.empty()) {
    top = write_lines(layer, wrapped(text.subtitle, width), top, {.role = Role::muted});
  }
  const std::vector<std::string> notes = note_lines(text, width);
  const double foot = static_cast<double>(notes.size()) * kLine * kNoteSize;
  const double bottom = drawing.height - kMargin / 2.0 - foot;
  write_lines(layer, notes, bottom, {.size = kNoteSize, .role = Role::muted});
  top += kMargin / 2.0;
  for (const std::string& paragraph : {text.title, text.subtitle}) {
    if (!paragraph.empty()) { drawing.head.push_back(paragraph); }
  }
  drawing.foot = text.notes;
  drawing.content = Rect{kMargin, top, width, std::max(1.0, bottom - kMargin / 2.0 - top)};
  return *drawing.content;
}

Rect draw_keys(Drawing& drawing, const std::vector<Key>& keys, const Rect& room) {
  constexpr double kSign = 9.0;
  constexpr double kGap = 16.0;
  constexpr double kRow = kLine * kTextSize;
  Layer& layer = drawing.layer("key");
  double x = room.x;
  double y = room.y;
  for (const Key& key : keys) {
    const double width = kSign + 5.0 + text_width(key.text);
    if (x > room.x && x + width > room.right()) {
      x = room.x;
      y += kRow;
    }
    layer.marks.emplace_back(Symbols{.shape = key.shape,
                                     .size = kSign,
                                     .places = {{x + kSign / 2.0, y + kRow / 2.0}},
                                     .fill = {.paint = key.paint}});
    layer.marks.emplace_back(Text{
        .at = {x + kSign + 5.0, y + kRow / 2.0}, .text = key.text, .baseline = Baseline::middle});
    x += width + kGap;
  }
  const double used = keys.empty() ? 0.0 : y + kRow + 4.0 - room.y;
  return {room.x, room.y + used, room.width, std::max(1.0, room.height - used)};
}

}  // namespace logodds::draw
