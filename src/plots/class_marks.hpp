// How rows of classes are drawn: a color and a sign for each class, and their names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "logodds/draw/drawing.hpp"
#include "logodds/draw/panel.hpp"

namespace logodds::plots {

/// Rows of a class that is none: unlabelled, or not decided.
inline constexpr std::int32_t kNoClass = -1;

/// Signs that differ as well as colors do, for readers who see no color.
[[nodiscard]] draw::Shape class_shape(std::size_t k);
/// A dark version of the class's color, for its name.
[[nodiscard]] draw::Color name_color(std::size_t k);
/// Gray for rows without a class.
[[nodiscard]] draw::Paint class_paint(std::int32_t k);

/// Points in the colors and signs of their classes: `classes` holds one a place, or is empty.
void draw_points(draw::Layer& layer, std::span<const draw::Point> places,
                 std::span<const std::int32_t> classes, double size);

/// x, or the nearest place to it where what reaches `half` to both sides stays inside of the area;
/// where that is too narrow, at its left.
[[nodiscard]] double kept_inside(double x, double half, const draw::Rect& area);

/// Cut to a width, with an ellipsis; control characters as spaces.
[[nodiscard]] std::string cut(std::string_view text, double width, double size = draw::kTextSize);

}  // namespace logodds::plots
