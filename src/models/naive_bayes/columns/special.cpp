#include "models/naive_bayes/columns/special.hpp"

#include <array>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>

#include "models/naive_bayes/columns/common.hpp"

namespace logodds::models::naive_bayes::columns {

namespace {

namespace policies = boost::math::policies;
using policies::ignore_error;
/// Double precision throughout (the same numbers where long double is double), and never throws.
using Quiet =
    policies::policy<policies::domain_error<ignore_error>, policies::pole_error<ignore_error>,
                     policies::overflow_error<ignore_error>,
                     policies::underflow_error<ignore_error>, policies::denorm_error<ignore_error>,
                     policies::evaluation_error<ignore_error>, policies::promote_double<false>>;

/// From here on seven terms of an asymptotic series leave less than 1e-16 of the sum.
constexpr double kLarge = 16.0;

/// sum_i coefficients_i z^-2i
template <std::size_t N>
double inverse_squares(const std::array<double, N>& coefficients, double z) {
  const double factor = 1.0 / (z * z);
  double sum = 0.0;
  for (std::size_t i = N; i-- > 0;) { sum = sum * factor + coefficients[i]; }
  return sum;
}

}  // namespace

double log_factorial(double x) {
  constexpr std::size_t kSmall = 256;
  static const std::array<double, kSmall> table = [] {
    std::array<double, kSmall> logs{};
    for (std::size_t i = 2; i < kSmall; ++i) {
      logs[i] = boost::math::lgamma(static_cast<double>(i) + 1.0, Quiet());
    }
    return logs;
  }();
  return x < static_cast<double>(kSmall) ? table[static_cast<std::size_t>(x)]
                                         : boost::math::lgamma(x + 1.0, Quiet());
}

double stirling_remainder(double z) {
  constexpr std::array kSeries{1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                               1.0 / 1188, -691.0 / 360360, 1.0 / 156};
  if (z >= kLarge) { return inverse_squares(kSeries, z) / z; }
  return boost::math::lgamma(z, Quiet()) - ((z - 0.5) * std::log(z) - z + kHalfLog2Pi);
}

double log_minus_digamma(double a) {
  constexpr std::array kSeries{1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                               1.0 / 132, -691.0 / 32760, 1.0 / 12};
  if (a >= kLarge) { return 0.5 / a + inverse_squares(kSeries, a) / (a * a); }
  return std::log(a) - digamma(a);
}

double log_minus_digamma_slope(double a) { return 1.0 / a - boost::math::trigamma(a, Quiet()); }

double digamma(double a) { return boost::math::digamma(a, Quiet()); }

double log1p_minus(double u) {
  constexpr double kSmall = 0.01;
  if (std::fabs(u) > kSmall) { return std::log1p(u) - u; }
  constexpr std::array kSeries{-1.0 / 2, 1.0 / 3, -1.0 / 4, 1.0 / 5, -1.0 / 6, 1.0 / 7, -1.0 / 8};
  double sum = 0.0;
  for (std::size_t i = kSeries.size(); i-- > 0;) { sum = sum * u + kSeries[i]; }
  return sum * u * u;
}

}  // namespace logodds::models::naive_bayes::columns
