#include "draw/roles.hpp"

namespace logodds::draw {

std::string_view role_name(Role role) {
  switch (role) {
    case Role::ink:
      return "ink";
    case Role::muted:
      return "muted";
    case Role::grid:
      return "grid";
    case Role::paper:
      break;
  }
  return "paper";
}

Color role_color(Role role, bool dark) {
  const auto gray = [dark](std::uint8_t light, std::uint8_t on_dark) {
    const std::uint8_t value = dark ? on_dark : light;
    return Color{value, value, value};
  };
  switch (role) {
    case Role::ink:
      return gray(0x1a, 0xee);
    case Role::muted:
      return gray(0x59, 0xb4);
    case Role::grid:
      return gray(0xe0, 0x3d);
    case Role::paper:
      break;
  }
  return gray(0xff, 0x18);
}

Color color_of(const Paint& paint) {
  if (const Color* const color = std::get_if<Color>(&paint)) { return *color; }
  return role_color(std::get<Role>(paint), false);
}

double baseline_shift(const Text& text) {
  switch (text.baseline) {
    case Baseline::alphabetic:
      return 0.0;
    case Baseline::middle:
      return 0.36 * text.size;
    case Baseline::hanging:
      break;
  }
  return 0.74 * text.size;
}

}  // namespace logodds::draw
