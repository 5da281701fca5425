#include "models/naive_bayes/columns/common.hpp"

#include <numeric>

#include "kernels/kernels.hpp"
#include "logodds/error.hpp"

namespace logodds::models::naive_bayes::columns {

namespace {

class ConstantLaw final : public ColumnLaw {
 public:
  ConstantLaw(double value, std::size_t classes) : value_(value), classes_(classes) {}
  using ColumnLaw::add_scores;

  [[nodiscard]] double log_density(std::size_t /*k*/, double /*x*/) const override { return 0.0; }
  [[nodiscard]] double draw(std::size_t /*k*/, random::RowDraws& /*draws*/) const override {
    return value_;
  }
  [[nodiscard]] double parameter_count() const override { return 0.0; }
  [[nodiscard]] double log_likelihood(const ColumnSummary& /*rows*/) const override { return 0.0; }
  [[nodiscard]] std::optional<NaturalForm> natural() const override {
    return NaturalForm{{}, {}, std::vector<double>(classes_, 0.0)};
  }
  [[nodiscard]] std::vector<std::pair<std::string, std::vector<double>>> parameters()
      const override {
    return {{"value", std::vector<double>(classes_, value_)}};
  }
  void add_scores(std::span<const double> /*x*/, std::size_t /*stride*/,
                  double* /*scores*/) const override {}
  [[nodiscard]] std::size_t classes() const override { return classes_; }

 private:
  double value_;  ///< NaN, that is missing, where the column has none
  std::size_t classes_;
};

/// The means of classes of one value differ by their roundings.
bool is_constant(const Moments& overall) {
  constexpr double kLeastVariance = 1e-280;  // its share and its inverse are in range
  const double rounding = 4.0 * std::numeric_limits<double>::epsilon() * overall.mean;
  return overall.variance <= std::max(rounding * rounding, kLeastVariance);
}

}  // namespace

ClassMoments class_moments(const std::vector<double>& weights, const std::vector<double>& means,
                           const std::vector<double>& scatters) {
  Moments all;
  all.weight = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (!(all.weight > 0.0)) { return {Moments{}, std::vector<Moments>(weights.size())}; }
  for (std::size_t k = 0; k < weights.size(); ++k) {
    all.mean += weights[k] / all.weight * means[k];
  }
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const double deviation = means[k] - all.mean;
    all.variance += scatters[k] / all.weight;
    all.variance += times(weights[k] / all.weight, deviation * deviation);
  }
  std::vector<Moments> classes;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    classes.push_back(weights[k] > 0.0 ? Moments{weights[k], means[k], scatters[k] / weights[k]}
                                       : Moments{0.0, all.mean, all.variance});
  }
  return {all, std::move(classes)};
}

std::unique_ptr<ColumnLaw> constant_law(const ColumnSummary& rows,
                                        std::vector<std::string>& notes) {
  const Moments all = class_moments(rows.weights, rows.means, rows.scatters).overall;
  const std::string place = "column '" + rows.column.name + "'";
  if (!std::isfinite(all.variance)) {
    throw Error(ErrorCode::numeric, place +
                                        " has values so large that their squares overflow; "
                                        "divide the column by a power of ten");
  }
  if (!(all.weight > 0.0)) {
    notes.push_back(place + " has no value and says nothing");
    return std::make_unique<ConstantLaw>(kNoNumber, rows.classes());
  }
  if (!is_constant(all)) { return nullptr; }
  notes.push_back(place + " has the same value in every row and says nothing");
  const auto any = std::ranges::find_if(rows.weights, [](double weight) { return weight > 0.0; });
  const auto k = static_cast<std::size_t>(any - rows.weights.begin());
  return std::make_unique<ConstantLaw>(rows.means[k], rows.classes());
}

void refuse_point(const ColumnSummary& rows, std::size_t k, std::string_view family) {
  throw Error(ErrorCode::numeric,
              "column '" + rows.column.name + "' does not vary in class '" + rows.labels[k] +
                  "', so that the family " + std::string(family) +
                  " has no width there; give --variance-floor a positive share such as 1e-9");
}

double floored_variance(const ColumnSummary& rows, std::size_t k, double variance, double overall,
                        const ColumnRule& rule, std::string_view family) {
  const double floored = std::max(variance, rule.variance_floor * overall);
  if (!(floored > 0.0)) { refuse_point(rows, k, family); }
  return floored;
}

std::span<const double> only_possible(std::span<const double> x, const Domain& domain,
                                      std::size_t classes, std::size_t stride, double* scores,
                                      std::vector<double>& copy) {
  if (kernels::all_within(x.data(), x.size(), domain.low, domain.high, domain.whole)) { return x; }
  copy.assign(x.begin(), x.end());
  for (std::size_t r = 0; r < x.size(); ++r) {
    if (std::isnan(x[r]) || domain.contains(x[r])) { continue; }
    copy[r] = kNoNumber;
    for (std::size_t k = 0; k < classes; ++k) { scores[k * stride + r] = kImpossible; }
  }
  return copy;
}

}  // namespace logodds::models::naive_bayes::columns
