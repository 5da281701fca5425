#include "measure/quadratic_form.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

namespace logodds::measure {

namespace {

using Complex = std::complex<double>;

/// K(z) = ln M(z) = c z + sum_i [ -ln(1 - 2 a_i z) / 2 + (b_i z)^2 / (2 (1 - 2 a_i z)) ]
Complex cumulant(const QuadraticForm& form, Complex z) {
  Complex sum = form.constant * z;
  for (std::size_t i = 0; i < form.squares.size(); ++i) {
    const Complex w = 1.0 - 2.0 * form.squares[i] * z;
    const Complex t = form.slopes[i] * z;
    sum += t * t / (2.0 * w) - 0.5 * std::log(w);
  }
  return sum;
}

/// d/ds (K(s) - ln s) at a real s.
double slope_at(const QuadraticForm& form, double s) {
  double sum = form.constant - 1.0 / s;
  for (std::size_t i = 0; i < form.squares.size(); ++i) {
    const double a = form.squares[i];
    const double b = form.slopes[i];
    const double w = 1.0 - 2.0 * a * s;
    sum += (a + b * b * s) / w + a * (b * s / w) * (b * s / w);
  }
  return sum;
}

double curvature_at(const QuadraticForm& form, double s) {
  double sum = 1.0 / (s * s);
  for (std::size_t i = 0; i < form.squares.size(); ++i) {
    const double a = form.squares[i];
    const double b = form.slopes[i];
    const double w = 1.0 - 2.0 * a * s;
    sum += 2.0 * (a / w) * (a / w) + b * b / (w * w * w);
  }
  return sum;
}

/// The minimum of the convex K(s) - ln s over 0 < s < 1 / (2 max a_i), by bisection: the slope goes
/// from -infinity to infinity.
double saddle_point(const QuadraticForm& form) {
  double largest = 0.0;
  double size = 0.0;  // of what the form varies by
  for (std::size_t i = 0; i < form.squares.size(); ++i) {
    largest = std::max(largest, form.squares[i]);
    size = std::max({size, std::abs(form.squares[i]), std::abs(form.slopes[i])});
  }
  double low = 0.0;
  double high = largest > 0.0 ? 0.5 / largest : 1.0 / size;
  for (int i = 0; largest == 0.0 && i < 2000 && slope_at(form, high) < 0.0; ++i) { high *= 2.0; }
  for (int i = 0; i < 1100; ++i) {
    const double middle =
        low > 0.0 && high > 4.0 * low ? std::sqrt(low * high) : 0.5 * (low + high);
    if (middle <= low || middle >= high) { break; }
    (slope_at(form, middle) < 0.0 ? low : high) = middle;
  }
  return low > 0.0 ? low : high;
}

/// The integral along z(u) = s + h (i sinh u - bend (cosh u - 1)), u from 0 on, the other half
/// being its conjugate.
class Contour {
 public:
  /// To the left or to the right, wherever the integrand is the smaller on its way and vanishes
  /// sooner.
  explicit Contour(const QuadraticForm& form)
      : form_(form),
        saddle_(saddle_point(form)),
        at_saddle_(cumulant(form, saddle_).real()),
        height_(1.0 / std::sqrt(curvature_at(form, saddle_))) {
    // So steep that exp(b^2 z^2 / 2), the factor of a coordinate without a square, vanishes.
    constexpr double kTangent = 0.4;
    bend_ = -kTangent;
    const double right = detour();
    bend_ = kTangent;
    if (right < detour()) { bend_ = -kTangent; }
  }

  /// The trapezoidal rule; `offset` 0, or half a step for the points between.
  [[nodiscard]] double sum(double step, double offset) const {
    double sum = offset == 0.0 ? 0.5 * value(0.0).imag() : 0.0;
    double largest = std::abs(sum);
    for (double u = offset == 0.0 ? step : offset; u < kEnd; u += step) {
      const Complex found = value(u);
      if (!std::isfinite(found.real()) || !std::isfinite(found.imag())) { break; }
      sum += found.imag();
      largest = std::max(largest, std::abs(found));
      if (std::abs(found) < kNegligible * largest) { break; }
    }
    return step * sum / std::numbers::pi * std::exp(at_saddle_);
  }

 private:
  static constexpr double kEnd = 700.0;  // e^u is a number
  static constexpr double kNegligible = 1e-17;

  [[nodiscard]] Complex place(double u) const {
    return {saddle_ - height_ * bend_ * (std::cosh(u) - 1.0), height_ * std::sinh(u)};
  }
  /// M(z) / M(s) / z dz/du
  [[nodiscard]] Complex value(double u) const {
    const Complex z = place(u);
    const Complex along(-height_ * bend_ * std::sinh(u), height_ * std::cosh(u));
    return std::exp(cumulant(form_, z) - at_saddle_) / z * along;
  }
  /// The largest ln |M(z) / M(s)| on the way to where it is negligible, plus the length of the way.
  [[nodiscard]] double detour() const {
    constexpr double kStep = 0.25;
    double largest = 0.0;
    double u = kStep;
    for (; u < kEnd; u += kStep) {
      const double size = cumulant(form_, place(u)).real() - at_saddle_;
      largest = std::max(largest, size);
      if (size < 1.5 * std::log(kNegligible) || !(size < kEnd)) { break; }
    }
    return largest + u;
  }

  const QuadraticForm& form_;
  double saddle_;
  double at_saddle_;  ///< ln M(s)
  double height_;
  double bend_ = 0.0;
};

/// What the form cannot pass: its largest value where no square is positive, infinity otherwise.
double upper_end(const QuadraticForm& form, double sign) {
  double end = sign * form.constant;
  for (std::size_t i = 0; i < form.squares.size(); ++i) {
    const double a = sign * form.squares[i];
    const double b = form.slopes[i];
    if (a > 0.0 || (a == 0.0 && b != 0.0)) { return std::numeric_limits<double>::infinity(); }
    if (b != 0.0) { end -= 0.25 * b * (b / a); }
  }
  return end;
}

}  // namespace

double probability_positive(const QuadraticForm& form) {
  constexpr double kFirstStep = 0.2;
  constexpr double kEnough = 1e-12;
  constexpr int kMostHalvings = 6;
  if (upper_end(form, 1.0) <= 0.0) { return 0.0; }
  if (upper_end(form, -1.0) <= 0.0) { return 1.0; }
  const Contour contour(form);
  double step = kFirstStep;
  double found = contour.sum(step, 0.0);
  for (int i = 0; i < kMostHalvings; ++i) {
    const double finer = 0.5 * (found + contour.sum(step, 0.5 * step));
    const bool settled = std::abs(finer - found) <= kEnough * std::abs(finer);
    found = finer;
    step *= 0.5;
    if (settled) { break; }
  }
  return std::clamp(found, 0.0, 1.0);
}

}  // namespace logodds::measure
