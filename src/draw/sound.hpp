// Drawings that every back end can take: what has no place or no meaning on paper is gone.
#pragma once

#include <string>
#include <string_view>

#include "logodds/draw/drawing.hpp"

namespace logodds::draw {

/// The farthest that a coordinate goes from the page: files and libraries hold no more, and nobody
/// sees a difference.
inline constexpr double kFar = 1e6;

/// A copy in which
/// - no place is NaN: a line is cut there, an outline closed without it, a sign or text left out;
/// - coordinates are within kFar, so that a line to infinity leaves the page;
/// - text is UTF-8 in one line (one_line());
/// - strokes and text have a size above 0, dashes a length, images all of their pixels.
[[nodiscard]] Drawing sound(const Drawing& drawing);

/// As take_character() takes it, newlines and tabs as spaces.
[[nodiscard]] std::string one_line(std::string_view raw);

}  // namespace logodds::draw
