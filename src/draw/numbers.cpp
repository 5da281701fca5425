#include "draw/numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "draw/sound.hpp"

namespace logodds::draw {

void append_coordinate(std::string& out, double value) {
  if (std::isnan(value)) { value = 0.0; }
  const double rounded = std::round(std::clamp(value, -kFar, kFar) * 100.0) / 100.0;
  std::array<char, 32> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), rounded == 0.0 ? 0.0 : rounded)
          .ptr;
  out.append(buffer.data(), end);
}

std::string coordinate(double value) {
  std::string out;
  append_coordinate(out, value);
  return out;
}

}  // namespace logodds::draw
