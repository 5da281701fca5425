#include "csv_writing.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace logodds::app {

std::string csv_field(std::string_view text) {
  const bool plain = !text.empty() && text.find_first_of(",\"\r\n") == std::string_view::npos &&
                     text.front() != ' ' && text.back() != ' ';
  if (plain) { return std::string(text); }
  std::string quoted = "\"";
  for (const char byte : text) { quoted.append(byte == '"' ? 2 : 1, byte); }
  return quoted + "\"";
}

std::string unlike(std::string name, std::span<const std::string> others) {
  while (std::ranges::find(others, name) != others.end()) { name += '_'; }
  return name;
}

void append_number(std::string& text, double value) {
  if (std::isnan(value)) { return; }
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  text.append(digits.data(), end);
}

}  // namespace logodds::app
