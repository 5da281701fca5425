// The optimisers by name, on the objective in its own coordinates.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "logodds/optimize/newton.hpp"
#include "logodds/optimize/stochastic.hpp"
#include "models/softmax/solve.hpp"

namespace logodds::models::softmax {

/// Parameters up to which `auto` takes Newton's method.
inline constexpr std::size_t kMostForNewton = 500;

/// What an optimiser may ask of the problem.
struct Task {
  std::size_t dimension = 0;
  std::size_t rows = 0;
  double weight = 0.0;
  optimize::ObjectiveFunction evaluate;
  optimize::HessianFunction hessian{};  ///< or none, where it would be too large
  double hessian_work = 0.0;            ///< multiply-adds of one
  optimize::BatchGradient batch{};      ///< or none
  std::vector<double> costs{};          ///< of absolute values, one a parameter; empty: none
  optimize::ObjectiveFunction rough{};  ///< `evaluate` in single precision, or none
  std::function<void(std::span<double>)> inverse{};  ///< a guess of the inverse Hessian, or none
  /// Whether it has become another one, at a point that is reached; or none: it stays.
  std::function<bool(std::span<const double>)> renew{};
};

struct Outcome {
  optimize::Result result;
  std::string optimizer;  ///< "lbfgs, then newton"
};

/// Throws Error(usage) when the optimiser that is wished for cannot do it.
[[nodiscard]] Outcome run(const Task& task, const Wish& wish, std::vector<double> start,
                          linear::FitTrace& trace);

}  // namespace logodds::models::softmax
