#include <cmath>

#include "logodds/optimize/lasso.hpp"
#include "optimize/lasso_point.hpp"
#include "optimize/lbfgs_history.hpp"

namespace logodds::optimize {
namespace {

constexpr double kDecrease = 1e-4;
constexpr double kRounding = 1e-15;  // of the value: decreases below it mean nothing
constexpr int kMostHalvings = 50;

class Owlqn {
 public:
  Owlqn(const ObjectiveFunction& objective, std::span<const double> costs, Point start,
        const LassoSettings& settings)
      : objective_(objective),
        costs_(costs),
        settings_(settings),
        history_(settings.memory, {}, no_inverse_, start.theta.size()),
        at_(std::move(start)),
        direction_(at_.theta.size()) {
    add_absolutes(costs_, at_.value, at_, pseudo_);
    trial_ = at_;
  }

  Result run() {
    tell(0.0);
    while (at_.norm > settings_.gradient_tolerance && iterations_ < settings_.max_iterations) {
      if (advance()) { continue; }
      if (history_.empty()) { break; }
      history_.clear();
    }
    return {std::move(at_.theta), at_.value, at_.norm, iterations_,
            at_.norm <= settings_.gradient_tolerance};
  }

 private:
  void tell(double step) const {
    if (settings_.trace) { settings_.trace({iterations_, at_.value, at_.norm, step}); }
  }

  bool advance() {
    history_.direction(pseudo_, direction_);
    // What is 0 only leaves it downhill.
    for (std::size_t i = 0; i < direction_.size(); ++i) {
      if (at_.theta[i] == 0.0 && costs_[i] > 0.0 && direction_[i] * pseudo_[i] >= 0.0) {
        direction_[i] = 0.0;
      }
    }
    if (!(dot(direction_, pseudo_) < 0.0)) { return false; }
    double step =
        history_.empty() ? std::min(1.0, 1.0 / std::sqrt(dot(direction_, direction_))) : 1.0;
    for (int halving = 0; halving < kMostHalvings; ++halving, step *= 0.5) {
      if (!try_step(step)) { continue; }
      remember();
      std::swap(at_, trial_);
      std::swap(pseudo_, trial_pseudo_);
      ++iterations_;
      tell(step);
      return true;
    }
    return false;
  }

  /// The step, with the change of the gradient along what is not 0 before and after it: the
  /// curvature that counts is the one among these.
  void remember() {
    changed_ = trial_.gradient;
    for (std::size_t i = 0; i < changed_.size(); ++i) {
      if (at_.theta[i] == 0.0 && trial_.theta[i] == 0.0) { changed_[i] = at_.gradient[i]; }
    }
    history_.add(at_.theta, trial_.theta, at_.gradient, changed_);
  }

  /// A step within the orthant of theta, or, where that is 0, the one that the descent leads into.
  bool try_step(double step) {
    double slope = 0.0;
    for (std::size_t i = 0; i < direction_.size(); ++i) {
      const double side = at_.theta[i] != 0.0 ? at_.theta[i] : -pseudo_[i];
      const double moved = at_.theta[i] + step * direction_[i];
      trial_.theta[i] = costs_[i] > 0.0 && moved * side <= 0.0 ? 0.0 : moved;
      slope += pseudo_[i] * (trial_.theta[i] - at_.theta[i]);
    }
    const double smooth = objective_(trial_.theta, trial_.gradient);
    if (!std::isfinite(smooth)) { return false; }
    add_absolutes(costs_, smooth, trial_, trial_pseudo_);
    const double rounding = kRounding * std::abs(at_.value);
    if (trial_.value <= at_.value + kDecrease * slope) { return slope < 0.0; }
    return -slope <= rounding / kDecrease && trial_.value <= at_.value + rounding &&
           trial_.norm < at_.norm;
  }

  const ObjectiveFunction& objective_;
  std::span<const double> costs_;
  const LassoSettings& settings_;
  LbfgsHistory::Inverse no_inverse_;
  LbfgsHistory history_;
  Point at_;
  Point trial_;
  std::vector<double> pseudo_;
  std::vector<double> trial_pseudo_;
  std::vector<double> direction_;
  std::vector<double> changed_;  ///< gradient
  std::size_t iterations_ = 0;
};

}  // namespace

Result minimize_owlqn(const ObjectiveFunction& objective, std::span<const double> costs,
                      std::vector<double> start, const LassoSettings& settings) {
  return Owlqn(objective, costs, first_point(objective, std::move(start)), settings).run();
}

}  // namespace logodds::optimize
