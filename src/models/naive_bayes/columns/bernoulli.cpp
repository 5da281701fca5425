// Yes or no: q = (n_1 + alpha) / (N_k + 2 alpha). A column of 0 and 1, or coded with two levels.
#include <array>
#include <numeric>

#include "kernels/kernels.hpp"
#include "models/naive_bayes/columns/levels.hpp"

namespace logodds::models::naive_bayes::columns {

namespace {

/// Numbers 0 and 1; a coded column has a LevelLaw.
class BernoulliLaw final : public ColumnLaw {
 public:
  BernoulliLaw(std::string name, std::vector<double> zeros, std::vector<double> ones)
      : name_(std::move(name)), zeros_(std::move(zeros)), ones_(std::move(ones)) {
    for (std::size_t k = 0; k < classes(); ++k) {
      log_ones_.push_back(std::log(ones_[k]));
      intercepts_.push_back(std::log(zeros_[k]));
      slopes_.push_back(log_ones_[k] - intercepts_[k]);
      choices_.emplace_back(std::vector{zeros_[k], ones_[k]});
    }
    certain_ = !std::all_of(slopes_.begin(), slopes_.end(),
                            [](double slope) { return std::isfinite(slope); });
  }
  using ColumnLaw::add_scores;

  [[nodiscard]] double log_density(std::size_t k, double x) const override {
    if (!kZeroOrOne.contains(x)) { return kImpossible; }
    return x == 0.0 ? intercepts_[k] : log_ones_[k];
  }
  [[nodiscard]] double draw(std::size_t k, random::RowDraws& draws) const override {
    return static_cast<double>(choices_[k].draw(draws));
  }
  [[nodiscard]] double parameter_count() const override { return static_cast<double>(classes()); }
  [[nodiscard]] double log_likelihood(const ColumnSummary& rows) const override {
    double sum = 0.0;
    for (std::size_t k = 0; k < classes(); ++k) {
      sum +=
          times(rows.sums[k], log_ones_[k]) + times(rows.weights[k] - rows.sums[k], intercepts_[k]);
    }
    return sum;
  }
  /// eta = ln q / (1 - q), A = -ln(1 - q); nothing where q is 0 or 1.
  [[nodiscard]] std::optional<NaturalForm> natural() const override {
    if (certain_) { return {}; }
    NaturalForm form{{name_}, slopes_, {}};
    for (const double intercept : intercepts_) { form.log_partitions.push_back(-intercept); }
    return form;
  }
  [[nodiscard]] std::vector<std::pair<std::string, std::vector<double>>> parameters()
      const override {
    return {{"0", zeros_}, {"1", ones_}};
  }
  void add_scores(std::span<const double> x, std::size_t stride, double* scores) const override {
    if (certain_) { return ColumnLaw::add_scores(x, stride, scores); }
    std::vector<double> copy;
    const auto possible = only_possible(x, kZeroOrOne, classes(), stride, scores, copy);
    kernels::linear_column_add(possible.data(), possible.size(), slopes_.data(), intercepts_.data(),
                               classes(), stride, scores);
  }
  [[nodiscard]] std::size_t classes() const override { return ones_.size(); }

 private:
  std::string name_;
  std::vector<double> zeros_;  ///< 1 - q
  std::vector<double> ones_;   ///< q
  std::vector<double> log_ones_;
  std::vector<double> slopes_;
  std::vector<double> intercepts_;  ///< ln(1 - q)
  std::vector<random::Shares> choices_;
  bool certain_ = false;  ///< some q is 0 or 1
};

std::unique_ptr<ColumnLaw> number_law(const ColumnSummary& rows, double alpha) {
  const double weight = std::accumulate(rows.weights.begin(), rows.weights.end(), 0.0);
  const double sum = std::accumulate(rows.sums.begin(), rows.sums.end(), 0.0);
  std::vector<double> zeros;
  std::vector<double> ones;
  for (std::size_t k = 0; k < rows.classes(); ++k) {
    const bool own = alpha > 0.0 || rows.weights[k] > 0.0;
    const double one = (own ? rows.sums[k] : sum) + alpha;
    const double zero = (own ? rows.weights[k] - rows.sums[k] : weight - sum) + alpha;
    ones.push_back(one + zero > 0.0 ? one / (one + zero) : 0.5);
    zeros.push_back(one + zero > 0.0 ? zero / (one + zero) : 0.5);
  }
  return std::make_unique<BernoulliLaw>(rows.column.name, std::move(zeros), std::move(ones));
}

class Bernoulli final : public ColumnFamily {
 public:
  [[nodiscard]] std::string_view name() const override { return "bernoulli"; }
  [[nodiscard]] std::string_view summary() const override {
    return "yes or no: the share of ones, with pseudo-counts";
  }
  [[nodiscard]] bool excludes() const override { return true; }
  [[nodiscard]] std::span<const ColumnKind> kinds() const override {
    static constexpr std::array kKinds{ColumnKind::binary};
    return kKinds;
  }
  [[nodiscard]] std::string_view refusal(double x) const override {
    return kZeroOrOne.contains(x) ? "" : "is neither 0 nor 1";
  }
  [[nodiscard]] std::unique_ptr<ColumnLaw> estimate(
      const ColumnSummary& rows, const ColumnRule& rule,
      std::vector<std::string>& /*notes*/) const override {
    return rows.column.coded() ? level_law(rows, rule) : number_law(rows, rule.smoothing);
  }
};

}  // namespace

const ColumnFamily& bernoulli() {
  static const Bernoulli family;
  return family;
}

}  // namespace logodds::models::naive_bayes::columns
