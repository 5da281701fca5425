// Normal: ML mean and variance of each class, the variance at least a share of the column's own.
#include <array>

#include "models/naive_bayes/columns/normals.hpp"

namespace logodds::models::naive_bayes::columns {

namespace {

class GaussianLaw final : public ColumnLaw {
 public:
  GaussianLaw(std::string name, Normals normals)
      : name_(std::move(name)), normals_(std::move(normals)) {}
  using ColumnLaw::add_scores;

  [[nodiscard]] double log_density(std::size_t k, double x) const override {
    return normals_.log_density(k, x);
  }
  [[nodiscard]] double draw(std::size_t k, random::RowDraws& draws) const override {
    return normals_.draw(k, draws);
  }
  [[nodiscard]] double parameter_count() const override {
    return 2.0 * static_cast<double>(classes());
  }
  [[nodiscard]] double log_likelihood(const ColumnSummary& rows) const override {
    return normals_.log_likelihood(rows.weights, rows.means, rows.scatters);
  }
  [[nodiscard]] std::optional<NaturalForm> natural() const override {
    return normals_.natural(name_, name_ + "^2");
  }
  [[nodiscard]] std::vector<std::pair<std::string, std::vector<double>>> parameters()
      const override {
    return {{"mean", normals_.means()}, {"sd", normals_.deviations()}};
  }
  void add_scores(std::span<const double> x, std::size_t stride, double* scores) const override {
    normals_.add_scores(x, stride, scores);
  }
  [[nodiscard]] std::size_t classes() const override { return normals_.classes(); }

 private:
  std::string name_;
  Normals normals_;
};

class Gaussian final : public ColumnFamily {
 public:
  [[nodiscard]] std::string_view name() const override { return "gaussian"; }
  [[nodiscard]] std::string_view summary() const override {
    return "normal law: mean and variance of each class";
  }
  [[nodiscard]] std::span<const ColumnKind> kinds() const override {
    static constexpr std::array kKinds{ColumnKind::real, ColumnKind::count, ColumnKind::binary};
    return kKinds;
  }
  [[nodiscard]] std::unique_ptr<ColumnLaw> estimate(
      const ColumnSummary& rows, const ColumnRule& rule,
      std::vector<std::string>& notes) const override {
    if (auto constant = constant_law(rows, notes)) { return constant; }
    const ClassMoments moments = class_moments(rows.weights, rows.means, rows.scatters);
    return std::make_unique<GaussianLaw>(rows.column.name, Normals(rows, moments, rule, name()));
  }
};

}  // namespace

const ColumnFamily& gaussian() {
  static const Gaussian family;
  return family;
}

}  // namespace logodds::models::naive_bayes::columns
