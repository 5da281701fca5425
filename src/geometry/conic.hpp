// What curve a polynomial of the second degree is zero on.
#pragma once

#include <string>

namespace logodds::geometry {

/// a x^2 + 2 b x y + c y^2 + d x + e y + f, not all of a, b, c zero.
struct Conic {
  double a, b, c, d, e, f;
};

/// The same with (x, y) = T (u, v), T row-major.
[[nodiscard]] Conic in_frame(const Conic& conic, const double* frame);

/// "ellipse", "parabola", "hyperbola", "line pair", "line" (twice the same), "point" or "nowhere".
/// A curvature below 1e-9 of the other is none; a constant below 1e-9 of the terms that cancel, or
/// of the curvature, is 0. So x and y should be in units of about the size of the picture.
[[nodiscard]] std::string conic_kind(const Conic& conic);

/// "points", "point" (a double root) or "nowhere" for a x^2 + b x + c, a not 0, by the same rule.
[[nodiscard]] std::string root_kind(double a, double b, double c);

}  // namespace logodds::geometry
