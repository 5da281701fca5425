// A step length along a direction of descent.
#pragma once

#include <functional>
#include <optional>

namespace logodds::optimize {

/// phi(step) = f(theta + step * direction) and its derivative, the slope.
struct LinePoint {
  double step = 0.0;
  double value = 0.0;
  double slope = 0.0;
};

/// A value or slope that is not finite marks a step outside the domain.
using LineFunction = std::function<LinePoint(double step)>;

/// A step that meets the strong Wolfe conditions
///   phi(a) <= phi(0) + c1 a phi'(0)   and   |phi'(a)| <= c2 |phi'(0)|.
/// Near an optimum differences of values are rounding, so the first may be replaced by
///   |phi(a) - phi(0)| <= noise,
/// which together with the second is the approximate Wolfe condition of Hager and Zhang, "A new
/// conjugate gradient method with guaranteed descent", SIAM J. Optim. 16 (2005), eq. (4.1): it
/// judges by slopes, which are exact to far smaller steps than values.
///
/// `start` is phi at 0 with a negative slope. Nothing when no step is acceptable and none even
/// lowers the value. `line` was last called with the step that is returned.
[[nodiscard]] std::optional<LinePoint> search_line(const LineFunction& line, const LinePoint& start,
                                                   double first_step, double noise);

}  // namespace logodds::optimize
