// Failures before the first success: p (1 - p)^x with p = 1 / (1 + m), m the smoothed mean.
#include "kernels/kernels.hpp"
#include "models/naive_bayes/columns/counts.hpp"
#include "models/naive_bayes/columns/drawing.hpp"

namespace logodds::models::naive_bayes::columns {

namespace {

class GeometricLaw final : public ColumnLaw {
 public:
  GeometricLaw(std::string name, std::vector<double> means)
      : name_(std::move(name)), means_(std::move(means)) {
    for (const double mean : means_) {
      slopes_.push_back(-std::log1p(1.0 / mean));  // ln(1 - p) = -ln((1 + m) / m)
      intercepts_.push_back(-std::log1p(mean));    // ln p
    }
  }
  using ColumnLaw::add_scores;

  [[nodiscard]] double log_density(std::size_t k, double x) const override {
    return kCounts.contains(x) ? times(x, slopes_[k]) + intercepts_[k] : kImpossible;
  }
  /// Poisson with an exponential mean.
  [[nodiscard]] double draw(std::size_t k, random::RowDraws& draws) const override {
    const double mean = -means_[k] * random::portable_log(draws.uniform());
    return draw_poisson(mean, draws);
  }
  [[nodiscard]] double parameter_count() const override { return static_cast<double>(classes()); }
  [[nodiscard]] double log_likelihood(const ColumnSummary& rows) const override {
    double sum = 0.0;
    for (std::size_t k = 0; k < classes(); ++k) {
      sum += times(rows.sums[k], slopes_[k]) + rows.weights[k] * intercepts_[k];
    }
    return sum;
  }
  /// eta = ln(1 - p), A = -ln p; nothing where p is 1.
  [[nodiscard]] std::optional<NaturalForm> natural() const override {
    if (!all_positive(means_)) { return {}; }
    NaturalForm form{{name_}, slopes_, {}};
    for (const double intercept : intercepts_) { form.log_partitions.push_back(-intercept); }
    return form;
  }
  [[nodiscard]] std::vector<std::pair<std::string, std::vector<double>>> parameters()
      const override {
    std::vector<double> shares;
    for (const double mean : means_) { shares.push_back(1.0 / (1.0 + mean)); }
    return {{"p", std::move(shares)}};
  }
  void add_scores(std::span<const double> x, std::size_t stride, double* scores) const override {
    if (!all_positive(means_)) { return ColumnLaw::add_scores(x, stride, scores); }
    std::vector<double> copy;
    const auto possible = only_possible(x, kCounts, classes(), stride, scores, copy);
    kernels::linear_column_add(possible.data(), possible.size(), slopes_.data(), intercepts_.data(),
                               classes(), stride, scores);
  }
  [[nodiscard]] std::size_t classes() const override { return means_.size(); }

 private:
  std::string name_;
  std::vector<double> means_;
  std::vector<double> slopes_;
  std::vector<double> intercepts_;
};

class Geometric final : public ColumnFamily {
 public:
  [[nodiscard]] std::string_view name() const override { return "geometric"; }
  [[nodiscard]] std::string_view summary() const override {
    return "geometric law of counts 0, 1, 2, ..., with pseudo-counts";
  }
  [[nodiscard]] bool excludes() const override { return true; }
  [[nodiscard]] std::span<const ColumnKind> kinds() const override { return kCountKinds; }
  [[nodiscard]] std::string_view refusal(double x) const override { return count_refusal(x); }
  [[nodiscard]] std::unique_ptr<ColumnLaw> estimate(
      const ColumnSummary& rows, const ColumnRule& rule,
      std::vector<std::string>& notes) const override {
    if (auto constant = constant_law(rows, notes)) { return constant; }
    return std::make_unique<GeometricLaw>(rows.column.name, smoothed_means(rows, rule));
  }
};

}  // namespace

const ColumnFamily& geometric() {
  static const Geometric family;
  return family;
}

}  // namespace logodds::models::naive_bayes::columns
