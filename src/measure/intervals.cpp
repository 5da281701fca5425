#include "measure/intervals.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

namespace logodds::measure {

namespace {

namespace policies = boost::math::policies;
using Quiet = policies::policy<policies::overflow_error<policies::ignore_error>,
                               policies::promote_double<false>>;

double clopper_pearson_lower(double x, double n, double tail) {
  return x <= 0.0 ? 0.0 : boost::math::ibeta_inv(x, n - x + 1.0, tail, Quiet());
}

}  // namespace

std::string_view method_name(IntervalMethod method) {
  switch (method) {
    case IntervalMethod::exact:
      return "exact";
    case IntervalMethod::delong:
      return "delong";
    case IntervalMethod::mover:
      return "mover";
    case IntervalMethod::jackknife:
      return "jackknife";
    case IntervalMethod::bootstrap:
      return "bootstrap";
    case IntervalMethod::none:
      break;
  }
  return "none";
}

Estimate exact_share(const Share& share, double level) {
  Estimate found;
  if (!(share.whole > 0.0)) { return found; }
  // Sums of weights are rounded in different orders, so a share of all rows may miss 1 by a bit.
  const double p = std::clamp(share.part / share.whole, 0.0, 1.0);
  const double spread = (1.0 - p) * (1.0 - p) * share.part_squares +
                        p * p * (share.whole_squares - share.part_squares);
  const double whole_squared = share.whole * share.whole;
  const bool all_or_none = !(p * (1.0 - p) > 0.0) || !(spread > 0.0);
  const double effective = whole_squared / share.whole_squares;
  double n = all_or_none ? effective : p * (1.0 - p) * whole_squared / spread;
  // Where all rows of one kind are light, n may be larger than the rows are: by chance, if they are
  // few.
  constexpr double kEnough = 10.0;
  const double rest = share.whole - share.part;
  const double fewer = std::min(share.part * share.part / share.part_squares,
                                rest * rest / (share.whole_squares - share.part_squares));
  if (!(fewer >= kEnough)) { n = std::min(n, effective); }
  const double tail = 0.5 * (1.0 - level);
  found.value = p;
  if (!std::isfinite(n) || !(n > 0.0)) { return found; }  // squares of weights that overflow
  found.lower = clopper_pearson_lower(p * n, n, tail);
  found.upper = 1.0 - clopper_pearson_lower((1.0 - p) * n, n, tail);
  found.method = IntervalMethod::exact;
  return found;
}

double normal_quantile(double level) {
  return std::numbers::sqrt2 * boost::math::erf_inv(level, Quiet());
}

double student_quantile(double level, double degrees) {
  constexpr double kNormal = 1e6;  // degrees, from which on the two agree to six digits
  if (!(degrees < kNormal)) { return normal_quantile(level); }
  // P(|t| > q) = I_x(degrees / 2, 1 / 2) with x = degrees / (degrees + q^2).
  const double x = boost::math::ibeta_inv(0.5 * degrees, 0.5, 1.0 - level, Quiet());
  return std::sqrt(degrees * (1.0 - x) / x);
}

Estimate jackknife(double value, double variance, double rows, Scale scale, double level,
                   double least, double most) {
  Estimate found{.value = value};
  constexpr double kRounding = 1e-14;  // a deviation below it is that of the arithmetic
  const double noise = kRounding * std::max(1.0, std::abs(value));
  if (!(variance > noise * noise) || !(rows > 1.0)) { return found; }
  const double reach = student_quantile(level, rows - 1.0) * std::sqrt(variance);
  if (scale == Scale::plain) {
    found.lower = value - reach;
    found.upper = value + reach;
  } else if (scale == Scale::logit) {
    if (!(value > 0.0 && value < 1.0)) { return found; }
    const double logit = std::log(value / (1.0 - value));
    const double step = reach / (value * (1.0 - value));
    found.lower = 1.0 / (1.0 + std::exp(step - logit));
    found.upper = 1.0 / (1.0 + std::exp(-step - logit));
  } else {
    if (!(std::abs(value) < 1.0)) { return found; }
    const double step = reach / (1.0 - value * value);
    found.lower = std::tanh(std::atanh(value) - step);
    found.upper = std::tanh(std::atanh(value) + step);
  }
  found.lower = std::max(found.lower, least);
  found.upper = std::min(found.upper, most);
  found.method = IntervalMethod::jackknife;
  return found;
}

Estimate mean_of(const Measures::LossSums& losses, const RowWeights& weights, double level,
                 double least, double most) {
  const double mean = losses.sum / weights.sum;
  const double rows = weights.sum * weights.sum / weights.squares;
  const double squares =
      losses.squares - 2.0 * mean * losses.squared_weights + mean * mean * weights.squares;
  const double variance =
      std::max(0.0, squares) / (weights.sum * weights.sum) * rows / (rows - 1.0);
  return jackknife(mean, variance, rows, Scale::plain, level, least, most);
}

}  // namespace logodds::measure
