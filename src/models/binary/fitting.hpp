// How a two-class objective is minimised and watched.
#pragma once

#include <functional>
#include <vector>

#include "logodds/optimize/objective.hpp"
#include "logodds/registry/options.hpp"
#include "models/binary/objective.hpp"
#include "models/linear/fit_trace.hpp"

namespace logodds::models::binary {

class Fitting {
 public:
  /// `weight`: that of all rows, which the tolerance is per unit of.
  Fitting(BinaryObjective& objective, const Options& options, double weight,
          linear::FitTrace& trace);

  /// Newton's method to the tolerance and on to rounding: it converges quadratically, and where the
  /// classes are separable the loss is so small that the tolerance is met far from the optimum.
  /// Past kMostForNewton columns, L-BFGS.
  [[nodiscard]] optimize::Result minimized(std::vector<double> start);
  /// On from where a result ends.
  [[nodiscard]] optimize::Result further(optimize::Result before, std::size_t iterations,
                                         double tolerance);
  /// Newton's step -H^-1 gradient.
  [[nodiscard]] std::vector<double> step(const std::vector<double>& beta);
  [[nodiscard]] double tolerance() const { return tolerance_; }
  /// Whether a result ended because no more iterations were allowed.
  [[nodiscard]] bool cut_short(const optimize::Result& result) const {
    return !result.converged && result.iterations >= most_;
  }
  /// Of two starts the one with the smaller objective; the first where they are equal.
  [[nodiscard]] std::vector<double> better(std::vector<double> first, std::vector<double> second);

  /// Columns past which a Hessian costs more than it saves.
  static constexpr std::size_t kMostForNewton = 1000;

 private:
  [[nodiscard]] std::function<void(const optimize::Step&)> later_steps();
  [[nodiscard]] optimize::Result newton(std::vector<double> start, std::size_t iterations,
                                        double tolerance);

  BinaryObjective& objective_;
  double tolerance_;
  std::size_t most_;
  linear::FitTrace& trace_;
};

}  // namespace logodds::models::binary
