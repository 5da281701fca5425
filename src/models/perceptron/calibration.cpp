#include "models/perceptron/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace logodds::models::perceptron {

namespace {

/// Derivatives of minus the log-likelihood by b.
struct Slopes {
  double first = 0.0;
  double second = 0.0;
};

class Likelihood1d {
 public:
  Likelihood1d(std::span<const double> scores, std::size_t classes, const InnerRows& rows)
      : scores_(scores), classes_(classes), rows_(rows), sizes_(classes, 0.0) {
    for (std::size_t r = 0; r < rows.rows(); ++r) { sizes_[rows.label(r)] += rows.weight(r); }
  }

  /// sum_r w_r (E_p s - E_t s) and sum_r w_r Var_p s.
  [[nodiscard]] Slopes at(double b) const {
    Slopes slopes;
    for (std::size_t r = 0; r < rows_.rows(); ++r) {
      const auto s = scores_.subspan(r * classes_, classes_);
      const double top = *std::ranges::max_element(s);
      double sum = 0.0;
      double mean = 0.0;
      double square = 0.0;
      double all = 0.0;
      for (const double score : s) {
        const double off = score - top;
        const double e = std::exp(b * off);
        sum += e;
        mean += e * off;
        square += e * off * off;
        all += off;
      }
      mean /= sum;
      const double size = sizes_[rows_.label(r)];
      const double target =
          (size * (s[rows_.label(r)] - top) + all) / (size + static_cast<double>(classes_));
      slopes.first += rows_.weight(r) * (mean - target);
      slopes.second += rows_.weight(r) * (square / sum - mean * mean);
    }
    return slopes;
  }

 private:
  std::span<const double> scores_;
  std::size_t classes_;
  const InnerRows& rows_;
  std::vector<double> sizes_;
};

}  // namespace

double fitted_scale(std::span<const double> scores, std::size_t classes, const InnerRows& rows) {
  constexpr double kLeast = 1e-3;  // of the unit below
  constexpr int kMostSteps = 200;
  double largest = 0.0;
  for (const double score : scores) { largest = std::max(largest, std::abs(score)); }
  if (largest == 0.0 || classes < 2) { return 1.0; }
  const double unit = 1.0 / largest;
  const Likelihood1d likelihood(scores, classes, rows);
  double low = kLeast * unit;
  if (likelihood.at(low).first >= 0.0) { return low; }
  double high = unit;
  while (high < 1e300 && likelihood.at(high).first < 0.0) { high *= 2.0; }
  // Newton's method, halving the bracket where it would leave it.
  double b = high;
  for (int step = 0; step < kMostSteps && high - low > 1e-12 * high; ++step) {
    const Slopes slopes = likelihood.at(b);
    (slopes.first > 0.0 ? high : low) = b;
    const double next = b - slopes.first / slopes.second;
    const double moved = next > low && next < high ? next : 0.5 * (low + high);
    if (std::abs(moved - b) <= 1e-13 * b) { return moved; }
    b = moved;
  }
  return b;
}

}  // namespace logodds::models::perceptron
