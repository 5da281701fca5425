#include "optimize/line_search.hpp"

#include <algorithm>
#include <cmath>

namespace logodds::optimize {
namespace {

constexpr double kDecrease = 1e-4;  // c1
constexpr double kCurvature = 0.9;  // c2: loose, as quasi-Newton steps are good from the start
constexpr double kMargin = 0.1;     // share of the bracket kept free at both of its ends
constexpr double kRetreat = 0.2;    // share of the bracket tried after a step out of the domain
constexpr int kMaxTrials = 60;

bool finite(const LinePoint& point) {
  return std::isfinite(point.value) && std::isfinite(point.slope);
}

/// Minimum of the cubic through both values and slopes (Nocedal and Wright, eq. 3.59).
double cubic_minimum(const LinePoint& a, const LinePoint& b) {
  const double d1 = a.slope + b.slope - 3.0 * (a.value - b.value) / (a.step - b.step);
  const double d2 = std::sqrt(std::max(0.0, d1 * d1 - a.slope * b.slope));
  return b.step - (b.step - a.step) * (b.slope + d2 - d1) / (b.slope - a.slope + 2.0 * d2);
}

/// Zero of the line through both slopes: the minimum of a quadratic.
double slope_zero(const LinePoint& a, const LinePoint& b) {
  return b.step - b.slope * (b.step - a.step) / (b.slope - a.slope);
}

/// `low` lies on the near side: low enough and still falling. `high`, once there is one, lies on
/// the far side: too high, rising or out of the domain. Between them is an acceptable step.
class Search {
 public:
  Search(const LinePoint& start, double noise) : start_(start), noise_(noise), low_(start) {}

  [[nodiscard]] bool acceptable(const LinePoint& point) const {
    return low_enough(point) && std::abs(point.slope) <= -kCurvature * start_.slope;
  }

  void narrow(const LinePoint& point) {
    if (low_enough(point) && point.slope < 0.0) {
      before_low_ = low_;
      low_ = point;
    } else {
      high_ = point;
      bracketed_ = true;
    }
  }

  [[nodiscard]] double next_step(int trial) const { return bracketed_ ? inside(trial) : beyond(); }

  [[nodiscard]] const LinePoint& low() const { return low_; }

 private:
  [[nodiscard]] bool low_enough(const LinePoint& point) const {
    if (!finite(point)) { return false; }
    return point.value <= start_.value + kDecrease * point.step * start_.slope ||
           std::abs(point.value - start_.value) <= noise_;
  }

  [[nodiscard]] double beyond() const {
    const double guess = slope_zero(before_low_, low_);
    if (!(low_.slope > before_low_.slope)) { return 4.0 * low_.step; }
    return std::clamp(guess, 2.0 * low_.step, 10.0 * low_.step);
  }

  [[nodiscard]] double inside(int trial) const {
    const double width = high_.step - low_.step;
    if (!finite(high_)) { return low_.step + kRetreat * width; }
    const bool values_tell = std::abs(high_.value - low_.value) > noise_;
    const double guess = values_tell ? cubic_minimum(low_, high_) : slope_zero(low_, high_);
    if (trial % 3 == 2 || !std::isfinite(guess)) { return low_.step + 0.5 * width; }
    return std::clamp(guess, low_.step + kMargin * width, high_.step - kMargin * width);
  }

  LinePoint start_;
  double noise_;
  LinePoint low_;
  LinePoint before_low_{};
  LinePoint high_{};
  bool bracketed_ = false;
};

}  // namespace

std::optional<LinePoint> search_line(const LineFunction& line, const LinePoint& start,
                                     double first_step, double noise) {
  Search search(start, noise);
  double step = first_step;
  for (int trial = 0; trial < kMaxTrials; ++trial) {
    const LinePoint point = line(step);
    if (search.acceptable(point)) { return point; }
    search.narrow(point);
    step = search.next_step(trial);
  }
  if (search.low().value < start.value) { return line(search.low().step); }
  return std::nullopt;
}

}  // namespace logodds::optimize
