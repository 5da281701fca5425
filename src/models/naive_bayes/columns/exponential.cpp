// Waiting times: ln p = -ln m - x / m for x >= 0, m the mean of each class.
#include <array>

#include "kernels/kernels.hpp"
#include "models/naive_bayes/columns/common.hpp"

namespace logodds::models::naive_bayes::columns {

namespace {

class ExponentialLaw final : public ColumnLaw {
 public:
  ExponentialLaw(std::string name, std::vector<double> means)
      : name_(std::move(name)), means_(std::move(means)) {
    for (const double mean : means_) {
      slopes_.push_back(-1.0 / mean);
      intercepts_.push_back(-std::log(mean));
    }
  }
  using ColumnLaw::add_scores;

  [[nodiscard]] double log_density(std::size_t k, double x) const override {
    return kNotNegative.contains(x) ? intercepts_[k] + slopes_[k] * x : kImpossible;
  }
  [[nodiscard]] double draw(std::size_t k, random::RowDraws& draws) const override {
    return -means_[k] * random::portable_log(draws.uniform());
  }
  [[nodiscard]] double parameter_count() const override { return static_cast<double>(classes()); }
  [[nodiscard]] double log_likelihood(const ColumnSummary& rows) const override {
    double sum = 0.0;
    for (std::size_t k = 0; k < classes(); ++k) {
      sum += rows.weights[k] * intercepts_[k] + slopes_[k] * rows.sums[k];
    }
    return sum;
  }
  [[nodiscard]] std::optional<NaturalForm> natural() const override {
    NaturalForm form{{name_}, slopes_, {}};
    for (const double intercept : intercepts_) { form.log_partitions.push_back(-intercept); }
    return form;
  }
  [[nodiscard]] std::vector<std::pair<std::string, std::vector<double>>> parameters()
      const override {
    return {{"mean", means_}};
  }
  void add_scores(std::span<const double> x, std::size_t stride, double* scores) const override {
    std::vector<double> copy;
    const auto possible = only_possible(x, kNotNegative, classes(), stride, scores, copy);
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

class Exponential final : public ColumnFamily {
 public:
  [[nodiscard]] std::string_view name() const override { return "exponential"; }
  [[nodiscard]] std::string_view summary() const override {
    return "exponential law, for numbers that are not negative";
  }
  [[nodiscard]] std::span<const ColumnKind> kinds() const override {
    static constexpr std::array kKinds{ColumnKind::real, ColumnKind::count};
    return kKinds;
  }
  [[nodiscard]] std::string_view refusal(double x) const override {
    return kNotNegative.contains(x) ? "" : "is negative";
  }
  [[nodiscard]] std::unique_ptr<ColumnLaw> estimate(
      const ColumnSummary& rows, const ColumnRule& rule,
      std::vector<std::string>& notes) const override {
    if (auto constant = constant_law(rows, notes)) { return constant; }
    const ClassMoments moments = class_moments(rows.weights, rows.means, rows.scatters);
    std::vector<double> means;
    for (std::size_t k = 0; k < rows.classes(); ++k) {
      means.push_back(
          std::max(moments.classes[k].mean, rule.variance_floor * moments.overall.mean));
      if (!(means.back() > 0.0)) { refuse_point(rows, k, name()); }
    }
    return std::make_unique<ExponentialLaw>(rows.column.name, std::move(means));
  }
};

}  // namespace

const ColumnFamily& exponential() {
  static const Exponential family;
  return family;
}

}  // namespace logodds::models::naive_bayes::columns
