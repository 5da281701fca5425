// The text of a grid.
#include <algorithm>

#include "logodds/choose/cross_validation.hpp"
#include "logodds/error.hpp"
#include "models/lists.hpp"

namespace logodds::choose {

namespace {

using models::split;

[[noreturn]] void refuse(const std::string& sentence) {
  throw Error(ErrorCode::usage,
              "--grid: " + sentence + "; write options and values as in \"ridge=0,0.1;divisor=n\"");
}

/// Without spaces around it, and without the backslashes that are not its own.
std::string value_of(std::string_view text) {
  const auto begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) { return {}; }
  text = text.substr(begin, text.find_last_not_of(' ') - begin + 1);
  std::string value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape =
        text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == ',' || text[i + 1] == ';');
    value += text[escape ? ++i : i];
  }
  return value;
}

GridAxis axis_of(const std::string& text) {
  const auto equals = text.find('=');
  GridAxis axis;
  if (equals != std::string::npos) { axis.option = value_of(text.substr(0, equals)); }
  if (axis.option.empty()) { refuse("'" + text + "' is not OPTION=VALUE,VALUE,..."); }
  for (const auto& part : split(std::string_view(text).substr(equals + 1), ',')) {
    axis.values.push_back(value_of(part));
    if (axis.values.back().empty()) { refuse("'" + text + "' has an empty value"); }
    const auto same = std::ranges::count(axis.values, axis.values.back());
    if (same > 1) { refuse("'" + text + "' tries " + axis.values.back() + " twice"); }
  }
  return axis;
}

}  // namespace

std::vector<GridAxis> parse_grid(std::string_view text) {
  std::vector<GridAxis> grid;
  for (const auto& part : split(text, ';')) {
    if (value_of(part).empty()) { continue; }
    grid.push_back(axis_of(part));
    const auto& name = grid.back().option;
    if (std::ranges::count(grid, name, &GridAxis::option) > 1) {
      refuse("option '" + name + "' stands twice");
    }
  }
  if (grid.empty()) { refuse("it names no option"); }
  return grid;
}

}  // namespace logodds::choose
