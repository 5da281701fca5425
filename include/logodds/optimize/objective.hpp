// What an optimiser needs to know of a function, and nothing else.
#pragma once

#include <concepts>
#include <span>
#include <vector>

namespace logodds::optimize {

/// A smooth function to be minimised: its value at theta, and its gradient written to `gradient`.
template <class F>
concept Objective = requires(F f, std::span<const double> theta, std::span<double> gradient) {
  { f.evaluate(theta, gradient) } -> std::convertible_to<double>;
};

struct Step {
  std::size_t iteration = 0;
  double value = 0.0;
  double gradient_norm = 0.0;  ///< largest absolute component
  double step = 0.0;
};

struct Result {
  std::vector<double> theta;
  double value = 0.0;
  double gradient_norm = 0.0;  ///< largest absolute component
  std::size_t iterations = 0;
  bool converged = false;
};

}  // namespace logodds::optimize
