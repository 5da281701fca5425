// ln x is normal: ML mean and variance of ln x in each class, floored in units of ln x.
#include <array>

#include "models/naive_bayes/columns/drawing.hpp"
#include "models/naive_bayes/columns/normals.hpp"

namespace logodds::models::naive_bayes::columns {

namespace {

class LogNormalLaw final : public ColumnLaw {
 public:
  LogNormalLaw(std::string name, Normals logs) : name_(std::move(name)), logs_(std::move(logs)) {}
  using ColumnLaw::add_scores;

  /// The density of ln x, less ln x because dx = x d(ln x).
  [[nodiscard]] double log_density(std::size_t k, double x) const override {
    if (!kPositive.contains(x)) { return kImpossible; }
    const double log = std::log(x);
    return logs_.log_density(k, log) - log;
  }
  [[nodiscard]] double draw(std::size_t k, random::RowDraws& draws) const override {
    return std::clamp(portable_exp(logs_.draw(k, draws)), std::numeric_limits<double>::min(),
                      std::numeric_limits<double>::max());
  }
  [[nodiscard]] double parameter_count() const override {
    return 2.0 * static_cast<double>(classes());
  }
  [[nodiscard]] double log_likelihood(const ColumnSummary& rows) const override {
    double sum = logs_.log_likelihood(rows.weights, rows.log_means, rows.log_scatters);
    for (std::size_t k = 0; k < classes(); ++k) { sum -= rows.weights[k] * rows.log_means[k]; }
    return sum;
  }
  [[nodiscard]] std::optional<NaturalForm> natural() const override {
    return logs_.natural("ln " + name_, "(ln " + name_ + ")^2");
  }
  [[nodiscard]] std::vector<std::pair<std::string, std::vector<double>>> parameters()
      const override {
    return {{"mean of ln", logs_.means()}, {"sd of ln", logs_.deviations()}};
  }
  /// Without the - ln x, which all classes have in common.
  void add_scores(std::span<const double> x, std::size_t stride, double* scores) const override {
    std::vector<double> copy;
    const auto possible = only_possible(x, kPositive, classes(), stride, scores, copy);
    std::vector<double> logs(possible.size());
    std::transform(possible.begin(), possible.end(), logs.begin(),
                   [](double value) { return std::log(value); });
    logs_.add_scores(logs, stride, scores);
  }
  [[nodiscard]] std::size_t classes() const override { return logs_.classes(); }

 private:
  std::string name_;
  Normals logs_;
};

class LogNormal final : public ColumnFamily {
 public:
  [[nodiscard]] std::string_view name() const override { return "log-normal"; }
  [[nodiscard]] std::string_view summary() const override {
    return "normal law of ln x, for positive numbers";
  }
  [[nodiscard]] std::span<const ColumnKind> kinds() const override {
    static constexpr std::array kKinds{ColumnKind::real, ColumnKind::count};
    return kKinds;
  }
  [[nodiscard]] Needs needs() const override { return Needs::logs; }
  [[nodiscard]] std::string_view refusal(double x) const override {
    return kPositive.contains(x) ? "" : "is not positive";
  }
  [[nodiscard]] std::unique_ptr<ColumnLaw> estimate(
      const ColumnSummary& rows, const ColumnRule& rule,
      std::vector<std::string>& notes) const override {
    if (auto constant = constant_law(rows, notes)) { return constant; }
    const ClassMoments moments = class_moments(rows.weights, rows.log_means, rows.log_scatters);
    return std::make_unique<LogNormalLaw>(rows.column.name, Normals(rows, moments, rule, name()));
  }
};

}  // namespace

const ColumnFamily& log_normal() {
  static const LogNormal family;
  return family;
}

}  // namespace logodds::models::naive_bayes::columns
