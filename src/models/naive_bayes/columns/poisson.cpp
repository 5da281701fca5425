// Events in a fixed time: m^x e^-m / x!, m the smoothed mean of each class.
#include "kernels/kernels.hpp"
#include "models/naive_bayes/columns/counts.hpp"
#include "models/naive_bayes/columns/drawing.hpp"
#include "models/naive_bayes/columns/special.hpp"

namespace logodds::models::naive_bayes::columns {

namespace {

class PoissonLaw final : public ColumnLaw {
 public:
  PoissonLaw(std::string name, std::vector<double> rates)
      : name_(std::move(name)), rates_(std::move(rates)) {
    for (const double rate : rates_) {
      slopes_.push_back(std::log(rate));
      intercepts_.push_back(-rate);
    }
  }
  using ColumnLaw::add_scores;

  [[nodiscard]] double log_density(std::size_t k, double x) const override {
    if (!kCounts.contains(x)) { return kImpossible; }
    return times(x, slopes_[k]) + intercepts_[k] - log_factorial(x);
  }
  [[nodiscard]] double draw(std::size_t k, random::RowDraws& draws) const override {
    return draw_poisson(rates_[k], draws);
  }
  [[nodiscard]] double parameter_count() const override { return static_cast<double>(classes()); }
  [[nodiscard]] double log_likelihood(const ColumnSummary& rows) const override {
    double sum = 0.0;
    for (std::size_t k = 0; k < classes(); ++k) {
      sum += times(rows.sums[k], slopes_[k]) + rows.weights[k] * intercepts_[k] -
             rows.log_factorials[k];
    }
    return sum;
  }
  /// eta = ln m, A = m, h = 1 / x!; nothing where m is 0.
  [[nodiscard]] std::optional<NaturalForm> natural() const override {
    if (!all_positive(rates_)) { return {}; }
    return NaturalForm{{name_}, slopes_, rates_};
  }
  [[nodiscard]] std::vector<std::pair<std::string, std::vector<double>>> parameters()
      const override {
    return {{"rate", rates_}};
  }
  /// Without the - ln x!, which all classes have in common.
  void add_scores(std::span<const double> x, std::size_t stride, double* scores) const override {
    if (!all_positive(rates_)) { return ColumnLaw::add_scores(x, stride, scores); }
    std::vector<double> copy;
    const auto possible = only_possible(x, kCounts, classes(), stride, scores, copy);
    kernels::linear_column_add(possible.data(), possible.size(), slopes_.data(), intercepts_.data(),
                               classes(), stride, scores);
  }
  [[nodiscard]] std::size_t classes() const override { return rates_.size(); }

 private:
  std::string name_;
  std::vector<double> rates_;
  std::vector<double> slopes_;
  std::vector<double> intercepts_;
};

class Poisson final : public ColumnFamily {
 public:
  [[nodiscard]] std::string_view name() const override { return "poisson"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Poisson law of counts: the mean of each class, with pseudo-counts";
  }
  [[nodiscard]] bool excludes() const override { return true; }
  [[nodiscard]] std::span<const ColumnKind> kinds() const override { return kCountKinds; }
  [[nodiscard]] std::string_view refusal(double x) const override { return count_refusal(x); }
  [[nodiscard]] std::unique_ptr<ColumnLaw> estimate(
      const ColumnSummary& rows, const ColumnRule& rule,
      std::vector<std::string>& notes) const override {
    if (auto constant = constant_law(rows, notes)) { return constant; }
    return std::make_unique<PoissonLaw>(rows.column.name, smoothed_means(rows, rule));
  }
};

}  // namespace

const ColumnFamily& poisson() {
  static const Poisson family;
  return family;
}

}  // namespace logodds::models::naive_bayes::columns
