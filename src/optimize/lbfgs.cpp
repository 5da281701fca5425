#include "logodds/optimize/lbfgs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "logodds/error.hpp"
#include "optimize/lbfgs_history.hpp"
#include "optimize/line_search.hpp"
#include "optimize/point.hpp"

namespace logodds::optimize {
namespace {

constexpr double kNoise = 1e-10;      // share of |f| below which differences of values mean nothing
constexpr double kRoughNoise = 1e-7;  // the same of the rough objective
constexpr double kSteady = 0.25;      // a step makes the gradient so small: the next one will, too
constexpr double kRoughShare = 0.2;   // of the tolerance: leaves room for what roughness hides
constexpr double kUnseen = 1e-13;     // of |f|, in steps that nobody looks at
constexpr double kSmall = 1e-10;      // what counts as small once there is no progress
constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon();

/// Rounded to single precision, where that holds it.
double as_single(double value) {
  const auto rounded = static_cast<double>(static_cast<float>(value));
  return std::isfinite(rounded) ? rounded : value;
}

class Lbfgs {
 public:
  Lbfgs(const ObjectiveFunction& objective, std::vector<double> start,
        const LbfgsSettings& settings)
      : objective_(&objective),
        settings_(settings),
        history_(settings.memory, settings.diagonal, settings.inverse, start.size()) {
    at_.theta = std::move(start);
    trial_.theta.resize(at_.theta.size());
    trial_.gradient.resize(at_.theta.size());
    direction_.resize(at_.theta.size());
  }

  Result run() {
    if (settings_.rough) { run_roughly(); }
    begin();
    bool progress = true;
    while (!tolerance_met() && progress && iterations_ < settings_.max_iterations) {
      progress = advance() && !stagnant();
    }
    if (quiet_steps_ > 0 && best_.norm < at_.norm) { at_ = best_; }
    const bool converged = tolerance_met() || (!progress && rest_is_small());
    // After a steady step the next one makes the gradient smaller by another such factor; where it
    // changes no digit of the value it need not be looked at, which would take a pass over the
    // rows.
    if (tolerance_met() && steady_ && settings_.inverse &&
        -0.5 * downhill() <= kUnseen * std::abs(at_.value)) {
      move_by_direction();
    }
    return {std::move(at_.theta), at_.value, at_.norm, iterations_, converged};
  }

 private:
  void begin() {
    const double norm = at_.norm;
    at_ = first_point(*objective_, std::move(at_.theta));
    steady_ = leapt_ && at_.norm <= kSteady * norm;
    if (leapt_) { tell(1.0); }
    if (iterations_ > 0) { return; }
    first_norm_ = at_.norm;
    tell(0.0);
  }

  /// Steps on the rough objective.
  void run_roughly() {
    const ObjectiveFunction* const exact = std::exchange(objective_, &settings_.rough);
    noise_ = kRoughNoise;
    share_ = kRoughShare;
    at_.gradient.resize(at_.theta.size());
    for (double& t : at_.theta) { t = representable(t); }
    at_.value = (*objective_)(at_.theta, at_.gradient);
    at_.norm = largest(at_.gradient);
    first_norm_ = at_.norm;
    bool progress = std::isfinite(at_.value) && std::isfinite(at_.norm);
    if (progress) { tell(0.0); }
    bool nearly_there = false;
    while (progress && !nearly_there && !tolerance_met() &&
           iterations_ < settings_.max_iterations) {
      const double value = at_.value;
      const double norm = at_.norm;
      progress = advance() &&
                 (value - at_.value > kRoughNoise * std::abs(value) || at_.norm <= 0.5 * norm);
      nearly_there = at_.norm <= kSteady * norm && at_.norm / norm * at_.norm <= wanted_norm();
    }
    if (nearly_there && !tolerance_met() && iterations_ < settings_.max_iterations) { leap(); }
    objective_ = exact;
    noise_ = kNoise;
    share_ = 1.0;
    quiet_steps_ = 0;
  }

  /// A step that the objective itself will look at, for the rough one has nothing to add.
  void leap() {
    leapt_ = move_by_direction();
    if (leapt_) { ++iterations_; }
  }

  /// Goes along -H g; false when that is not downhill. Value and gradient stay those before it.
  bool move_by_direction() {
    if (!(downhill() < 0.0)) { return false; }
    for (std::size_t i = 0; i < direction_.size(); ++i) { at_.theta[i] += direction_[i]; }
    return true;
  }

  void tell(double step) const {
    if (settings_.trace) { settings_.trace({iterations_, at_.value, at_.norm, step}); }
  }

  [[nodiscard]] double wanted_norm() const {
    return std::max(share_ * settings_.gradient_tolerance,
                    settings_.relative_gradient_tolerance * first_norm_);
  }

  [[nodiscard]] bool tolerance_met() const { return at_.norm <= wanted_norm(); }

  [[nodiscard]] bool rest_is_small() const {
    return promised_ <= kSmall * std::abs(at_.value) || at_.norm <= kSmall * first_norm_;
  }

  /// One step; false when no step is accepted in any direction.
  bool advance() {
    if (settings_.renew && settings_.renew(at_.theta)) { history_.clear(); }
    auto found = descend();
    if (!found && !history_.empty()) {
      const double promised = promised_;
      history_.clear();
      found = descend();
      promised_ = promised;  // steepest descent knows nothing of the curvature
    }
    if (!found) { return false; }
    history_.add(at_.theta, trial_.theta, at_.gradient, trial_.gradient);
    const double change = std::abs(found->value - at_.value);
    trial_.value = found->value;
    trial_.norm = largest(trial_.gradient);
    steady_ = found->step == 1.0 && trial_.norm <= kSteady * at_.norm;
    std::swap(at_, trial_);
    ++iterations_;
    tell(found->step);
    watch(change);
    return true;
  }

  /// Searches along -H g.
  std::optional<LinePoint> descend() {
    double slope = downhill();
    if (!(slope < 0.0) && !history_.empty()) {
      history_.clear();
      slope = downhill();
    }
    if (!(slope < 0.0)) { return std::nullopt; }
    promised_ = -0.5 * slope;
    const double length = std::sqrt(dot(direction_, direction_));
    const bool scaled = !history_.empty() || !settings_.diagonal.empty() || settings_.inverse;
    const double first_step = scaled ? 1.0 : std::min(1.0, 1.0 / length);
    return search_line([this](double step) { return try_step(step); }, {0.0, at_.value, slope},
                       first_step, noise_ * std::abs(at_.value));
  }

  /// Sets the direction to -H g and returns the slope along it.
  double downhill() {
    history_.direction(at_.gradient, direction_);
    return dot(at_.gradient, direction_);
  }

  /// What `objective_` tells from its neighbors.
  [[nodiscard]] double representable(double value) const {
    return objective_ == &settings_.rough && settings_.rough_in_singles ? as_single(value) : value;
  }

  LinePoint try_step(double step) {
    for (std::size_t i = 0; i < direction_.size(); ++i) {
      trial_.theta[i] = representable(at_.theta[i] + step * direction_[i]);
    }
    const double value = (*objective_)(trial_.theta, trial_.gradient);
    return {step, value, dot(trial_.gradient, direction_)};
  }

  /// Counts the steps that only move within rounding, and keeps the best of their points.
  void watch(double change) {
    if (change > kRounding * std::abs(at_.value)) {
      quiet_steps_ = 0;
      return;
    }
    if (quiet_steps_ == 0 || at_.norm < best_.norm) { best_ = at_; }
    if (quiet_steps_ == 0 || at_.norm <= 0.5 * halved_norm_) {
      halved_norm_ = at_.norm;
      quiet_steps_ = 0;
    }
    ++quiet_steps_;
  }

  [[nodiscard]] bool stagnant() const { return quiet_steps_ > settings_.patience; }

  const ObjectiveFunction* objective_;
  double noise_ = kNoise;  ///< of `objective_`
  double share_ = 1.0;     ///< of the gradient tolerance that `objective_` has to meet
  bool leapt_ = false;     ///< off the rough objective
  bool steady_ = false;    ///< the last step was a whole one that made the gradient much smaller
  const LbfgsSettings& settings_;
  LbfgsHistory history_;
  Point at_;
  Point trial_;
  Point best_;  ///< of the quiet steps, by gradient
  std::vector<double> direction_;
  std::size_t iterations_ = 0;
  std::size_t quiet_steps_ = 0;
  double halved_norm_ = 0.0;
  double first_norm_ = 0.0;
  double promised_ = std::numeric_limits<double>::infinity();  ///< decrease, g.H g / 2
};

}  // namespace

Result minimize_lbfgs(const ObjectiveFunction& objective, std::vector<double> start,
                      const LbfgsSettings& settings) {
  const auto& diagonal = settings.diagonal;
  const bool positive = std::ranges::all_of(
      diagonal, [](double value) { return std::isfinite(value) && value > 0.0; });
  if (!positive || (!diagonal.empty() && diagonal.size() != start.size())) {
    throw Error(ErrorCode::usage, "the diagonal given to the optimizer must hold " +
                                      std::to_string(start.size()) +
                                      " positive numbers; give one for each parameter or none");
  }
  return Lbfgs(objective, std::move(start), settings).run();
}

}  // namespace logodds::optimize
