#include "plots/overlap_boundaries.hpp"

#include <algorithm>

namespace logodds::plots {

namespace {

constexpr std::size_t kMostNamed = 6;
constexpr double kBeside = 5.0;
constexpr double kNameRow = 14.0;

/// The name of a boundary: in a row, from the top, on one side of the line.
struct BoundaryName {
  std::size_t row = 0;
  bool left = false;
  double from = 0.0;
  double to = 0.0;

  [[nodiscard]] bool meets(const BoundaryName& other) const {
    return row == other.row && from < other.to && other.from < to;
  }
};

/// Rather on the side towards the middle, and where it crosses no other line.
BoundaryName beside(const draw::Panel& panel, const std::vector<OverlapBoundary>& all,
                    std::size_t i) {
  const double place = panel.x().place(all[i].x);
  const double width = draw::text_width(all[i].text()) + kBeside;
  const auto on = [&](bool left) {
    return BoundaryName{
        .left = left, .from = place - (left ? width : 0.0), .to = place + (left ? 0.0 : width)};
  };
  const auto free = [&](const BoundaryName& name) {
    return name.from > panel.area().x && name.to < panel.area().right() &&
           std::ranges::none_of(
               all,
               [&](const OverlapBoundary& other) {
                 const double line = panel.x().place(other.x);
                 return line != place && line > name.from - kBeside && line < name.to + kBeside;
               });
  };
  const BoundaryName usual = on(place > panel.area().middle());
  const BoundaryName other = on(!usual.left);
  return free(usual) || !free(other) ? usual : other;
}

/// One a boundary; no two cover each other.
std::vector<BoundaryName> name_places(const draw::Panel& panel,
                                      const std::vector<OverlapBoundary>& all) {
  std::vector<BoundaryName> names;
  for (std::size_t i = 0; i < all.size(); ++i) {
    BoundaryName name = beside(panel, all, i);
    const auto met = [&](const BoundaryName& other) { return name.meets(other); };
    while (all[i].named && std::ranges::any_of(names, met)) { ++name.row; }
    names.push_back(name);
  }
  return names;
}

}  // namespace

std::string OverlapBoundary::text() const {
  return (given ? "given: " : "optimal: ") + draw::short_text(x, 5);
}

std::vector<OverlapBoundary> boundaries_of(const Profile& profile, std::optional<double> given,
                                           const draw::Range& view) {
  std::vector<OverlapBoundary> found;
  for (const double end : profile.boundaries) {
    if (view.contains(end)) {
      found.push_back({.x = end, .named = profile.boundaries.size() <= kMostNamed});
    }
  }
  if (given && view.contains(*given)) { found.push_back({.x = *given, .given = true}); }
  return found;
}

double above_curves(const draw::Panel& panel, const std::vector<OverlapBoundary>& boundaries) {
  constexpr double kMost = 0.5;
  std::size_t rows = 1;
  for (const BoundaryName& name : name_places(panel, boundaries)) {
    rows = std::max(rows, name.row + 1);
  }
  const double more = kNameRow * static_cast<double>(std::max<std::size_t>(rows, 2) - 2);
  return 1.0 / (1.0 - std::min(kMost, more / panel.area().height));
}

void draw_boundaries(draw::Drawing& drawing, const draw::Panel& panel,
                     const std::vector<OverlapBoundary>& boundaries) {
  const std::vector<BoundaryName> names = name_places(panel, boundaries);
  draw::Layer& layer = drawing.layer("thresholds");
  for (const OverlapBoundary& boundary : boundaries) {
    const double place = panel.x().place(boundary.x);
    layer.marks.emplace_back(
        draw::Path{.lines = {{{place, panel.area().y}, {place, panel.area().bottom()}}},
                   .stroke = draw::Stroke{.paint = draw::Role::ink,
                                          .width = 1.2,
                                          .dash = boundary.given ? std::vector<double>{5.0, 4.0}
                                                                 : std::vector<double>{}},
                   .tip = (boundary.given ? "given threshold " : "optimal threshold ") +
                          draw::short_text(boundary.x, 6)});
  }
  for (std::size_t i = 0; i < boundaries.size(); ++i) {
    if (!boundaries[i].named) { continue; }
    layer.marks.emplace_back(
        draw::Text{.at = {panel.x().place(boundaries[i].x) + (names[i].left ? -kBeside : kBeside),
                          panel.area().y + 8.0 + kNameRow * static_cast<double>(names[i].row)},
                   .text = boundaries[i].text(),
                   .align = names[i].left ? draw::Align::end : draw::Align::start,
                   .baseline = draw::Baseline::middle,
                   .halo = true});
  }
}

}  // namespace logodds::plots
