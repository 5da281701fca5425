// Colors and places that every back end takes in the same way.
#pragma once

#include <string_view>
#include <variant>

#include "logodds/draw/drawing.hpp"

namespace logodds::draw {

/// "ink": the variable of a page, less its dashes.
[[nodiscard]] std::string_view role_name(Role role);
/// On a light page, or a dark one.
[[nodiscard]] Color role_color(Role role, bool dark);
/// On white paper; a role's contrast is at least 4.5 to 1 where it is text.
[[nodiscard]] Color color_of(const Paint& paint);
/// What has to be added to `at.y` to have the letters' base line: from the middle of the small
/// letters, or from the top of capitals.
[[nodiscard]] double baseline_shift(const Text& text);

}  // namespace logodds::draw
