// Limited-memory BFGS with a line search that still works where values drown in rounding.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "logodds/optimize/objective.hpp"

namespace logodds::optimize {

struct LbfgsSettings {
  /// Pairs of steps and gradient changes kept; each costs 2 x dimension doubles.
  std::size_t memory = 15;
  std::size_t max_iterations = 10000;
  /// Done when the largest absolute component of the gradient is at most this ...
  double gradient_tolerance = 1e-8;
  /// ... or at most this share of its value at the start (0: no such rule).
  double relative_gradient_tolerance = 0.0;
  /// Steps that change the value by no more than its rounding, without the gradient halving, after
  /// which the work ends. Ill-conditioned problems need many such steps to get on.
  std::size_t patience = 100;
  /// Diagonal of the first guess of the inverse Hessian, positive; empty: the identity, scaled so
  /// that the first trial step has length at most 1. Later guesses are this diagonal times
  /// s.y / (y.D y) of the latest step s and gradient change y.
  std::vector<double> diagonal{};
  /// v becomes H v, with a first guess H of the inverse Hessian that is symmetric and positive
  /// definite. It is taken as it is, without such a factor; `diagonal` is then not looked at. When
  /// the tolerance is met by a whole step that has made the gradient four times smaller or more,
  /// another one follows that nobody looks at, unless it changes the value by more than 1e-13 of
  /// it: value and gradient of the result are those before.
  std::function<void(std::span<double>)> inverse{};
  /// Asked before every search, with the point that it starts from: true when `inverse` has become
  /// another one. The pairs that were found before it are then forgotten.
  std::function<bool(std::span<const double>)> renew{};
  /// The objective in fewer digits and less time, or none. It serves until its gradient is a fifth
  /// of what is wanted, or will be after one step more, or its steps are lost in its rounding, of
  /// about 1e-8 |f|; the objective itself then goes on from there, with the pairs that were found.
  /// It is left alone where it is not finite.
  ObjectiveFunction rough{};
  /// The rough objective is that of parameters rounded to single precision. It is asked at such
  /// points only, so that what it answers belongs to the point itself.
  bool rough_in_singles = false;
  /// Told about the start (iteration 0) and every step; may throw to stop the work.
  std::function<void(const Step&)> trace{};
};

/// Minimises from `start`. The same start gives the same bits.
///
/// Result.converged is true when a gradient tolerance was met, and also when no further progress is
/// possible in floating point and what is left is small. No progress: no step in the direction of
/// L-BFGS nor in that of steepest descent is accepted, or for `patience` steps the value has
/// changed by no more than its rounding (4 epsilon |f|) and the gradient has not halved. Small: the
/// decrease that the quadratic model still promises, g.H g / 2, is at most 1e-10 |f|, or the
/// gradient is at most 1e-10 of that at the start. Otherwise (max_iterations, a line search that
/// fails far from an optimum) it is false.
///
/// Throws Error(numeric) when value or gradient at the start are not finite, Error(usage) when
/// `diagonal` does not fit.
[[nodiscard]] Result minimize_lbfgs(const ObjectiveFunction& objective, std::vector<double> start,
                                    const LbfgsSettings& settings = {});

template <Objective F>
[[nodiscard]] Result minimize_lbfgs(F& objective, std::vector<double> start,
                                    const LbfgsSettings& settings = {}) {
  return minimize_lbfgs(
      ObjectiveFunction([&objective](std::span<const double> theta, std::span<double> gradient) {
        return static_cast<double>(objective.evaluate(theta, gradient));
      }),
      std::move(start), settings);
}

}  // namespace logodds::optimize
