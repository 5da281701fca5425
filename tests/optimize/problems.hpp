// Functions with known answers: start, optimum, value.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace logodds::test {

/// Sum over neighbors of 100 (x_{i+1} - x_i^2)^2 + (1 - x_i)^2: 0 at (1, ..., 1). In more than
/// three dimensions there is a second, local minimum near (-1, 1, ..., 1).
struct Rosenbrock {
  double evaluate(std::span<const double> x, std::span<double> gradient) {
    double value = 0.0;
    for (auto& g : gradient) { g = 0.0; }
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      const double bend = x[i + 1] - x[i] * x[i];
      const double away = 1.0 - x[i];
      value += 100.0 * bend * bend + away * away;
      gradient[i] += -400.0 * x[i] * bend - 2.0 * away;
      gradient[i + 1] += 200.0 * bend;
    }
    return value;
  }
};

/// (x + 2y - 7)^2 + (2x + y - 5)^2: 0 at (1, 3).
struct Booth {
  double evaluate(std::span<const double> x, std::span<double> gradient) {
    const double a = x[0] + 2.0 * x[1] - 7.0;
    const double b = 2.0 * x[0] + x[1] - 5.0;
    gradient[0] = 2.0 * a + 4.0 * b;
    gradient[1] = 4.0 * a + 2.0 * b;
    return a * a + b * b;
  }
};

/// Sum over i = 1, 2, 3 of (c_i - x (1 - y^i))^2, c = 1.5, 2.25, 2.625: 0 at (3, 0.5).
struct Beale {
  double evaluate(std::span<const double> x, std::span<double> gradient) {
    constexpr double kTargets[] = {1.5, 2.25, 2.625};
    double value = 0.0;
    double power = 1.0;  // y^(i - 1)
    gradient[0] = gradient[1] = 0.0;
    for (int i = 1; i <= 3; ++i) {
      const double slope = i * power;
      power *= x[1];
      const double residual = kTargets[i - 1] - x[0] * (1.0 - power);
      value += residual * residual;
      gradient[0] += -2.0 * residual * (1.0 - power);
      gradient[1] += 2.0 * residual * x[0] * slope;
    }
    return value;
  }
};

/// Wood's (Colville's) function: 0 at (1, 1, 1, 1), from (-3, -1, -3, -1).
struct Wood {
  double evaluate(std::span<const double> x, std::span<double> gradient) {
    const double a = x[1] - x[0] * x[0];
    const double b = x[3] - x[2] * x[2];
    const double c = x[1] + x[3] - 2.0;
    const double d = x[1] - x[3];
    gradient[0] = -400.0 * x[0] * a - 2.0 * (1.0 - x[0]);
    gradient[1] = 200.0 * a + 20.0 * c + 0.2 * d;
    gradient[2] = -360.0 * x[2] * b - 2.0 * (1.0 - x[2]);
    gradient[3] = 180.0 * b + 20.0 * c - 0.2 * d;
    return 100.0 * a * a + (1.0 - x[0]) * (1.0 - x[0]) + 90.0 * b * b +
           (1.0 - x[2]) * (1.0 - x[2]) + 10.0 * c * c + 0.1 * d * d;
  }
};

/// 1/2 sum_i c_i (x_i - i)^2 + `offset`, c_i from 1 to `condition` in equal ratios.
struct Quadratic {
  double condition = 1e6;
  double offset = 0.0;
  double evaluate(std::span<const double> x, std::span<double> gradient) const {
    double value = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double away = x[i] - static_cast<double>(i);
      gradient[i] = curvature(i, x.size()) * away;
      value += 0.5 * gradient[i] * away;
    }
    return value + offset;
  }
  [[nodiscard]] double curvature(std::size_t i, std::size_t dimension) const {
    return std::pow(condition, static_cast<double>(i) / static_cast<double>(dimension - 1));
  }
};

/// -sum_i ln(1 - x_i) - ln(1 + x_i) - b.x inside the cube, infinite outside. By coordinate the
/// optimum solves 2x / (1 - x^2) = b, so x = (sqrt(1 + b^2) - 1) / b.
struct Barrier {
  double pull = 1e6;
  double evaluate(std::span<const double> x, std::span<double> gradient) const {
    double value = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!(std::abs(x[i]) < 1.0)) { return std::numeric_limits<double>::infinity(); }
      value -= std::log1p(-x[i]) + std::log1p(x[i]) + pull * x[i];
      gradient[i] = 1.0 / (1.0 - x[i]) - 1.0 / (1.0 + x[i]) - pull;
    }
    return value;
  }
  [[nodiscard]] double optimum() const { return (std::hypot(1.0, pull) - 1.0) / pull; }
};

}  // namespace logodds::test
