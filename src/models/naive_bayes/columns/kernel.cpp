// Kernel density: a normal bump of one bandwidth on every training value of a class.
#include <array>

#include "kernels/kernels.hpp"
#include "models/naive_bayes/columns/drawing.hpp"
#include "models/naive_bayes/columns/samples.hpp"

namespace logodds::models::naive_bayes::columns {

namespace {

/// Silverman's rule of thumb as R's bw.nrd0 has it: 0.9 min(sd, IQR / 1.34) n^(-1/5), with the same
/// substitutes where that is 0: sd, then the size of a value, then 1.
double bandwidth(const Sample& sample) {
  const double sd = std::sqrt(sample_variance(sample));
  double spread = std::min(sd, interquartile_range(sample) / 1.34);
  for (const double substitute : {sd, std::fabs(sample.values.front()), 1.0}) {
    if (spread == 0.0) { spread = substitute; }
  }
  return 0.9 * spread * std::pow(sample.count, -0.2);
}

/// The density of one class.
class Bumps {
 public:
  Bumps(Sample sample, double width)
      : values_(std::move(sample.values)),
        weights_(std::move(sample.weights)),
        weight_(sample.weight),
        count_(sample.count),
        width_(width),
        constant_(-std::log(width) - kHalfLog2Pi - std::log(weight_)),
        choice_(weights_) {
    // What lies further than the nearest value by this much in z^2 adds less than 2^-60 in all.
    const double least = *std::min_element(weights_.begin(), weights_.end());
    reach_ = 2.0 * (std::log(weight_ / least) + 60.0 * std::log(2.0));
  }

  /// ln (1 / (W h sqrt(2 pi)) sum w e^(-z^2/2)), z = (x - v) / h: terms are in proportion to that
  /// of the nearest value, whose z is z_0.
  [[nodiscard]] double log_density(double x) const {
    constexpr double kFarthest = 1e150;  // z^2 is in range; beyond, the density stays what it is
    constexpr double kFar = 30.0;
    constexpr double kMargin =
        1.0 + 1e-12;  // the nearest value is within the range, roundings or no
    const double nearest = std::min(nearest_distance(x) / width_, kFarthest);
    const double range = width_ * std::sqrt(nearest * nearest + reach_) * kMargin;
    const auto first = std::lower_bound(values_.begin(), values_.end(), x - range);
    const auto last = std::upper_bound(first, values_.end(), x + range);
    const auto from = static_cast<std::size_t>(first - values_.begin());
    const auto many = static_cast<std::size_t>(last - first);
    const double fall = 0.5 * nearest * nearest;
    if (many == 0) { return constant_ - fall; }
    const double sum = nearest < kFar ? kernels::kernel_sum(&values_[from], &weights_[from], many,
                                                            x, 1.0 / width_, fall)
                                      : far_sum(from, many, x, nearest);
    return std::log(sum) - fall + constant_;
  }
  [[nodiscard]] double draw(random::RowDraws& draws) const {
    const double value = values_[choice_.draw(draws)];
    return value + width_ * draws.normal();
  }
  /// Each value's share of the density at its own place, added: the trace of the smoother.
  [[nodiscard]] double effective_parameters() const {
    double sum = 0.0;
    for (std::size_t v = 0; v < values_.size(); ++v) {
      sum += weights_[v] * std::exp(constant_ - log_density(values_[v]));
    }
    return sum;
  }
  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double count() const { return count_; }

 private:
  [[nodiscard]] double nearest_distance(double x) const {
    const auto above = std::lower_bound(values_.begin(), values_.end(), x);
    double distance = std::numeric_limits<double>::infinity();
    if (above != values_.end()) { distance = *above - x; }
    if (above != values_.begin()) { distance = std::min(distance, x - *(above - 1)); }
    return distance;
  }
  /// The same sum for a large z_0, where squares would lose the digits of their difference: with
  /// z = z_0 + d, (z^2 - z_0^2) / 2 = d z_0 + d^2 / 2.
  [[nodiscard]] double far_sum(std::size_t from, std::size_t many, double x, double nearest) const {
    double sum = 0.0;
    for (std::size_t v = from; v < from + many; ++v) {
      const double d = std::max(0.0, std::fabs(values_[v] - x) / width_ - nearest);
      sum += weights_[v] * std::exp(-d * (nearest + 0.5 * d));
    }
    return sum;
  }

  std::vector<double> values_;
  std::vector<double> weights_;
  double weight_;
  double count_;
  double width_;     ///< h
  double constant_;  ///< ln 1 / (W h sqrt(2 pi))
  double reach_ = 0.0;
  random::Shares choice_;
};

class KernelLaw final : public ColumnLaw {
 public:
  explicit KernelLaw(std::vector<Bumps> bumps) : bumps_(std::move(bumps)) {}

  [[nodiscard]] double log_density(std::size_t k, double x) const override {
    return bumps_[k].log_density(x);
  }
  [[nodiscard]] double draw(std::size_t k, random::RowDraws& draws) const override {
    return bumps_[k].draw(draws);
  }
  [[nodiscard]] double parameter_count() const override {
    double sum = 0.0;
    for (const Bumps& bumps : bumps_) { sum += bumps.effective_parameters(); }
    return sum;
  }
  [[nodiscard]] double log_likelihood(const ColumnSummary& rows) const override {
    double sum = 0.0;
    for (std::size_t v = 0; v < rows.values.size(); ++v) {
      for (std::size_t k = 0; k < classes(); ++k) {
        const double weight = rows.value_weights[v * classes() + k];
        if (weight > 0.0) { sum += weight * log_density(k, rows.values[v]); }
      }
    }
    return sum;
  }
  [[nodiscard]] std::vector<std::pair<std::string, std::vector<double>>> parameters()
      const override {
    std::vector<double> widths;
    std::vector<double> counts;
    for (const Bumps& bumps : bumps_) {
      widths.push_back(bumps.width());
      counts.push_back(bumps.count());
    }
    return {{"bandwidth", std::move(widths)}, {"values", std::move(counts)}};
  }
  [[nodiscard]] std::size_t classes() const override { return bumps_.size(); }

 private:
  std::vector<Bumps> bumps_;
};

class Kernel final : public ColumnFamily {
 public:
  [[nodiscard]] std::string_view name() const override { return "kernel"; }
  [[nodiscard]] std::string_view summary() const override {
    return "kernel density: a normal bump on every value, width by Silverman's rule";
  }
  [[nodiscard]] std::span<const ColumnKind> kinds() const override {
    static constexpr std::array kKinds{ColumnKind::real, ColumnKind::count, ColumnKind::binary};
    return kKinds;
  }
  [[nodiscard]] Needs needs() const override { return Needs::values; }
  [[nodiscard]] std::unique_ptr<ColumnLaw> estimate(
      const ColumnSummary& rows, const ColumnRule& rule,
      std::vector<std::string>& notes) const override {
    if (auto constant = constant_law(rows, notes)) { return constant; }
    const Moments all = class_moments(rows.weights, rows.means, rows.scatters).overall;
    const double least = std::sqrt(rule.variance_floor * all.variance);
    std::vector<Bumps> bumps;
    for (std::size_t k = 0; k < rows.classes(); ++k) {
      Sample sample = class_sample(rows, k);
      const double width = std::max(bandwidth(sample), least);
      bumps.emplace_back(std::move(sample), width);
    }
    return std::make_unique<KernelLaw>(std::move(bumps));
  }
};

}  // namespace

const ColumnFamily& kernel() {
  static const Kernel family;
  return family;
}

}  // namespace logodds::models::naive_bayes::columns
