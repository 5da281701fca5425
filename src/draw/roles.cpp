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

Color color_of(const Paint& paint) {
  if (const Color* const color = std::get_if<Color>(&paint)) { return *color; }
  switch (std::get<Role>(paint)) {
    case Role::ink:
      return {0x1a, 0x1a, 0x1a};
    case Role::muted:
      return {0x59, 0x59, 0x59};
    case Role::grid:
      return {0xe0, 0xe0, 0xe0};
    case Role::paper:
      break;
  }
  return {0xff, 0xff, 0xff};
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
