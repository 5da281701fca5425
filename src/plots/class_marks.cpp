#include "plots/class_marks.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>

#include "plots/support.hpp"

namespace logodds::plots {

draw::Shape class_shape(std::size_t k) {
  using draw::Shape;
  constexpr std::array<Shape, 4> kShapes = {Shape::circle, Shape::square, Shape::triangle,
                                            Shape::diamond};
  return kShapes[k % kShapes.size()];
}

draw::Color name_color(std::size_t k) {
  constexpr double kDarker = 0.35;
  return draw::between(draw::class_color(k), draw::Color{}, kDarker);
}

draw::Paint class_paint(std::int32_t k) {
  if (k < 0) { return draw::Role::muted; }
  return draw::class_color(static_cast<std::size_t>(k));
}

void draw_points(draw::Layer& layer, std::span<const draw::Point> places,
                 std::span<const std::int32_t> classes, double size) {
  constexpr double kOpacity = 0.75;
  std::map<std::int32_t, std::vector<draw::Point>> by_class;
  for (std::size_t i = 0; i < places.size(); ++i) {
    by_class[classes.empty() ? kNoClass : classes[i]].push_back(places[i]);
  }
  for (auto& [k, points] : by_class) {
    const draw::Shape shape =
        k < 0 ? draw::Shape::circle : class_shape(static_cast<std::size_t>(k));
    layer.marks.emplace_back(draw::Symbols{.shape = shape,
                                           .size = size,
                                           .places = std::move(points),
                                           .fill = {.paint = class_paint(k), .opacity = kOpacity}});
  }
}

std::vector<std::size_t> heaviest(std::span<const double> weights, std::size_t most) {
  std::vector<std::size_t> places(weights.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (places.size() <= most) { return places; }
  std::ranges::stable_sort(places, std::greater{}, [&](std::size_t k) { return weights[k]; });
  places.resize(most);
  std::ranges::sort(places);
  return places;
}

std::vector<draw::Key> class_keys(std::span<const std::size_t> classes,
                                  const std::function<std::string(std::size_t)>& text,
                                  std::size_t most) {
  std::vector<draw::Key> keys;
  for (const std::size_t k : classes.first(std::min(classes.size(), most))) {
    keys.push_back({text(k), draw::class_color(k), class_shape(k)});
  }
  if (classes.size() > most) {
    keys.push_back({"and " + grouped(classes.size() - most) + " more", draw::Role::paper});
  }
  return keys;
}

double kept_inside(double x, double half, const draw::Rect& area) {
  return std::clamp(x, area.x + half, std::max(area.x + half, area.right() - half));
}

std::string cut(std::string_view text, double width, double size) {
  std::string clean(text);
  std::ranges::replace_if(clean, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return draw::cut_to(clean, width, size);
}

}  // namespace logodds::plots
