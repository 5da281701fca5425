#include "models/naive_bayes/columns/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace logodds::models::naive_bayes::columns {

namespace {

/// Marsaglia & Tsang, "A simple method for generating gamma variables" (ACM TOMS 26, 2000), without
/// their squeeze; shape >= 1.
double draw_large_gamma(double shape, random::RowDraws& draws) {
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  while (true) {
    const double x = draws.normal();
    const double root = 1.0 + c * x;
    if (root <= 0.0) { continue; }
    const double v = root * root * root;
    const double bound = 0.5 * x * x + d * (1.0 - v + random::portable_log(v));
    if (random::portable_log(draws.uniform()) < bound) { return d * v; }
  }
}

/// Successes among n trials: where the middle one in order of n uniform numbers falls tells which
/// half of the trials is decided (Relles, "A simple algorithm for generating binomial random
/// variables when N is large", JASA 67, 1972).
double draw_binomial(double n, double share, random::RowDraws& draws) {
  constexpr double kFew = 16.0;
  double successes = 0.0;
  while (n >= kFew) {
    const double middle = std::floor((n + 1.0) / 2.0);
    const double below = draw_gamma(middle, draws);
    const double beta = below / (below + draw_gamma(n + 1.0 - middle, draws));
    if (beta <= share) {
      successes += middle;
      n -= middle;
      share = std::min(1.0, (share - beta) / (1.0 - beta));
    } else {
      n = middle - 1.0;
      share /= beta;
    }
  }
  for (double i = 0.0; i < n; ++i) { successes += draws.uniform() < share ? 1.0 : 0.0; }
  return successes;
}

}  // namespace

double portable_exp(double x) {
  constexpr double kLn2High = 0x1.62e42fee00000p-1;  // so few bits that n times it is exact
  constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
  if (x < -708.0) { return 0.0; }
  if (x > 709.0) { return std::numeric_limits<double>::infinity(); }
  const double n = std::floor(x / kLn2High + 0.5);
  const double r = (x - n * kLn2High) - n * kLn2Low;  // |r| < 0.35
  double sum = 1.0;
  for (int i = 14; i > 0; --i) { sum = 1.0 + sum * r / i; }  // the next term is below 1e-18
  return std::ldexp(sum, static_cast<int>(n));
}

double draw_gamma(double shape, random::RowDraws& draws) {
  if (shape >= 1.0) { return draw_large_gamma(shape, draws); }
  // X of shape + 1 times U^(1 / shape), ibid.
  const double power = portable_exp(random::portable_log(draws.uniform()) / shape);
  return std::max(draw_large_gamma(shape + 1.0, draws) * power, std::numeric_limits<double>::min());
}

double draw_poisson(double mean, random::RowDraws& draws) {
  constexpr double kSmall = 16.0;
  double before = 0.0;
  // When the m-th of the events comes tells how many are left (Ahrens & Dieter, "Computer methods
  // for sampling from gamma, beta, Poisson and binomial distributions", Computing 12, 1974).
  while (mean > kSmall) {
    const double m = std::floor(mean * 0.875);
    const double time = draw_gamma(m, draws);
    if (time > mean) { return before + draw_binomial(m - 1.0, mean / time, draws); }
    before += m;
    mean -= time;
  }
  const double end = portable_exp(-mean);
  double product = draws.uniform();
  for (; product > end; product *= draws.uniform()) { ++before; }
  return before;
}

}  // namespace logodds::models::naive_bayes::columns
