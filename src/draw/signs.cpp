#include "draw/signs.hpp"

#include <algorithm>
#include <string_view>

#include "draw/roles.hpp"

namespace logodds::draw {

namespace {

/// A dark rim, which marks some signs among others, is an empty sign.
bool rimmed(const Symbols& symbols) {
  return symbols.outline && readable_on(color_of(symbols.outline->paint)) == color_of(Role::paper);
}

std::string of_shape(Shape shape, bool empty = false) {
  switch (shape) {
    case Shape::circle:
      return empty ? "\u25CB" : "\u25CF";
    case Shape::square:
      return empty ? "\u25A1" : "\u25A0";
    case Shape::triangle:
      return empty ? "\u25B3" : "\u25B2";
    case Shape::diamond:
      return empty ? "\u25C7" : "\u25C6";
    case Shape::cross:
      return "\u00D7";
    case Shape::plus:
      break;
  }
  return "+";
}

std::string of_number(std::size_t n) {
  constexpr std::string_view kSigns = "ox+*#@%&abcdefghijklmnpqrstuvwyzABCDEFGHIJKLMNPQRSTUVWYZ";
  return std::string(1, kSigns[n % kSigns.size()]);
}

}  // namespace

Signs::Signs(const Drawing& drawing, bool colored) : colored_(colored) {
  for (const Layer& layer : drawing.layers) {
    for (const Mark& mark : layer.marks) {
      const Symbols* const symbols = std::get_if<Symbols>(&mark);
      const Color* const color =
          symbols == nullptr ? nullptr : std::get_if<Color>(&symbols->fill.paint);
      if (color == nullptr) { continue; }
      const auto same = [&](const Known& one) { return one.color == *color; };
      if (std::ranges::any_of(known_, same)) { continue; }
      by_shape_ = by_shape_ && std::ranges::none_of(known_, [&](const Known& one) {
                    return one.shape == symbols->shape;
                  });
      known_.push_back({*color, symbols->shape});
    }
  }
}

std::string Signs::of(const Symbols& symbols) const {
  const Color* const color = std::get_if<Color>(&symbols.fill.paint);
  if (colored_ || by_shape_ || color == nullptr) {
    return of_shape(symbols.shape, rimmed(symbols));
  }
  const auto found = std::ranges::find(known_, *color, &Known::color);
  return of_number(static_cast<std::size_t>(found - known_.begin()));
}

std::string Signs::of_name(const Paint& paint) const {
  const Color* const color = std::get_if<Color>(&paint);
  if (colored_ || color == nullptr) { return {}; }
  const auto found = std::ranges::find(known_, *color, &Known::color);
  if (found == known_.end()) { return {}; }
  return by_shape_ ? of_shape(found->shape)
                   : of_number(static_cast<std::size_t>(found - known_.begin()));
}

}  // namespace logodds::draw
