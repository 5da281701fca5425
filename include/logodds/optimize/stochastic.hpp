// Stochastic gradient descent over small batches of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "logodds/optimize/objective.hpp"

namespace logodds::optimize {

/// Writes an estimate of the gradient of the mean objective from the rows with these numbers.
using BatchGradient =
    std::function<void(std::span<const double> theta, std::span<const std::uint32_t> rows,
                       std::span<double> gradient)>;

struct StochasticSettings {
  /// Update t has the step `step` / (1 + t / (updates in a pass))^0.6: the sum of all is infinite,
  /// that of their squares is not (Robbins and Monro 1951).
  double step = 0.1;
  std::size_t batch = 32;
  std::size_t passes = 50;
  std::uint64_t seed = 0;
  /// Ends after a pass at whose end the whole gradient is at most this.
  double gradient_tolerance = 1e-8;
  Observer trace{};  ///< of the whole objective, once a pass
};

/// Minimises from `start`; the rows come in another order in every pass, which depends on the seed
/// alone. The result is the better, by the whole objective, of the last point and the mean of all
/// points of the second half of the passes (Polyak and Juditsky 1992). Result.iterations are
/// passes, Result.converged says that the tolerance was met. Throws Error(numeric) when the points
/// run away.
[[nodiscard]] Result minimize_stochastic(const ObjectiveFunction& whole, const BatchGradient& part,
                                         std::size_t rows, std::vector<double> start,
                                         const StochasticSettings& settings = {});

}  // namespace logodds::optimize
