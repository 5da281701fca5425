#include "models/naive_bayes/columns/bumps.hpp"

#include "kernels/kernels.hpp"

namespace logodds::models::naive_bayes::columns {

namespace {

constexpr double kFarthest = 1e150;  // z^2 is in range; beyond, the density stays what it is

/// Beyond, squares of z lose the digits of their differences.
constexpr double kFarFromFew = 30.0;

double reach_of(const std::vector<double>& weights, double weight) {
  const double least = *std::ranges::min_element(weights);
  return 2.0 * (std::log(weight / least) + 60.0 * std::log(2.0));
}

}  // namespace

Bumps::Bumps(Sample sample, double width)
    : values_(std::move(sample.values)),
      weights_(std::move(sample.weights)),
      weight_(sample.weight),
      count_(sample.count),
      width_(width),
      constant_(-std::log(width) - kHalfLog2Pi - std::log(weight_)),
      reach_(reach_of(weights_, weight_)),
      cells_(values_, weights_, width),
      tails_(values_, width, reach_),
      choice_(weights_) {}

double Bumps::draw(random::RowDraws& draws) const {
  const double value = values_[choice_.draw(draws)];
  return value + width_ * draws.normal();
}

double Bumps::effective_parameters() const {
  double sum = 0.0;
  for (std::size_t v = 0; v < values_.size(); ++v) {
    sum += weights_[v] * std::exp(constant_ - log_density(values_[v]));
  }
  return sum;
}

double Bumps::thin_log_density(double x) const {
  const auto next = std::lower_bound(values_.begin(), values_.end(), x);
  const auto above = static_cast<std::size_t>(next - values_.begin());
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const double z_above = next != values_.end() ? (*next - x) / width_ : kNone;
  const double z_below = next != values_.begin() ? (x - *(next - 1)) / width_ : kNone;
  const double nearest = std::min(z_below, z_above);
  const double far = values_.size() > BumpCells::kFew ? BumpTails::kLeast : kFarFromFew;
  return constant_ +
         (nearest < far ? near_log_sum(x, nearest) : far_log_sum(above, z_below, z_above));
}

/// Terms are in proportion to that of the nearest value.
double Bumps::near_log_sum(double x, double nearest) const {
  constexpr double kMargin = 1.0 + 1e-12;  // the nearest value is within the range
  const double range = width_ * std::sqrt(nearest * nearest + reach_) * kMargin;
  const auto first = std::lower_bound(values_.begin(), values_.end(), x - range);
  const auto last = std::upper_bound(first, values_.end(), x + range);
  const auto from = static_cast<std::size_t>(first - values_.begin());
  const auto many = static_cast<std::size_t>(last - first);
  const double fall = 0.5 * nearest * nearest;
  return std::log(
             kernels::kernel_sum(&values_[from], &weights_[from], many, x, 1.0 / width_, fall)) -
         fall;
}

/// Both sides in proportion to a bump on the nearest value: z^2 - z_0^2 = (z - z_0) (z + z_0).
double Bumps::far_log_sum(std::size_t above, double z_below, double z_above) const {
  using Side = BumpTails::Side;
  const bool nearer_below = z_below < z_above || above == values_.size();
  const auto log_sum = [&](bool below) {
    const double z = std::min(below ? z_below : z_above, kFarthest);
    return below ? tails_.log_sum(values_, weights_, Side::below, above - 1, z)
                 : tails_.log_sum(values_, weights_, Side::above, above, z);
  };
  const double nearest = std::min({z_below, z_above, kFarthest});
  const double farther = std::max(z_below, z_above);
  const double behind = 0.5 * (farther - nearest) * (farther + nearest);
  double sum = log_sum(nearer_below);
  if (behind < 0.5 * reach_) { sum += std::log1p(std::exp(log_sum(!nearer_below) - behind - sum)); }
  return sum - 0.5 * nearest * nearest;
}

}  // namespace logodds::models::naive_bayes::columns
