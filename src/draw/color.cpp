#include "logodds/draw/color.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace logodds::draw {

namespace {

/// Okabe & Ito, "Color Universal Design" (2008), in an order in which neighbors differ in lightness
/// too; gray stands for their black, which is the color of text.
constexpr std::array<Color, 8> kOkabeIto = {{kBlue,
                                             kVermilion,
                                             {0x00, 0x9E, 0x73},
                                             {0xCC, 0x79, 0xA7},
                                             {0xE6, 0x9F, 0x00},
                                             {0x56, 0xB4, 0xE9},
                                             {0xF0, 0xE4, 0x42},
                                             {0x66, 0x66, 0x66}}};
constexpr Color kBlack{};
constexpr Color kWhite{255, 255, 255};

std::uint8_t channel(double value) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
}

/// IEC 61966-2-1: sRGB to linear light.
double linear(std::uint8_t value) {
  const double share = value / 255.0;
  return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
}

double luminance(Color color) {
  return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}

}  // namespace

std::string hex(Color color) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "#";
  for (const std::uint8_t value : {color.red, color.green, color.blue}) {
    text += kDigits[value >> 4U];
    text += kDigits[value & 15U];
  }
  return text;
}

Color class_color(std::size_t k) {
  const Color color = kOkabeIto[k % kOkabeIto.size()];
  const std::size_t round = k / kOkabeIto.size();
  if (round == 0) { return color; }
  constexpr double kStep = 0.35;
  return between(color, round % 2 == 1 ? kBlack : kWhite, kStep);
}

std::vector<Color> class_colors(std::size_t classes) {
  std::vector<Color> colors(classes);
  for (std::size_t k = 0; k < classes; ++k) { colors[k] = class_color(k); }
  return colors;
}

Color between(Color low, Color high, double share) {
  const auto blend = [share](std::uint8_t a, std::uint8_t b) {
    return channel((1.0 - share) * a + share * b);
  };
  return {blend(low.red, high.red), blend(low.green, high.green), blend(low.blue, high.blue)};
}

Color tint(Color color, double share) { return between(kWhite, color, share); }

Color mix(std::span<const Color> colors, std::span<const double> weights) {
  double red = 0.0;
  double green = 0.0;
  double blue = 0.0;
  for (std::size_t k = 0; k < colors.size(); ++k) {
    red += weights[k] * colors[k].red;
    green += weights[k] * colors[k].green;
    blue += weights[k] * colors[k].blue;
  }
  return {channel(red), channel(green), channel(blue)};
}

Color readable_on(Color background) {
  // Contrast by WCAG: (lighter + 0.05) / (darker + 0.05).
  const double light = luminance(background) + 0.05;
  return light / 0.05 >= 1.05 / light ? kBlack : kWhite;
}

}  // namespace logodds::draw
