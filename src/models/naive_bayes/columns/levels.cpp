#include "models/naive_bayes/columns/levels.hpp"

#include <numeric>

#include "kernels/kernels.hpp"

namespace logodds::models::naive_bayes::columns {

namespace {

class LevelLaw final : public ColumnLaw {
 public:
  LevelLaw(const Column& column, LevelTable table) : column_(column), table_(std::move(table)) {
    for (std::size_t k = 0; k < classes(); ++k) { choices_.emplace_back(table_.probabilities(k)); }
  }
  using ColumnLaw::add_scores;

  [[nodiscard]] double log_density(std::size_t k, double x) const override {
    return table_.at(k, static_cast<std::int32_t>(x));
  }
  [[nodiscard]] double draw(std::size_t k, random::RowDraws& draws) const override {
    return static_cast<double>(choices_[k].draw(draws));
  }
  [[nodiscard]] double parameter_count() const override {
    return static_cast<double>(classes() * (table_.levels() - 1));
  }
  [[nodiscard]] double log_likelihood(const ColumnSummary& rows) const override {
    return table_.log_likelihood(rows.level_weights);
  }
  [[nodiscard]] std::optional<NaturalForm> natural() const override {
    std::vector<std::string> names;
    for (const auto& level : column_.levels) { names.push_back(column_.name + "=" + level); }
    return table_.natural(std::move(names));
  }
  [[nodiscard]] std::vector<std::pair<std::string, std::vector<double>>> parameters()
      const override {
    std::vector<std::pair<std::string, std::vector<double>>> shares;
    for (const auto& level : column_.levels) { shares.emplace_back(level, classes()); }
    for (std::size_t k = 0; k < classes(); ++k) {
      const std::vector<double> of_class = table_.probabilities(k);
      for (std::size_t l = 0; l < of_class.size(); ++l) { shares[l].second[k] = of_class[l]; }
    }
    return shares;
  }
  void add_scores(std::span<const std::int32_t> codes, std::size_t stride,
                  double* scores) const override {
    table_.add_scores(codes, stride, scores);
  }
  [[nodiscard]] std::size_t classes() const override { return table_.classes(); }

 private:
  Column column_;
  LevelTable table_;
  std::vector<random::Shares> choices_;
};

/// Counts of a class, or of all classes together where it has none and nothing is added.
std::vector<double> class_counts(const std::vector<double>& weights, std::size_t k,
                                 std::size_t levels, double alpha) {
  const auto first = weights.begin() + static_cast<std::ptrdiff_t>(k * levels);
  std::vector<double> counts(first, first + static_cast<std::ptrdiff_t>(levels));
  if (alpha > 0.0 || std::accumulate(counts.begin(), counts.end(), 0.0) > 0.0) { return counts; }
  std::fill(counts.begin(), counts.end(), 0.0);
  for (std::size_t i = 0; i < weights.size(); ++i) { counts[i % levels] += weights[i]; }
  return counts;
}

}  // namespace

void LevelTable::add_scores(std::span<const std::int32_t> codes, std::size_t stride,
                            double* scores) const {
  kernels::level_column_add(codes.data(), codes.size(), logs_.data(), levels_ + 2, classes_, stride,
                            scores);
}

double LevelTable::log_likelihood(const std::vector<double>& weights) const {
  double sum = 0.0;
  for (std::size_t k = 0; k < classes_; ++k) {
    for (std::size_t l = 0; l < levels_; ++l) {
      sum += times(weights[k * levels_ + l], at(k, static_cast<std::int32_t>(l)));
    }
  }
  return sum;
}

std::vector<double> LevelTable::probabilities(std::size_t k) const {
  std::vector<double> shares(levels_);
  for (std::size_t l = 0; l < levels_; ++l) {
    shares[l] = std::exp(at(k, static_cast<std::int32_t>(l)));
  }
  return shares;
}

std::optional<NaturalForm> LevelTable::natural(std::vector<std::string> names) const {
  NaturalForm form{std::move(names), {}, {}};
  for (std::size_t k = 0; k < classes_; ++k) {
    const double unseen = at(k, kUnseenCode);
    form.log_partitions.push_back(-unseen);
    for (std::size_t l = 0; l < levels_; ++l) {
      const double log = at(k, static_cast<std::int32_t>(l));
      if (!std::isfinite(log) || !std::isfinite(unseen)) { return {}; }
      form.parameters.push_back(log - unseen);
    }
  }
  return form;
}

LevelTable smoothed_shares(const std::vector<double>& weights, std::size_t classes, double alpha) {
  const std::size_t levels = weights.size() / classes;
  LevelTable table(classes, levels);
  for (std::size_t k = 0; k < classes; ++k) {
    const std::vector<double> counts = class_counts(weights, k, levels, alpha);
    const double total =
        std::accumulate(counts.begin(), counts.end(), 0.0) + alpha * static_cast<double>(levels);
    for (std::size_t l = 0; l < levels; ++l) {
      const double share =
          total > 0.0 ? (counts[l] + alpha) / total : 1.0 / static_cast<double>(levels);
      table.set(k, static_cast<std::int32_t>(l), std::log(share));
    }
    if (alpha > 0.0) { table.set(k, kUnseenCode, std::log(alpha / total)); }
  }
  return table;
}

std::unique_ptr<ColumnLaw> level_law(const ColumnSummary& rows, const ColumnRule& rule) {
  return std::make_unique<LevelLaw>(
      rows.column, smoothed_shares(rows.level_weights, rows.classes(), rule.smoothing));
}

}  // namespace logodds::models::naive_bayes::columns
