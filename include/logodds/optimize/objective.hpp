// What an optimiser needs to know of a function, and nothing else.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace logodds::optimize {

/// A smooth function to be minimised: its value at theta, and its gradient written to `gradient`.
template <class F>
concept Objective = requires(F f, std::span<const double> theta, std::span<double> gradient) {
  { f.evaluate(theta, gradient) } -> std::convertible_to<double>;
};

/// Value at theta, gradient written to the second span. A value or gradient that is not finite
/// says that theta is outside the domain: a line search then takes a shorter step.
using ObjectiveFunction = std::function<double(std::span<const double>, std::span<double>)>;

struct Step {
  std::size_t iteration = 0;
  double value = 0.0;
  double gradient_norm = 0.0;  ///< largest absolute component
  double step = 0.0;
};

/// Told about the start (iteration 0) and every step; may throw to stop the work.
using Observer = std::function<void(const Step&)>;

struct Result {
  std::vector<double> theta;
  double value = 0.0;
  double gradient_norm = 0.0;  ///< largest absolute component
  std::size_t iterations = 0;
  bool converged = false;
};

}  // namespace logodds::optimize
