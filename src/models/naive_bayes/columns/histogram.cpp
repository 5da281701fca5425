// Bins of one width over the range of the whole column, shared by the classes: the density in a bin
// is (n_bk + alpha) / ((N_k + alpha B) width), outside of the range that of an empty bin.
#include <array>

#include "models/naive_bayes/columns/levels.hpp"
#include "models/naive_bayes/columns/samples.hpp"

namespace logodds::models::naive_bayes::columns {

namespace {

struct Bins {
  double low = 0.0;
  double high = 0.0;
  std::size_t count = 1;
  double width = 0.0;

  Bins(double least, double most, std::size_t bins)
      : low(least), high(most), count(bins), width((most - least) / static_cast<double>(bins)) {}
  /// kUnseenCode outside of the range, which is closed; kMissingCode for NaN.
  [[nodiscard]] std::int32_t code(double x) const {
    if (!(x >= low && x <= high)) { return std::isnan(x) ? kMissingCode : kUnseenCode; }
    const double place = std::floor((x - low) / width);
    return static_cast<std::int32_t>(std::min(place, static_cast<double>(count) - 1.0));
  }
  [[nodiscard]] double edge(std::size_t b) const {
    return b == count ? high : low + static_cast<double>(b) * width;
  }
};

/// Freedman & Diaconis: bins of 2 IQR n^(-1/3), 1 to 1000 of them; Sturges' 1 + log2 n where the
/// quartiles are equal.
Bins bins_of(const Sample& sample) {
  constexpr double kMost = 1000.0;
  const double low = sample.values.front();
  const double high = sample.values.back();
  const double distance = interquartile_range(sample);
  const double wanted = distance > 0.0 ? (high - low) / (2.0 * distance) * std::cbrt(sample.count)
                                       : 1.0 + std::log2(sample.count);
  // a whole number but for its roundings is one
  const double bins = std::clamp(std::ceil(wanted * (1.0 - 1e-12)), 1.0, kMost);
  return {low, high, static_cast<std::size_t>(bins)};
}

/// Weights by bin, classes x bins; of all classes together where a class has no value.
std::vector<double> bin_weights(const ColumnSummary& rows, const Bins& bins) {
  std::vector<double> weights(rows.classes() * bins.count, 0.0);
  for (std::size_t v = 0; v < rows.values.size(); ++v) {
    const std::int32_t code = bins.code(rows.values[v]);
    if (code < 0) { continue; }  // a value that no row has any more
    const auto b = static_cast<std::size_t>(code);
    const double* of_value = &rows.value_weights[v * rows.classes()];
    for (std::size_t k = 0; k < rows.classes(); ++k) {
      double& sum = weights[k * bins.count + b];
      if (rows.weights[k] > 0.0) {
        sum += of_value[k];
        continue;
      }
      for (std::size_t other = 0; other < rows.classes(); ++other) { sum += of_value[other]; }
    }
  }
  return weights;
}

class HistogramLaw final : public ColumnLaw {
 public:
  HistogramLaw(std::string name, const Bins& bins, LevelTable shares, bool smoothed)
      : name_(std::move(name)),
        bins_(bins),
        shares_(std::move(shares)),
        log_width_(std::log(bins.width)) {
    for (std::size_t k = 0; k < classes(); ++k) {
      choices_.emplace_back(shares_.probabilities(k));
      if (!smoothed) { shares_.set(k, kUnseenCode, kImpossible); }
    }
  }
  using ColumnLaw::add_scores;

  [[nodiscard]] double log_density(std::size_t k, double x) const override {
    return shares_.at(k, bins_.code(x)) - log_width_;
  }
  [[nodiscard]] double draw(std::size_t k, random::RowDraws& draws) const override {
    const auto bin = static_cast<double>(choices_[k].draw(draws));
    return std::min(bins_.low + (bin + draws.uniform()) * bins_.width, bins_.high);
  }
  [[nodiscard]] double parameter_count() const override {
    return static_cast<double>(classes() * (bins_.count - 1));
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
  /// Indicators of the bins; all of them 0 is a value outside of the range.
  [[nodiscard]] std::optional<NaturalForm> natural() const override {
    std::vector<std::string> names;
    for (std::size_t b = 0; b < bins_.count; ++b) { names.push_back(name_ + "=" + label(b)); }
    return shares_.natural(std::move(names));
  }
  [[nodiscard]] std::vector<std::pair<std::string, std::vector<double>>> parameters()
      const override {
    std::vector<std::pair<std::string, std::vector<double>>> shares;
    for (std::size_t b = 0; b < bins_.count; ++b) { shares.emplace_back(label(b), classes()); }
    for (std::size_t k = 0; k < classes(); ++k) {
      const std::vector<double> of_class = shares_.probabilities(k);
      for (std::size_t b = 0; b < bins_.count; ++b) { shares[b].second[k] = of_class[b]; }
    }
    return shares;
  }
  void add_scores(std::span<const double> x, std::size_t stride, double* scores) const override {
    std::vector<std::int32_t> codes(x.size());
    std::transform(x.begin(), x.end(), codes.begin(),
                   [this](double value) { return bins_.code(value); });
    shares_.add_scores(codes, stride, scores);
  }
  [[nodiscard]] std::size_t classes() const override { return shares_.classes(); }

 private:
  [[nodiscard]] std::string label(std::size_t b) const {
    return "[" + format_number(bins_.edge(b)) + ", " + format_number(bins_.edge(b + 1)) +
           (b + 1 == bins_.count ? "]" : ")");
  }

  std::string name_;
  Bins bins_;
  LevelTable shares_;
  double log_width_;
  std::vector<random::Shares> choices_;
};

class Histogram final : public ColumnFamily {
 public:
  [[nodiscard]] std::string_view name() const override { return "histogram"; }
  [[nodiscard]] std::string_view summary() const override {
    return "bins of one width (Freedman-Diaconis), with pseudo-counts";
  }
  [[nodiscard]] bool excludes() const override { return true; }
  [[nodiscard]] std::span<const ColumnKind> kinds() const override {
    static constexpr std::array kKinds{ColumnKind::real, ColumnKind::count, ColumnKind::binary};
    return kKinds;
  }
  [[nodiscard]] Needs needs() const override { return Needs::values; }
  [[nodiscard]] std::unique_ptr<ColumnLaw> estimate(
      const ColumnSummary& rows, const ColumnRule& rule,
      std::vector<std::string>& notes) const override {
    if (auto constant = constant_law(rows, notes)) { return constant; }
    const Bins bins = bins_of(whole_sample(rows));
    LevelTable shares = smoothed_shares(bin_weights(rows, bins), rows.classes(), rule.smoothing);
    return std::make_unique<HistogramLaw>(rows.column.name, bins, std::move(shares),
                                          rule.smoothing > 0.0);
  }
};

}  // namespace

const ColumnFamily& histogram() {
  static const Histogram family;
  return family;
}

}  // namespace logodds::models::naive_bayes::columns
