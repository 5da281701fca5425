#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "logodds/optimize/lasso.hpp"
#include "optimize/lasso_point.hpp"

namespace logodds::optimize {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kDecrease = 1e-4;
constexpr int kMostHalvings = 40;
// As in newton.cpp: where values are this close their rounding may decide, and the gradient must
// fall by this much.
constexpr double kClose = 1e-9;
constexpr double kProgress = 0.9;
constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon();

/// The minimum over d of a/2 d^2 + g d + c |t + d|, as d.
double soft_step(double a, double g, double c, double t) {
  const double goal = a * t - g;
  return std::copysign(std::max(0.0, std::abs(goal) - c), goal) / a - t;
}

/// A step d, and what the smooth part of the model has for a slope there, g + H d.
struct ModelPoint {
  std::vector<double> step;
  std::vector<double> slope;
};

/// Where coordinate descent creeps, because columns are nearly collinear: straight to the minimum
/// for the signs as they are, or to the first coordinate on the way that would change its own,
/// which is 0 from then on (feature-sign search: Lee, Battle, Raina & Ng, NIPS 2006).
class Jump {
 public:
  Jump(const Matrix& h, const Point& at, std::span<const double> costs)
      : h_(h), theta_(at.theta), costs_(costs) {}

  void run(ModelPoint& model) {
    constexpr int kMostRounds = 20;
    bool more = true;
    for (int round = 0; round < kMostRounds && more; ++round) { more = advance(model); }
  }

 private:
  [[nodiscard]] double value(const ModelPoint& model, Eigen::Index i) const {
    const auto at = static_cast<std::size_t>(i);
    return theta_[at] + model.step[at];
  }

  /// The coordinates that may move, and minus the slope along them.
  void find_free(const ModelPoint& model) {
    free_.clear();
    std::vector<double> down;
    for (std::size_t i = 0; i < theta_.size(); ++i) {
      const double t = theta_[i] + model.step[i];
      if (t == 0.0 && costs_[i] > 0.0) { continue; }
      free_.push_back(static_cast<Eigen::Index>(i));
      down.push_back(-model.slope[i] - std::copysign(costs_[i], t));
    }
    down_ = Eigen::Map<const Eigen::VectorXd>(down.data(), static_cast<Eigen::Index>(down.size()));
  }

  /// False when it is at the minimum for these signs, or finds no way to it.
  bool advance(ModelPoint& model) {
    find_free(model);
    if (free_.empty()) { return false; }
    const Eigen::VectorXd way = Eigen::LDLT<Eigen::MatrixXd>(h_(free_, free_)).solve(down_);
    if (!way.allFinite() || !(way.dot(down_) > 0.0)) { return false; }
    double length = 1.0;
    std::size_t leaving = free_.size();
    for (std::size_t a = 0; a < free_.size(); ++a) {
      const double t = value(model, free_[a]);
      const double move = way(static_cast<Eigen::Index>(a));
      const bool bent = costs_[static_cast<std::size_t>(free_[a])] > 0.0;
      if (!bent || !((t + length * move) * t < 0.0)) { continue; }
      length = -t / move;
      leaving = a;
    }
    Eigen::Map<Eigen::VectorXd> slope(model.slope.data(), h_.rows());
    for (std::size_t a = 0; a < free_.size(); ++a) {
      const auto i = static_cast<std::size_t>(free_[a]);
      const double before = model.step[i];
      model.step[i] =
          a == leaving ? -theta_[i] : before + length * way(static_cast<Eigen::Index>(a));
      slope += (model.step[i] - before) * h_.row(free_[a]).transpose();
    }
    return leaving < free_.size();
  }

  const Matrix& h_;
  const std::vector<double>& theta_;
  std::span<const double> costs_;
  std::vector<Eigen::Index> free_;
  Eigen::VectorXd down_;
};

/// argmin_d g.d + d.H d / 2 + sum c |theta + d| by coordinate descent.
std::vector<double> model_step(const Matrix& h, const Point& at, std::span<const double> costs) {
  constexpr int kMostSweeps = 1000;
  constexpr double kEnough = 1e-12;  // of the largest move of a sweep against the largest so far
  const std::size_t n = costs.size();
  ModelPoint model{std::vector<double>(n, 0.0), at.gradient};
  auto& [step, slope] = model;
  int next_jump = 20;  // sweeps, within which those of well conditioned problems are done
  const double floor = 1e-14 * h.diagonal().maxCoeff();
  double longest = 0.0;
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double moved = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      const double a = h(row, row) + floor;
      if (!(a > 0.0)) { continue; }
      const double change = soft_step(a, slope[i], costs[i], at.theta[i] + step[i]);
      if (change == 0.0) { continue; }
      step[i] += change;
      // Ends exactly at 0, not within rounding of it.
      if (std::abs(at.theta[i] + step[i]) < 1e-15 * std::abs(at.theta[i])) {
        step[i] = -at.theta[i];
      }
      const double* const across = h.data() + i * n;
      for (std::size_t j = 0; j < n; ++j) { slope[j] += across[j] * change; }
      moved = std::max(moved, std::abs(change) * std::sqrt(a));
    }
    longest = std::max(longest, moved);
    if (moved <= kEnough * longest) { break; }
    if (sweep + 1 == next_jump) {
      Jump(h, at, costs).run(model);
      next_jump *= 2;
    }
  }
  return step;
}

}  // namespace

Result minimize_proximal_newton(const ObjectiveFunction& objective, const HessianFunction& hessian,
                                std::span<const double> costs, std::vector<double> start,
                                const LassoSettings& settings) {
  Point at = first_point(objective, std::move(start));
  std::vector<double> pseudo;
  add_absolutes(costs, at.value, at, pseudo);
  const auto n = static_cast<Eigen::Index>(at.theta.size());
  Matrix h(n, n);
  std::size_t iterations = 0;
  double least = at.norm;  // so far: against the last one alone steps could go to and fro for ever
  if (settings.trace) { settings.trace({0, at.value, at.norm, 0.0}); }
  while (at.norm > settings.gradient_tolerance && iterations < settings.max_iterations) {
    hessian(at.theta, {h.data(), static_cast<std::size_t>(n * n)});
    h.triangularView<Eigen::StrictlyUpper>() = h.transpose();
    const auto step = model_step(h, at, costs);
    Point trial = at;
    bool moved = false;
    double length = 1.0;
    for (int halving = 0; halving < kMostHalvings && !moved; ++halving, length *= 0.5) {
      double slope = -absolute_cost(costs, at.theta);
      for (std::size_t i = 0; i < step.size(); ++i) {
        trial.theta[i] = at.theta[i] + length * step[i];
        slope += at.gradient[i] * (trial.theta[i] - at.theta[i]);
      }
      slope += absolute_cost(costs, trial.theta);
      const double smooth = objective(trial.theta, trial.gradient);
      if (!std::isfinite(smooth)) { continue; }
      add_absolutes(costs, smooth, trial, pseudo);
      const double slack = kRounding * std::abs(at.value);
      moved =
          trial.value <= at.value + kDecrease * slope - slack ||
          (trial.value <= at.value + kClose * std::abs(at.value) && trial.norm < kProgress * least);
      if (moved) { break; }
    }
    if (!moved) { break; }
    std::swap(at, trial);
    least = std::min(least, at.norm);
    ++iterations;
    if (settings.trace) { settings.trace({iterations, at.value, at.norm, length}); }
  }
  return {std::move(at.theta), at.value, at.norm, iterations,
          at.norm <= settings.gradient_tolerance};
}

}  // namespace logodds::optimize
