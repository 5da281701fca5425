// A toy family of columns in one file: sqrt(2 / pi v) exp(-x^2 / 2 v) for x >= 0, v the mean of x^2
// in each class.
#include <array>

#include "models/naive_bayes/columns/common.hpp"

namespace logodds::models::naive_bayes::columns {

const ColumnFamily& half_normal();

namespace {

class HalfNormalLaw final : public ColumnLaw {
 public:
  HalfNormalLaw(std::string name, std::vector<double> squares)
      : name_(std::move(name)), squares_(std::move(squares)) {}

  [[nodiscard]] double log_density(std::size_t k, double x) const override {
    if (x < 0.0) { return kImpossible; }
    return std::log(2.0) - kHalfLog2Pi - 0.5 * (std::log(squares_[k]) + x * x / squares_[k]);
  }
  [[nodiscard]] double draw(std::size_t k, random::RowDraws& draws) const override {
    return std::abs(draws.normal()) * std::sqrt(squares_[k]);
  }
  [[nodiscard]] double parameter_count() const override { return static_cast<double>(classes()); }
  [[nodiscard]] double log_likelihood(const ColumnSummary& rows) const override {
    double sum = 0.0;
    for (std::size_t k = 0; k < classes(); ++k) {
      const double of_squares = rows.scatters[k] + rows.sums[k] * rows.means[k];
      sum += rows.weights[k] * log_density(k, 0.0) - 0.5 * of_squares / squares_[k];
    }
    return sum;
  }
  [[nodiscard]] std::optional<NaturalForm> natural() const override {
    NaturalForm form{{name_ + "^2"}, {}, {}};
    for (const double square : squares_) {
      form.parameters.push_back(-0.5 / square);
      form.log_partitions.push_back(0.5 * std::log(square));
    }
    return form;
  }
  [[nodiscard]] std::vector<std::pair<std::string, std::vector<double>>> parameters()
      const override {
    return {{"mean square", squares_}};
  }
  [[nodiscard]] std::size_t classes() const override { return squares_.size(); }

 private:
  std::string name_;
  std::vector<double> squares_;
};

class HalfNormal final : public ColumnFamily {
 public:
  [[nodiscard]] std::string_view name() const override { return "half-normal"; }
  [[nodiscard]] std::string_view summary() const override {
    return "the size of a normal number (a toy)";
  }
  [[nodiscard]] std::span<const ColumnKind> kinds() const override {
    static constexpr std::array kKinds{ColumnKind::real, ColumnKind::count};
    return kKinds;
  }
  [[nodiscard]] std::string_view refusal(double x) const override {
    return x < 0.0 ? "is negative" : "";
  }
  [[nodiscard]] std::unique_ptr<ColumnLaw> estimate(
      const ColumnSummary& rows, const ColumnRule& rule,
      std::vector<std::string>& notes) const override {
    if (auto constant = constant_law(rows, notes)) { return constant; }
    const auto square = [](const Moments& m) { return m.variance + m.mean * m.mean; };
    const ClassMoments moments = class_moments(rows.weights, rows.means, rows.scatters);
    std::vector<double> squares;
    for (std::size_t k = 0; k < rows.classes(); ++k) {
      squares.push_back(
          std::max(square(moments.classes[k]), rule.variance_floor * square(moments.overall)));
      if (!(squares.back() > 0.0)) { refuse_point(rows, k, name()); }
    }
    return std::make_unique<HalfNormalLaw>(rows.column.name, std::move(squares));
  }
};

}  // namespace

const ColumnFamily& half_normal() {
  static const HalfNormal family;
  return family;
}

}  // namespace logodds::models::naive_bayes::columns
