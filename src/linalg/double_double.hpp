// Numbers as unevaluated sums of two doubles: 106 bits, for residuals.
//
// Sums by Knuth, products by a fused multiply-add (exact on every machine; slow where the processor
// has none): T. J. Dekker, Numerische Mathematik 18 (1971); Hida, Li & Bailey (2001).
#pragma once

#include <cmath>

namespace logodds::linalg {

/// high + low, |low| <= ulp(high) / 2. Relative error of an operation: below 1e-31.
struct DoubleDouble {
  double high = 0.0;
  double low = 0.0;

  [[nodiscard]] double value() const { return high + low; }
};

/// a + b exactly.
[[nodiscard]] inline DoubleDouble exact_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// a b exactly, unless it underflows.
[[nodiscard]] inline DoubleDouble exact_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

[[nodiscard]] inline DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble high = exact_sum(a.high, b.high);
  const DoubleDouble low = exact_sum(a.low, b.low);
  const DoubleDouble first = exact_sum(high.high, high.low + low.high);
  return exact_sum(first.high, first.low + low.low);
}

[[nodiscard]] inline DoubleDouble operator*(const DoubleDouble& a, double b) {
  const DoubleDouble product = exact_product(a.high, b);
  return exact_sum(product.high, std::fma(a.low, b, product.low));
}

[[nodiscard]] inline DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble product = exact_product(a.high, b.high);
  return exact_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

[[nodiscard]] inline DoubleDouble operator-(const DoubleDouble& a) { return {-a.high, -a.low}; }

[[nodiscard]] inline DoubleDouble operator-(const DoubleDouble& a, const DoubleDouble& b) {
  return a + -b;
}

/// Three digits of base 2^53, each from what the ones before leave.
[[nodiscard]] inline DoubleDouble operator/(const DoubleDouble& a, const DoubleDouble& b) {
  const double first = a.high / b.high;
  DoubleDouble rest = a - b * first;
  const double second = rest.high / b.high;
  rest = rest - b * second;
  return exact_sum(first, second) + DoubleDouble{rest.high / b.high, 0.0};
}

/// One step of Newton's method from the root of the high part; 0 of 0.
[[nodiscard]] inline DoubleDouble sqrt(const DoubleDouble& a) {
  if (a.high == 0.0) { return {}; }
  const double root = std::sqrt(a.high);
  const DoubleDouble rest = a - exact_product(root, root);
  return exact_sum(root, rest.high / (2.0 * root));
}

}  // namespace logodds::linalg
