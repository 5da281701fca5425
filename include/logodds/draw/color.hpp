// Colors that everyone tells apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logodds::draw {

/// sRGB.
struct Color {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  friend bool operator==(const Color&, const Color&) = default;
};

/// Of Okabe and Ito's eight the first two, which mean two things that differ.
inline constexpr Color kBlue{0x00, 0x72, 0xB2};
inline constexpr Color kVermilion{0xD5, 0x5E, 0x00};

/// "#0072b2"
[[nodiscard]] std::string hex(Color color);

/// The color of class k: Okabe and Ito's eight (blue, vermilion, green, purple, orange, sky blue,
/// yellow, gray for their black), which color-blind readers tell apart; from the ninth class on the
/// same again, darker and lighter by turns.
[[nodiscard]] Color class_color(std::size_t k);
[[nodiscard]] std::vector<Color> class_colors(std::size_t classes);

/// (1 - share) of white, share of the color.
[[nodiscard]] Color tint(Color color, double share);
/// sum_k weights_k colors_k, channel by channel, rounded: what stands for posteriors. `weights` sum
/// to 1.
[[nodiscard]] Color mix(std::span<const Color> colors, std::span<const double> weights);
/// From `low` at 0 to `high` at 1.
[[nodiscard]] Color between(Color low, Color high, double share);
/// Black or white, whichever is read better on `background`.
[[nodiscard]] Color readable_on(Color background);

}  // namespace logodds::draw
