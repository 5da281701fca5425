// The law of a quadratic form of normal variables, which two Gaussians decide by.
#pragma once

#include <span>

namespace logodds::measure {

/// sum_i (squares_i z_i^2 + slopes_i z_i) + constant with independent standard normal z_i.
struct QuadraticForm {
  std::span<const double> squares;
  std::span<const double> slopes;
  double constant = 0.0;
};

/// The probability that the form is positive, to about 1e-12 of it. The inversion integral of the
/// moment generating function M (Imhof, Biometrika 48, 1961; Rice, SIAM J. Sci. Stat. Comput. 1,
/// 1980),
///   P(Q > 0) = 1 / (2 pi i) integral of M(z) / z dz,
/// along a hyperbola through the saddle point, where the trapezoidal rule converges geometrically;
/// tails of any smallness keep their digits. A form that is constant is positive or not.
[[nodiscard]] double probability_positive(const QuadraticForm& form);

}  // namespace logodds::measure
