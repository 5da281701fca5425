#include "geometry/conic.hpp"

#include <array>
#include <cmath>
#include <utility>

namespace logodds::geometry {

namespace {

constexpr double kTolerance = 1e-9;

/// p s^2 + q t^2 + g s + h t + f with |p| >= |q|: the conic in its principal axes.
struct Principal {
  double p, q, g, h, f;
};

Principal principal_axes(const Conic& conic) {
  const double angle = 0.5 * std::atan2(2.0 * conic.b, conic.a - conic.c);
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const Conic turned = in_frame(conic, std::array{c, -s, s, c}.data());
  Principal axes{turned.a, turned.c, turned.d, turned.e, turned.f};
  if (std::fabs(axes.p) < std::fabs(axes.q)) {
    std::swap(axes.p, axes.q);
    std::swap(axes.g, axes.h);
  }
  return axes;
}

/// The sign of `sum`, or 0 if it is small beside the magnitude of its terms.
int sign(double sum, double magnitude) {
  if (std::fabs(sum) <= kTolerance * magnitude) { return 0; }
  return sum > 0.0 ? 1 : -1;
}

/// p s^2 + h t + g s + f
std::string parabolic_kind(const Principal& c) {
  if (sign(c.h, std::fabs(c.p) + std::fabs(c.g) + std::fabs(c.f)) != 0) { return "parabola"; }
  const std::string roots = root_kind(c.p, c.g, c.f);
  return roots == "points" ? "line pair" : roots == "point" ? "line" : roots;
}

/// Of the polynomial at its center.
int center_sign(const Principal& c) {
  const double first = c.g * c.g / (4.0 * c.p);
  const double second = c.h * c.h / (4.0 * c.q);
  return sign(c.f - first - second,
              std::fabs(c.f) + std::fabs(first) + std::fabs(second) + std::fabs(c.p));
}

}  // namespace

Conic in_frame(const Conic& conic, const double* frame) {
  const auto [a, b, c, d, e, f] = conic;
  const double p = frame[0], q = frame[1], r = frame[2], s = frame[3];
  return {p * p * a + 2.0 * p * r * b + r * r * c,
          p * q * a + (p * s + q * r) * b + r * s * c,
          q * q * a + 2.0 * q * s * b + s * s * c,
          p * d + r * e,
          q * d + s * e,
          f};
}

std::string conic_kind(const Conic& conic) {
  const Principal axes = principal_axes(conic);
  if (sign(axes.q, std::fabs(axes.p)) == 0) { return parabolic_kind(axes); }
  const int at_center = center_sign(axes);
  if ((axes.p > 0.0) != (axes.q > 0.0)) { return at_center == 0 ? "line pair" : "hyperbola"; }
  if (at_center == 0) { return "point"; }
  return (at_center > 0) == (axes.p > 0.0) ? "nowhere" : "ellipse";
}

std::string root_kind(double a, double b, double c) {
  const int discriminant = sign(b * b - 4.0 * a * c, b * b + std::fabs(4.0 * a * c) + a * a);
  return discriminant > 0 ? "points" : discriminant == 0 ? "point" : "nowhere";
}

}  // namespace logodds::geometry
