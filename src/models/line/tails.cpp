#include "models/line/tails.hpp"

#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>

namespace logodds::models::line {

namespace {

namespace policies = boost::math::policies;
/// Results instead of exceptions, and no promotion to long double.
using Quiet = policies::policy<policies::domain_error<policies::ignore_error>,
                               policies::overflow_error<policies::ignore_error>,
                               policies::evaluation_error<policies::ignore_error>,
                               policies::promote_double<false>>;

/// I_x(a, b), 1 - x being given as well because it may be far smaller than x.
double beta_ratio(double a, double b, double x, double rest) {
  return x < rest ? boost::math::ibeta(a, b, x, Quiet()) : boost::math::ibetac(b, a, rest, Quiet());
}

}  // namespace

double student_two_sided(double t, double df) {
  if (std::isinf(t)) { return 0.0; }
  const double square = t * t;
  return beta_ratio(df / 2.0, 0.5, df / (df + square), square / (df + square));
}

double fisher_upper(double f, double d1, double d2) {
  if (std::isinf(f)) { return 0.0; }
  const double part = d1 * f;
  return beta_ratio(d2 / 2.0, d1 / 2.0, d2 / (d2 + part), part / (d2 + part));
}

}  // namespace logodds::models::line
