#include "optimize/projected_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace logodds::optimize {

namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) { sum += a[i] * b[i]; }
  return sum;
}

/// One run of the method.
class Run {
 public:
  Run(const NonnegativeProblem& problem, const Optimality& optimality, Vector start,
      const ProjectedNewtonSettings& settings)
      : problem_(problem),
        optimality_(optimality),
        settings_(settings),
        theta_(std::move(start)),
        gradient_(theta_.size()),
        bound_(theta_.size()),
        direction_(theta_.size()) {}

  Result minimize() {
    Result result;
    value_ = problem_.evaluate(theta_, gradient_);
    residual_ = optimality_.residual(theta_, gradient_);
    tell(0, 0.0);
    while (residual_ > settings_.tolerance && result.iterations < settings_.max_iterations) {
      mark_bound();
      find_direction();
      const double step = search();
      if (step == 0.0) {
        result.converged = promised_ <= 1e-10 * std::abs(value_);
        break;
      }
      tell(++result.iterations, step);
    }
    result.converged = result.converged || residual_ <= settings_.tolerance;
    result.theta = std::move(theta_);
    result.value = value_;
    result.gradient_norm = residual_;
    return result;
  }

 private:
  void tell(std::size_t iteration, double step) const {
    if (settings_.trace) { settings_.trace({iteration, value_, residual_, step}); }
  }

  /// Variables that are at 0, or nearly so, and would go below it. Those of scale 0 stay put.
  void mark_bound() {
    constexpr double kNear = 1e-6;
    for (std::size_t i = 0; i < theta_.size(); ++i) {
      const double near = std::min(kNear, residual_);
      bound_[i] = optimality_.scale[i] == 0.0 ||
                  (optimality_.scale[i] * theta_[i] <= near && gradient_[i] > 0.0);
    }
  }

  /// -H^-1 g among the free variables, by conjugate gradients preconditioned with the diagonal; a
  /// bound one goes to 0.
  void find_direction() {
    const std::size_t n = theta_.size();
    // The function may be linear in some directions, of which Newton's step knows no end. What is
    // added to the Hessian vanishes with the residual, so that convergence stays quadratic.
    constexpr double kAdded = 0.01;
    Vector added(n);
    Vector diagonal(n);
    problem_.curve(theta_, diagonal);
    for (std::size_t i = 0; i < n; ++i) {
      added[i] = kAdded * residual_ * optimality_.weight * std::pow(optimality_.scale[i], 2);
      diagonal[i] += added[i];
    }
    Vector r(n);
    Vector z(n);
    Vector product(n);
    const auto precondition = [&] {
      for (std::size_t i = 0; i < n; ++i) { z[i] = bound_[i] ? 0.0 : r[i] / diagonal[i]; }
    };
    std::ranges::fill(direction_, 0.0);
    for (std::size_t i = 0; i < n; ++i) { r[i] = bound_[i] ? 0.0 : -gradient_[i]; }
    precondition();
    Vector p = z;
    double rz = dot(r, z);
    // Ever closer as the end comes near, so that convergence is quadratic (Dembo & Steihaug 1983).
    const double goal = rz * std::pow(std::min(0.1, residual_), 2);
    const std::size_t most = std::min<std::size_t>(2 * n + 10, 1000);
    for (std::size_t iteration = 0; iteration < most && rz > goal; ++iteration) {
      problem_.hessian_times(p, product);
      for (std::size_t i = 0; i < n; ++i) { product[i] += added[i] * p[i]; }
      const double curvature = dot(p, product);
      if (!(curvature > 0.0)) { break; }
      const double step = rz / curvature;
      for (std::size_t i = 0; i < n; ++i) {
        direction_[i] += step * p[i];
        r[i] -= bound_[i] ? 0.0 : step * product[i];
      }
      precondition();
      const double next = dot(r, z);
      for (std::size_t i = 0; i < n; ++i) { p[i] = z[i] + next / rz * p[i]; }
      rz = next;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (bound_[i]) { direction_[i] = -theta_[i]; }
    }
  }

  /// The longest of the steps 1, 1/2, 1/4, ... along the projected path that decreases the value
  /// enough, or within its rounding and with a smaller residual; 0 when there is none.
  double search() {
    constexpr double kShortest = 1e-15;
    constexpr double kEnough = 1e-4;
    const double rounding = 8.0 * std::numeric_limits<double>::epsilon() * std::abs(value_);
    Vector trial(theta_.size());
    Vector gradient(theta_.size());
    for (double step = 1.0; step > kShortest; step /= 2.0) {
      double promised = 0.0;
      for (std::size_t i = 0; i < theta_.size(); ++i) {
        trial[i] = std::max(0.0, theta_[i] + step * direction_[i]);
        promised += gradient_[i] * (bound_[i] ? theta_[i] - trial[i] : -step * direction_[i]);
      }
      if (step == 1.0) { promised_ = promised; }
      const double value = problem_.evaluate(trial, gradient);
      if (!std::isfinite(value)) { continue; }
      const double residual = optimality_.residual(trial, gradient);
      const bool lower = value <= value_ - kEnough * promised;
      if (!lower && !(value <= value_ + rounding && residual < residual_)) { continue; }
      if (value >= value_ && residual >= residual_) { continue; }
      theta_ = std::move(trial);
      gradient_ = std::move(gradient);
      value_ = value;
      residual_ = residual;
      return step;
    }
    return 0.0;
  }

  const NonnegativeProblem& problem_;
  const Optimality& optimality_;
  const ProjectedNewtonSettings& settings_;
  Vector theta_;
  Vector gradient_;
  std::vector<bool> bound_;
  Vector direction_;
  double value_ = 0.0;
  double residual_ = 0.0;
  double promised_ = 0.0;
};

}  // namespace

double Optimality::residual(std::span<const double> theta, std::span<const double> gradient) const {
  double largest = 0.0;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    if (scale[i] == 0.0) { continue; }
    const double u = scale[i] * theta[i];
    const double moved = std::max(0.0, u - gradient[i] / (scale[i] * weight));
    largest = std::max(largest, std::abs(u - moved));
  }
  return largest;
}

Result minimize_projected_newton(const NonnegativeProblem& problem, const Optimality& optimality,
                                 std::vector<double> start,
                                 const ProjectedNewtonSettings& settings) {
  return Run(problem, optimality, std::move(start), settings).minimize();
}

}  // namespace logodds::optimize
