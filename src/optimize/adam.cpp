#include "optimize/adam.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/layers.hpp"
#include "logodds/error.hpp"
#include "random/row_draws.hpp"

namespace logodds::optimize {

namespace {

constexpr double kFirstRate = 0.9;
constexpr double kSecondRate = 0.999;
constexpr double kTiny = 1e-8;

class Adam {
 public:
  Adam(const BatchFunction& objective, std::vector<double> start, const AdamSettings& settings)
      : objective_(objective),
        settings_(settings),
        batch_(std::clamp<std::size_t>(settings.batch, 1, std::max<std::size_t>(settings.rows, 1))),
        theta_(std::move(start)),
        gradient_(theta_.size()),
        first_(theta_.size(), 0.0),
        second_(theta_.size(), 0.0),
        order_(settings.rows) {
    std::iota(order_.begin(), order_.end(), 0U);
  }

  Result run() {
    Result result;
    std::size_t quiet = 0;  // passes without progress
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t pass = 1; pass <= settings_.passes && !result.converged; ++pass) {
      shuffle(pass);
      result.value = one_pass();
      result.iterations = pass;
      result.gradient_norm = largest_gradient();
      check_finite(result.value);
      quiet = result.value < best - settings_.tolerance ? 0 : quiet + 1;
      best = std::min(best, result.value);
      const bool stop =
          settings_.after_pass &&
          settings_.after_pass({pass, result.value, result.gradient_norm, settings_.step}, theta_);
      result.converged = stop || quiet >= settings_.patience;
    }
    result.theta = std::move(theta_);
    return result;
  }

 private:
  /// Fisher and Yates; the order depends on the seed and the pass alone.
  void shuffle(std::size_t pass) {
    random::RowDraws draws(settings_.seed, pass);
    for (std::size_t left = order_.size(); left > 1; --left) {
      const auto place = static_cast<std::size_t>(draws.uniform() * static_cast<double>(left));
      std::swap(order_[left - 1], order_[place]);
    }
  }

  /// The mean value, each mini-batch counted by its rows.
  double one_pass() {
    double sum = 0.0;
    for (std::size_t begin = 0; begin < order_.size(); begin += batch_) {
      const std::size_t count = std::min(batch_, order_.size() - begin);
      sum += static_cast<double>(count) *
             objective_(theta_, std::span(order_).subspan(begin, count), gradient_);
      first_power_ *= kFirstRate;
      second_power_ *= kSecondRate;
      kernels::adam_update({.b1 = kFirstRate,
                            .b2 = kSecondRate,
                            .step = settings_.step / (1.0 - first_power_),
                            .c2 = 1.0 - second_power_,
                            .tiny = kTiny},
                           gradient_.data(), theta_.size(), theta_.data(), first_.data(),
                           second_.data());
    }
    return sum / static_cast<double>(order_.size());
  }

  [[nodiscard]] double largest_gradient() const {
    double norm = 0.0;
    for (const double value : gradient_) { norm = std::max(norm, std::abs(value)); }
    return norm;
  }

  static void check_finite(double value) {
    if (std::isfinite(value)) { return; }
    throw Error(ErrorCode::numeric,
                "the objective overflows on the way of adam; give a smaller --step");
  }

  const BatchFunction& objective_;
  const AdamSettings& settings_;
  std::size_t batch_;
  std::vector<double> theta_;
  std::vector<double> gradient_;
  std::vector<double> first_;   ///< m
  std::vector<double> second_;  ///< v
  double first_power_ = 1.0;
  double second_power_ = 1.0;
  std::vector<std::uint32_t> order_;
};

}  // namespace

Result minimize_adam(const BatchFunction& objective, std::vector<double> start,
                     const AdamSettings& settings) {
  return Adam(objective, std::move(start), settings).run();
}

}  // namespace logodds::optimize
