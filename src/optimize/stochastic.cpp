#include "logodds/optimize/stochastic.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "logodds/data/schema.hpp"
#include "logodds/error.hpp"
#include "optimize/point.hpp"
#include "random/row_draws.hpp"

namespace logodds::optimize {
namespace {

constexpr double kSlowing = 0.6;

/// Fisher and Yates; a remainder of 64 random bits favours no place by more than rows / 2^64.
void shuffle(std::vector<std::uint32_t>& order, std::uint64_t seed, std::size_t pass) {
  random::RowDraws draws(seed, pass);
  for (std::size_t left = order.size(); left > 1; --left) {
    std::swap(order[left - 1], order[static_cast<std::size_t>(draws.bits() % left)]);
  }
}

class Stochastic {
 public:
  Stochastic(const ObjectiveFunction& whole, const BatchGradient& part, std::size_t rows,
             Point start, const StochasticSettings& settings)
      : whole_(whole), part_(part), settings_(settings), at_(std::move(start)), order_(rows) {
    std::iota(order_.begin(), order_.end(), 0U);
    mean_.assign(at_.theta.size(), 0.0);
    gradient_.resize(at_.theta.size());
  }

  Result run() {
    tell(0, 0.0);
    std::size_t pass = 0;
    while (pass < settings_.passes && at_.norm > settings_.gradient_tolerance) {
      run_pass(pass++);
      evaluate(at_);
      tell(pass, last_step_);
    }
    take_mean_if_better();
    return {std::move(at_.theta), at_.value, at_.norm, pass,
            at_.norm <= settings_.gradient_tolerance};
  }

 private:
  void tell(std::size_t pass, double step) const {
    if (settings_.trace) { settings_.trace({pass, at_.value, at_.norm, step}); }
  }

  void run_pass(std::size_t pass) {
    shuffle(order_, settings_.seed, pass);
    const std::size_t batch = std::clamp<std::size_t>(settings_.batch, 1, order_.size());
    const double updates =
        std::ceil(static_cast<double>(order_.size()) / static_cast<double>(batch));
    for (std::size_t begin = 0; begin < order_.size(); begin += batch) {
      const std::size_t count = std::min(batch, order_.size() - begin);
      last_step_ =
          settings_.step / std::pow(1.0 + static_cast<double>(updates_++) / updates, kSlowing);
      part_(at_.theta, std::span(order_).subspan(begin, count), gradient_);
      for (std::size_t i = 0; i < gradient_.size(); ++i) {
        at_.theta[i] -= last_step_ * gradient_[i];
      }
      if (2 * pass >= settings_.passes) { add_to_mean(); }
    }
  }

  void add_to_mean() {
    ++averaged_;
    for (std::size_t i = 0; i < mean_.size(); ++i) {
      mean_[i] += (at_.theta[i] - mean_[i]) / static_cast<double>(averaged_);
    }
  }

  void evaluate(Point& point) const {
    point.value = whole_(point.theta, point.gradient);
    point.norm = largest(point.gradient);
    if (!std::isfinite(point.value) || !std::isfinite(point.norm)) {
      throw Error(ErrorCode::numeric,
                  "stochastic gradient descent ran away; give a smaller --step, such as " +
                      format_number(std::min(0.1, 0.1 * settings_.step)) +
                      ", or --optimizer lbfgs");
    }
  }

  void take_mean_if_better() {
    if (averaged_ == 0) { return; }
    Point mean{.theta = mean_, .gradient = gradient_};
    evaluate(mean);
    if (mean.value < at_.value) { at_ = std::move(mean); }
  }

  const ObjectiveFunction& whole_;
  const BatchGradient& part_;
  const StochasticSettings& settings_;
  Point at_;
  std::vector<std::uint32_t> order_;
  std::vector<double> mean_;
  std::vector<double> gradient_;
  std::size_t updates_ = 0;
  std::size_t averaged_ = 0;
  double last_step_ = 0.0;
};

}  // namespace

Result minimize_stochastic(const ObjectiveFunction& whole, const BatchGradient& part,
                           std::size_t rows, std::vector<double> start,
                           const StochasticSettings& settings) {
  return Stochastic(whole, part, rows, first_point(whole, std::move(start)), settings).run();
}

}  // namespace logodds::optimize
