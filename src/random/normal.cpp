#include "random/normal.hpp"

#include <array>
#include <cmath>

namespace logodds::random {

namespace {

using Polynomial = std::array<double, 8>;  // highest power first

double evaluate(const Polynomial& coefficients, double x) {
  double sum = coefficients[0];
  for (std::size_t i = 1; i < coefficients.size(); ++i) { sum = sum * x + coefficients[i]; }
  return sum;
}

/// numerator(x) / denominator(x)
struct Ratio {
  Polynomial numerator;
  Polynomial denominator;
  [[nodiscard]] double operator()(double x) const {
    return evaluate(numerator, x) / evaluate(denominator, x);
  }
};

constexpr Ratio kCenter = {  // |p - 1/2| <= 0.425
    {2.5090809287301226727e+3, 3.3430575583588128105e+4, 6.7265770927008700853e+4,
     4.5921953931549871457e+4, 1.3731693765509461125e+4, 1.9715909503065514427e+3,
     1.3314166789178437745e+2, 3.3871328727963666080e+0},
    {5.2264952788528545610e+3, 2.8729085735721942674e+4, 3.9307895800092710610e+4,
     2.1213794301586595867e+4, 5.3941960214247511077e+3, 6.8718700749205790830e+2,
     4.2313330701600911252e+1, 1.0}};
constexpr Ratio kTail = {  // down to exp(-25)
    {7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1,
     1.27045825245236838258e+0, 3.64784832476320460504e+0, 5.76949722146069140550e+0,
     4.63033784615654529590e+0, 1.42343711074968357734e+0},
    {1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2,
     1.48103976427480074590e-1, 6.89767334985100004550e-1, 1.67638483018380384940e+0,
     2.05319162663775882187e+0, 1.0}};
constexpr Ratio kFarTail = {
    {2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3,
     2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580e+0,
     5.46378491116411436990e+0, 6.65790464350110377720e+0},
    {2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5,
     7.86869131145613259100e-4, 1.48753612908506148525e-2, 1.36929880922735805310e-1,
     5.99832206555887937690e-1, 1.0}};

/// Of 2 s^2/3 + 2 s^4/5 + ..., highest power first; the next term is below 1e-18 for |s| < 0.172.
constexpr std::array<double, 11> kArtanh = {2.0 / 23, 2.0 / 21, 2.0 / 19, 2.0 / 17,
                                            2.0 / 15, 2.0 / 13, 2.0 / 11, 2.0 / 9,
                                            2.0 / 7,  2.0 / 5,  2.0 / 3};

}  // namespace

double portable_log(double x) {
  // ln 2 in two parts, the first with so few bits that any exponent times it is exact
  constexpr double kLn2High = 0x1.62e42fee00000p-1;
  constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);
  if (mantissa < 0x1.6a09e667f3bcdp-1) {  // sqrt(1/2)
    mantissa *= 2.0;
    --exponent;
  }
  // ln(1 + f) = 2 artanh(s), s = f / (2 + f), |s| < 0.172: 2 s (1 + s^2/3 + s^4/5 + ...)
  const double f = mantissa - 1.0;
  const double s = f / (2.0 + f);
  const double square = s * s;
  double series = 0.0;
  for (const double coefficient : kArtanh) { series = (series + coefficient) * square; }
  const double power_of_two = exponent;
  // 2 s = f - s f, of which f is exact
  return power_of_two * kLn2High + (f - (s * (f - series) - power_of_two * kLn2Low));
}

double normal_quantile(double p) {
  const double q = p - 0.5;
  if (std::fabs(q) <= 0.425) { return q * kCenter(0.180625 - q * q); }
  const double r = std::sqrt(-portable_log(q < 0.0 ? p : 1.0 - p));
  const double z = r <= 5.0 ? kTail(r - 1.6) : kFarTail(r - 5.0);
  return q < 0.0 ? -z : z;
}

}  // namespace logodds::random
