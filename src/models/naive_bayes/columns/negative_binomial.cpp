// Counts that vary more than Poisson's:
//   Gamma(x + r) / (Gamma(r) x!) (r / (r + m))^r (m / (r + m))^x,
// m the smoothed mean of each class, r by maximum likelihood from its values and their own mean.
#include "models/naive_bayes/columns/counts.hpp"
#include "models/naive_bayes/columns/dispersion.hpp"
#include "models/naive_bayes/columns/drawing.hpp"
#include "models/naive_bayes/columns/levels.hpp"
#include "models/naive_bayes/columns/special.hpp"

namespace logodds::models::naive_bayes::columns {

namespace {

class NegativeBinomialLaw final : public ColumnLaw {
 public:
  NegativeBinomialLaw(std::vector<double> means, std::vector<double> sizes)
      : means_(std::move(means)), sizes_(std::move(sizes)), table_(means_.size(), kTabled) {
    for (std::size_t k = 0; k < classes(); ++k) {
      for (std::int32_t x = 0; x < kTabled; ++x) { table_.set(k, x, log_mass(k, x)); }
    }
  }
  using ColumnLaw::add_scores;

  [[nodiscard]] double log_density(std::size_t k, double x) const override {
    if (!kCounts.contains(x)) { return kImpossible; }
    return x < kTabled ? table_.at(k, static_cast<std::int32_t>(x)) : log_mass(k, x);
  }
  /// Poisson with a gamma mean.
  [[nodiscard]] double draw(std::size_t k, random::RowDraws& draws) const override {
    const double r = sizes_[k];
    const double mean = std::isinf(r) ? means_[k] : means_[k] / r * draw_gamma(r, draws);
    return draw_poisson(mean, draws);
  }
  [[nodiscard]] double parameter_count() const override {
    return 2.0 * static_cast<double>(classes());
  }
  [[nodiscard]] double log_likelihood(const ColumnSummary& rows) const override {
    double sum = 0.0;
    for (std::size_t v = 0; v < rows.values.size(); ++v) {
      for (std::size_t k = 0; k < classes(); ++k) {
        sum += times(rows.value_weights[v * classes() + k], log_density(k, rows.values[v]));
      }
    }
    return sum;
  }
  [[nodiscard]] std::vector<std::pair<std::string, std::vector<double>>> parameters()
      const override {
    return {{"mean", means_}, {"size", sizes_}};
  }
  void add_scores(std::span<const double> x, std::size_t stride, double* scores) const override {
    std::vector<std::int32_t> codes(x.size(), kMissingCode);
    for (std::size_t r = 0; r < x.size(); ++r) {
      if (std::isnan(x[r])) { continue; }
      if (kCounts.contains(x[r]) && x[r] < kTabled) {
        codes[r] = static_cast<std::int32_t>(x[r]);
        continue;
      }
      for (std::size_t k = 0; k < classes(); ++k) {
        scores[k * stride + r] += log_density(k, x[r]);
      }
    }
    table_.add_scores(codes, stride, scores);
  }
  [[nodiscard]] std::size_t classes() const override { return means_.size(); }

 private:
  static constexpr std::int32_t kTabled = 256;  ///< most counts are below

  /// With Stirling's remainders s, and without large terms that cancel for large r:
  ///   -(x + r) ln(1 + (m - x) / (x + r)) - 1/2 ln((x + r) / r) + s(x + r) - s(r) - x + x ln m - ln
  ///   x!
  [[nodiscard]] double log_mass(std::size_t k, double x) const {
    const double m = means_[k];
    const double r = sizes_[k];
    if (m == 0.0) { return x == 0.0 ? 0.0 : kImpossible; }
    const double common = x * std::log(m) - log_factorial(x);
    if (std::isinf(r)) { return common - m; }
    return common - x - (x + r) * std::log1p((m - x) / (x + r)) - 0.5 * std::log1p(x / r) +
           stirling_remainder(x + r) - stirling_remainder(r);
  }

  std::vector<double> means_;
  std::vector<double> sizes_;  ///< r; infinite for Poisson
  LevelTable table_;           ///< of the counts below kTabled
};

class NegativeBinomial final : public ColumnFamily {
 public:
  [[nodiscard]] std::string_view name() const override { return "negative-binomial"; }
  [[nodiscard]] std::string_view summary() const override {
    return "counts that vary more than a Poisson law lets them, with pseudo-counts";
  }
  [[nodiscard]] bool excludes() const override { return true; }
  [[nodiscard]] std::span<const ColumnKind> kinds() const override { return kCountKinds; }
  [[nodiscard]] Needs needs() const override { return Needs::values; }
  [[nodiscard]] std::string_view refusal(double x) const override { return count_refusal(x); }
  [[nodiscard]] std::unique_ptr<ColumnLaw> estimate(
      const ColumnSummary& rows, const ColumnRule& rule,
      std::vector<std::string>& notes) const override {
    if (auto constant = constant_law(rows, notes)) { return constant; }
    std::vector<double> sizes;
    for (std::size_t k = 0; k < rows.classes(); ++k) {
      sizes.push_back(dispersion(class_sample(rows, k)));
    }
    return std::make_unique<NegativeBinomialLaw>(smoothed_means(rows, rule), std::move(sizes));
  }
};

}  // namespace

const ColumnFamily& negative_binomial() {
  static const NegativeBinomial family;
  return family;
}

}  // namespace logodds::models::naive_bayes::columns
