// Kernel density: a normal bump of one bandwidth on every training value of a class.
#include <array>

#include "models/naive_bayes/columns/bumps.hpp"

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

class KernelLaw final : public ColumnLaw {
 public:
  explicit KernelLaw(std::vector<Bumps> bumps) : bumps_(std::move(bumps)) {}

  [[nodiscard]] double log_density(std::size_t k, double x) const override {
    return bumps_[k].log_density(x);
  }
  /// Neighbors are often equal: rows of a grid, columns that stand still.
  void add_scores(std::span<const double> x, std::size_t stride, double* scores) const override {
    for (std::size_t k = 0; k < classes(); ++k) {
      double last = std::numeric_limits<double>::quiet_NaN();
      double score = 0.0;
      for (std::size_t r = 0; r < x.size(); ++r) {
        if (std::isnan(x[r])) { continue; }
        if (x[r] != last) {
          last = x[r];
          score = log_density(k, last);
        }
        scores[k * stride + r] += score;
      }
    }
  }
  using ColumnLaw::add_scores;
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
