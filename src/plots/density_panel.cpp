#include "plots/density_panel.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "plots/class_marks.hpp"

namespace logodds::plots {

namespace {

constexpr double kNameWidth = 180.0;

std::map<std::int32_t, std::vector<double>> by_class(std::span<const double> values,
                                                     std::span<const std::int32_t> classes,
                                                     std::size_t every = 1) {
  std::map<std::int32_t, std::vector<double>> groups;
  for (std::size_t i = 0; i < values.size(); i += every) {
    if (std::isfinite(values[i])) {
      groups[classes.empty() ? kNoClass : classes[i]].push_back(values[i]);
    }
  }
  return groups;
}

/// The name of each class at the top of its curve.
std::vector<draw::Label> curve_labels(const draw::Panel& panel,
                                      const std::vector<ClassDensity>& densities,
                                      const std::vector<std::string>& names) {
  std::vector<draw::Label> labels;
  for (const auto& [k, curve] : densities) {
    if (k < 0) { continue; }
    const auto top = static_cast<std::size_t>(std::ranges::max_element(curve.y) - curve.y.begin());
    const draw::Point at = panel.at(curve.x[top], curve.y[top]);
    labels.push_back({.at = {at.x, at.y - 9.0},
                      .text = cut(names[static_cast<std::size_t>(k)], kNameWidth),
                      .paint = class_paint(k),
                      .align = draw::Align::middle});
  }
  return labels;
}

/// A short line for each value, one row of them a class.
void draw_rug(draw::Layer& layer, const draw::Scale& x, const draw::Rect& strip,
              std::span<const double> values, std::int32_t k) {
  draw::Path lines{.lines = {},
                   .stroke = draw::Stroke{.paint = class_paint(k), .width = 1.0, .opacity = 0.6}};
  for (const double value : values) {
    lines.lines.push_back({{x.place(value), strip.y}, {x.place(value), strip.bottom()}});
  }
  layer.marks.emplace_back(std::move(lines));
}

}  // namespace

std::vector<ClassDensity> class_densities(std::span<const double> values,
                                          std::span<const std::int32_t> classes,
                                          const draw::Range& range) {
  const auto groups = by_class(values, classes);
  std::vector<std::int32_t> keys;
  std::vector<double> sizes;
  for (const auto& [k, group] : groups) {
    keys.push_back(k);
    sizes.push_back(static_cast<double>(group.size()));
  }
  std::vector<ClassDensity> densities;
  for (const std::size_t place : heaviest(sizes)) {
    densities.push_back({keys[place], kernel_density(groups.at(keys[place]), range)});
  }
  return densities;
}

draw::Range density_range(const std::vector<ClassDensity>& densities) {
  constexpr double kRoom = 1.08;
  double highest = 0.0;
  for (const ClassDensity& one : densities) {
    highest = std::max(highest, std::ranges::max(one.curve.y));
  }
  return {0.0, highest > 0.0 ? kRoom * highest : 1.0};
}

void draw_densities(draw::Layer& layer, const draw::Panel& panel,
                    const std::vector<ClassDensity>& densities) {
  for (const auto& [k, curve] : densities) {
    std::vector<draw::Point> line = panel.curve(curve.x, curve.y);
    std::vector<draw::Point> outline = line;
    outline.push_back(panel.at(curve.x.back(), 0.0));
    outline.push_back(panel.at(curve.x.front(), 0.0));
    layer.marks.emplace_back(
        draw::Path{.lines = {std::move(outline)},
                   .closed = true,
                   .fill = draw::Fill{.paint = class_paint(k), .opacity = 0.15}});
    layer.marks.emplace_back(draw::Path{
        .lines = {std::move(line)}, .stroke = draw::Stroke{.paint = class_paint(k), .width = 1.6}});
  }
}

void draw_strips(draw::Drawing& drawing, const draw::Rect& room, std::span<const double> values,
                 std::span<const std::int32_t> classes, const std::vector<std::string>& names,
                 const std::string& title, std::size_t every) {
  constexpr double kMostStrips = 12;
  constexpr double kStrip = 14.0;
  const auto groups = by_class(values, classes, every);
  const draw::Range range = draw::range_of(values, 0.1);
  const auto densities = class_densities(values, classes, range);
  const bool strips = static_cast<double>(groups.size()) <= kMostStrips;
  const double below = strips ? kStrip * static_cast<double>(groups.size()) + 6.0 : 0.0;
  draw::Range heights = density_range(densities);
  heights.low = -heights.high * below / std::max(1.0, room.height - below - 60.0);
  std::vector<draw::Tick> ticks = draw::Scale({0.0, heights.high}, 1.0, 0.0).ticks(5);
  const draw::Panel panel(room, range, heights, {.title = title},
                          {.title = "density", .named = std::move(ticks)});
  draw::Layer& layer = panel.layer(drawing, "densities");
  draw_densities(layer, panel, densities);
  if (strips) {
    double y = panel.y().place(0.0) + 4.0;
    for (const auto& [k, group] : groups) {
      draw_rug(layer, panel.x(), {0.0, y, 0.0, kStrip - 4.0}, group, k);
      y += kStrip;
    }
  }
  panel.draw_axes(drawing);
  draw_labels(drawing.layer("labels"), curve_labels(panel, densities, names), panel.area());
}

NamedArray density_array(const std::string& name, const std::vector<ClassDensity>& densities) {
  if (densities.empty()) { return {name, {0, 0}, {}}; }
  const std::size_t points = densities.front().curve.x.size();
  NamedArray array{name, {1 + densities.size(), points}, densities.front().curve.x};
  for (const ClassDensity& one : densities) {
    array.values.insert(array.values.end(), one.curve.y.begin(), one.curve.y.end());
  }
  return array;
}

}  // namespace logodds::plots
