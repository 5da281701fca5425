#include "logodds/optimize/bfgs.hpp"

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <optional>

#include "optimize/line_search.hpp"
#include "optimize/point.hpp"

namespace logodds::optimize {
namespace {

using Eigen::VectorXd;
using View = Eigen::Map<const VectorXd>;

constexpr double kNoise = 1e-10;
constexpr double kSmall = 1e-10;

View view(const std::vector<double>& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

class Bfgs {
 public:
  Bfgs(const ObjectiveFunction& objective, Point start, const BfgsSettings& settings)
      : objective_(objective), settings_(settings), at_(std::move(start)), trial_(at_) {
    first_norm_ = at_.norm;
  }

  Result run() {
    tell(0.0);
    bool progress = true;
    while (at_.norm > settings_.gradient_tolerance && progress &&
           iterations_ < settings_.max_iterations) {
      progress = advance();
    }
    const bool converged =
        at_.norm <= settings_.gradient_tolerance || at_.norm <= kSmall * first_norm_;
    return {std::move(at_.theta), at_.value, at_.norm, iterations_, converged};
  }

 private:
  void tell(double step) const {
    if (settings_.trace) { settings_.trace({iterations_, at_.value, at_.norm, step}); }
  }

  bool advance() {
    auto found = descend();
    if (!found && inverse_.size() > 0) {
      inverse_.resize(0, 0);
      found = descend();
    }
    if (!found) { return false; }
    trial_.value = found->value;
    trial_.norm = largest(trial_.gradient);
    update();
    std::swap(at_, trial_);
    ++iterations_;
    tell(found->step);
    return true;
  }

  std::optional<LinePoint> descend() {
    const View gradient = view(at_.gradient);
    const bool known = inverse_.size() > 0;
    direction_ = -gradient;
    if (known) { direction_ = inverse_.selfadjointView<Eigen::Lower>() * direction_; }
    const double slope = gradient.dot(direction_);
    if (!(slope < 0.0)) { return std::nullopt; }
    const auto line = [this](double step) {
      for (std::size_t i = 0; i < at_.theta.size(); ++i) {
        trial_.theta[i] = at_.theta[i] + step * direction_(static_cast<Eigen::Index>(i));
      }
      const double value = objective_(trial_.theta, trial_.gradient);
      return LinePoint{step, value, view(trial_.gradient).dot(direction_)};
    };
    const double first = known ? 1.0 : std::min(1.0, 1.0 / direction_.norm());
    return search_line(line, {0.0, at_.value, slope}, first, kNoise * std::abs(at_.value));
  }

  /// H += (1 + y.Hy / s.y) s s^T / s.y - (Hy s^T + s (Hy)^T) / s.y, lower triangle.
  void update() {
    const VectorXd s = view(trial_.theta) - view(at_.theta);
    const VectorXd y = view(trial_.gradient) - view(at_.gradient);
    const double curvature = s.dot(y);
    if (!(curvature > std::numeric_limits<double>::epsilon() * y.squaredNorm())) { return; }
    if (inverse_.size() == 0) {
      inverse_.setIdentity(s.size(), s.size());
      inverse_ *= curvature / y.squaredNorm();
    }
    const VectorXd hy = inverse_.selfadjointView<Eigen::Lower>() * y;
    auto lower = inverse_.selfadjointView<Eigen::Lower>();
    lower.rankUpdate(s, hy, -1.0 / curvature);
    lower.rankUpdate(s, (1.0 + y.dot(hy) / curvature) / curvature);
  }

  const ObjectiveFunction& objective_;
  const BfgsSettings& settings_;
  Point at_;
  Point trial_;
  Eigen::MatrixXd inverse_;  ///< H, or nothing yet
  VectorXd direction_;
  std::size_t iterations_ = 0;
  double first_norm_ = 0.0;
};

}  // namespace

Result minimize_bfgs(const ObjectiveFunction& objective, std::vector<double> start,
                     const BfgsSettings& settings) {
  return Bfgs(objective, first_point(objective, std::move(start)), settings).run();
}

}  // namespace logodds::optimize
