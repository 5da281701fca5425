// How rows of classes are drawn: a color and a sign for each class, and their names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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

/// Most keys of classes on a page.
inline constexpr std::size_t kMostKeys = 24;
/// The places of the largest weights, ascending; of equal ones the first. No picture shows curves
/// of more classes than it can name.
[[nodiscard]] std::vector<std::size_t> heaviest(std::span<const double> weights,
                                                std::size_t most = kMostKeys);
/// Keys of these classes, as many as are wanted; of more the first, and "and 12 more". `text` names
/// a class.
[[nodiscard]] std::vector<draw::Key> class_keys(std::span<const std::size_t> classes,
                                                const std::function<std::string(std::size_t)>& text,
                                                std::size_t most = kMostKeys);

/// x, or the nearest place to it where what reaches `half` to both sides stays inside of the area;
/// where that is too narrow, at its left.
[[nodiscard]] double kept_inside(double x, double half, const draw::Rect& area);

/// Cut to a width, with an ellipsis; control characters as spaces.
[[nodiscard]] std::string cut(std::string_view text, double width, double size = draw::kTextSize);

}  // namespace logodds::plots
