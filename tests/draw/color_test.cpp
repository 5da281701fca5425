#include "logodds/draw/color.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

using namespace logodds::draw;

namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

double to_linear(double share) {
  return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
}

Triple linear_of(Color color) {
  return {to_linear(color.red / 255.0), to_linear(color.green / 255.0),
          to_linear(color.blue / 255.0)};
}

Triple times(const Matrix& matrix, const Triple& v) {
  Triple out{};
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) { out[r] += matrix[r][c] * v[c]; }
    out[r] = std::max(0.0, std::min(1.0, out[r]));
  }
  return out;
}

/// CIE 1976 L*a*b* under D65.
Triple lab(const Triple& linear) {
  const Triple xyz = {
      (0.4124564 * linear[0] + 0.3575761 * linear[1] + 0.1804375 * linear[2]) / 0.95047,
      0.2126729 * linear[0] + 0.7151522 * linear[1] + 0.0721750 * linear[2],
      (0.0193339 * linear[0] + 0.1191920 * linear[1] + 0.9503041 * linear[2]) / 1.08883};
  Triple f{};
  for (std::size_t i = 0; i < 3; ++i) {
    f[i] = xyz[i] > 0.008856 ? std::cbrt(xyz[i]) : 7.787 * xyz[i] + 16.0 / 116.0;
  }
  return {116.0 * f[1] - 16.0, 500.0 * (f[0] - f[1]), 200.0 * (f[1] - f[2])};
}

double distance(const Triple& a, const Triple& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

// Machado, Oliveira & Fernandes, "A Physiologically-based Model for Simulation of Color Vision
// Deficiency" (2009), severity 1, of linear light.
constexpr Matrix kProtanopia = {{{0.152286, 1.052583, -0.204868},
                                 {0.114503, 0.786281, 0.099216},
                                 {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeuteranopia = {{{0.367322, 0.860646, -0.227968},
                                   {0.280085, 0.672501, 0.047413},
                                   {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix kTritanopia = {{{1.255528, -0.076749, -0.178779},
                                 {-0.078411, 0.930809, 0.147602},
                                 {0.004733, 0.691367, 0.303900}}};
constexpr Matrix kUsual = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};

double nearest_pair(std::size_t classes, const Matrix& sight) {
  double least = 1e9;
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      least = std::min(least, distance(lab(times(sight, linear_of(class_color(a)))),
                                       lab(times(sight, linear_of(class_color(b))))));
    }
  }
  return least;
}

}  // namespace

TEST_CASE("eight classes are told apart, whatever the reader's eyes") {
  // A difference of 2.3 is just seen when colors touch; these are seen across a picture.
  CHECK(nearest_pair(8, kUsual) > 25.0);
  CHECK(nearest_pair(4, kProtanopia) > 15.0);
  CHECK(nearest_pair(4, kDeuteranopia) > 15.0);
  CHECK(nearest_pair(4, kTritanopia) > 15.0);
  CHECK(nearest_pair(8, kProtanopia) > 8.0);
  CHECK(nearest_pair(8, kDeuteranopia) > 8.0);
  CHECK(nearest_pair(8, kTritanopia) > 8.0);
}

TEST_CASE("colors of many classes: the first 24 differ") {
  for (std::size_t a = 0; a < 24; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      INFO("classes ", a, " and ", b);
      CHECK(!(class_color(a) == class_color(b)));
    }
  }
  CHECK(class_colors(1000).size() == 1000);
}

TEST_CASE("a mix is the weighted mean of every channel, rounded") {
  const std::array<Color, 3> colors = {{{0, 114, 178}, {213, 94, 0}, {0, 158, 115}}};
  const std::array<double, 3> weights = {0.5, 0.25, 0.25};
  CHECK(mix(colors, weights) == Color{53, 120, 118});  // 53.25, 120, 117.75
  const std::array<double, 3> sure = {0.0, 1.0, 0.0};
  CHECK(mix(colors, sure) == colors[1]);
  CHECK(mix({}, {}) == Color{0, 0, 0});
}

TEST_CASE("tints go from white to the color, and never past either") {
  const Color blue{0, 114, 178};
  CHECK(tint(blue, 0.0) == Color{255, 255, 255});
  CHECK(tint(blue, 1.0) == blue);
  CHECK(tint(blue, 2.0) == Color{0, 0, 101});  // 255 + 2 (c - 255), cut at 0
  CHECK(between(Color{}, Color{255, 255, 255}, 0.5) == Color{128, 128, 128});
  CHECK(hex(Color{0, 114, 178}) == "#0072b2");
}

TEST_CASE("text on a color has a contrast of at least 4.5") {
  const auto light = [](Color color) {
    const Triple v = linear_of(color);
    return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2] + 0.05;
  };
  for (std::size_t k = 0; k < 24; ++k) {
    for (const double share : {0.0, 0.3, 0.6, 1.0}) {
      const Color ground = tint(class_color(k), share);
      const double a = light(ground);
      const double b = light(readable_on(ground));
      CHECK(std::max(a, b) / std::min(a, b) >= 4.5);
    }
  }
}
