// Gamma: x^(a-1) e^(-x/b) / (Gamma(a) b^a) for x > 0, a and b by maximum likelihood in each class.
#include <array>

#include "kernels/kernels.hpp"
#include "models/naive_bayes/columns/common.hpp"
#include "models/naive_bayes/columns/drawing.hpp"
#include "models/naive_bayes/columns/special.hpp"

namespace logodds::models::naive_bayes::columns {

namespace {

/// a with ln a - digamma(a) = gap > 0, by Newton's method in 1/a from Minka's starting point
/// ("Estimating a Gamma distribution", 2002). Gaps come from a difference of logarithms.
double shape_of_gap(double gap) {
  double a = (3.0 - gap + std::sqrt((gap - 3.0) * (gap - 3.0) + 24.0 * gap)) / (12.0 * gap);
  for (int step = 0; step < 100; ++step) {
    const double change = (log_minus_digamma(a) - gap) / (a * a * log_minus_digamma_slope(a));
    const double next = 1.0 / (1.0 / a + change);
    if (!(next > 0.0) || !std::isfinite(next)) { break; }
    const bool settled = std::fabs(next - a) <= 1e-15 * a;
    a = next;
    if (settled) { break; }
  }
  return a;
}

class GammaLaw final : public ColumnLaw {
 public:
  GammaLaw(std::string name, std::vector<double> shapes, std::vector<double> means)
      : name_(std::move(name)), shapes_(std::move(shapes)), means_(std::move(means)) {
    for (std::size_t k = 0; k < classes(); ++k) {
      // a ln a - a - ln Gamma(a)
      peaks_.push_back(0.5 * std::log(shapes_[k]) - kHalfLog2Pi - stirling_remainder(shapes_[k]));
      scales_.push_back(means_[k] / shapes_[k]);
      log_slopes_.push_back(shapes_[k] - 1.0);
      slopes_.push_back(-1.0 / scales_[k]);
      intercepts_.push_back(peaks_[k] + shapes_[k] * (1.0 - std::log(means_[k])));
    }
  }
  using ColumnLaw::add_scores;

  /// With t = x / mean: a ln a - a - ln Gamma(a) + a (ln t - t + 1) - ln x. No large terms cancel,
  /// however large a is.
  [[nodiscard]] double log_density(std::size_t k, double x) const override {
    if (!kPositive.contains(x)) { return kImpossible; }
    const double u = (x - means_[k]) / means_[k];
    // t = 1 + u has no digits left where x is tiny
    const double fall = u > -0.5 ? log1p_minus(u) : std::log(x / means_[k]) - u;
    return peaks_[k] + shapes_[k] * fall - std::log(x);
  }
  [[nodiscard]] double draw(std::size_t k, random::RowDraws& draws) const override {
    return std::max(scales_[k] * draw_gamma(shapes_[k], draws), std::numeric_limits<double>::min());
  }
  [[nodiscard]] double parameter_count() const override {
    return 2.0 * static_cast<double>(classes());
  }
  [[nodiscard]] double log_likelihood(const ColumnSummary& rows) const override {
    double sum = 0.0;
    for (std::size_t k = 0; k < classes(); ++k) {
      const double fall =
          rows.log_means[k] - std::log(means_[k]) - (rows.means[k] - means_[k]) / means_[k];
      sum += times(rows.weights[k], peaks_[k] + shapes_[k] * fall - rows.log_means[k]);
    }
    return sum;
  }
  [[nodiscard]] std::optional<NaturalForm> natural() const override {
    NaturalForm form{{"ln " + name_, name_}, {}, {}};
    for (std::size_t k = 0; k < classes(); ++k) {
      form.parameters.push_back(log_slopes_[k]);
      form.parameters.push_back(slopes_[k]);
      form.log_partitions.push_back(-intercepts_[k]);
    }
    return form;
  }
  [[nodiscard]] std::vector<std::pair<std::string, std::vector<double>>> parameters()
      const override {
    return {{"shape", shapes_}, {"scale", scales_}};
  }
  /// Linear in ln x and x, unless a is so large that the two nearly cancel.
  void add_scores(std::span<const double> x, std::size_t stride, double* scores) const override {
    constexpr double kLargeShape = 1e4;
    if (*std::max_element(shapes_.begin(), shapes_.end()) > kLargeShape) {
      return ColumnLaw::add_scores(x, stride, scores);
    }
    std::vector<double> copy;
    const auto possible = only_possible(x, kPositive, classes(), stride, scores, copy);
    std::vector<double> logs(possible.size());
    std::transform(possible.begin(), possible.end(), logs.begin(),
                   [](double value) { return std::log(value); });
    const std::vector<double> zeros(classes(), 0.0);
    kernels::linear_column_add(possible.data(), possible.size(), slopes_.data(), intercepts_.data(),
                               classes(), stride, scores);
    kernels::linear_column_add(logs.data(), logs.size(), log_slopes_.data(), zeros.data(),
                               classes(), stride, scores);
  }
  [[nodiscard]] std::size_t classes() const override { return shapes_.size(); }

 private:
  std::string name_;
  std::vector<double> shapes_;
  std::vector<double> means_;
  std::vector<double> scales_;
  std::vector<double> peaks_;
  std::vector<double> slopes_;
  std::vector<double> log_slopes_;
  std::vector<double> intercepts_;
};

class Gamma final : public ColumnFamily {
 public:
  [[nodiscard]] std::string_view name() const override { return "gamma"; }
  [[nodiscard]] std::string_view summary() const override {
    return "gamma law, for positive numbers";
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
    const ClassMoments moments = class_moments(rows.weights, rows.means, rows.scatters);
    const ClassMoments logs = class_moments(rows.weights, rows.log_means, rows.log_scatters);
    std::vector<double> shapes;
    std::vector<double> means;
    for (std::size_t k = 0; k < rows.classes(); ++k) {
      const Moments& own = moments.classes[k];
      const double least = rule.variance_floor * moments.overall.variance;
      means.push_back(own.mean);
      shapes.push_back(shape(own, logs.classes[k].mean, least));
      if (!std::isfinite(shapes.back())) { refuse_point(rows, k, name()); }
    }
    return std::make_unique<GammaLaw>(rows.column.name, std::move(shapes), std::move(means));
  }

 private:
  /// Infinite when neither the values nor `least`, the floor, leave any variance.
  static double shape(const Moments& own, double log_mean, double least) {
    const double most = own.mean * own.mean / least;
    const double gap = std::log(own.mean) - log_mean;
    const double by_variance = own.mean * own.mean / own.variance;
    // a gap that is lost in roundings is about variance / (2 mean^2)
    constexpr double kLost = 1e-11;
    return std::min(most, gap > kLost ? shape_of_gap(gap) : by_variance);
  }
};

}  // namespace

const ColumnFamily& gamma() {
  static const Gamma family;
  return family;
}

}  // namespace logodds::models::naive_bayes::columns
