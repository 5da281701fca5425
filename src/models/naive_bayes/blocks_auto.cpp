#include "models/naive_bayes/blocks_auto.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "models/naive_bayes/table_factor.hpp"

namespace logodds::models::naive_bayes {

namespace {

constexpr double kWorthIt = 3.0;  // nats: less is chance

/// N(mean, covariance) of two columns in one class.
struct Pair {
  double means[2];
  double variances[2];
  double covariance;

  Pair(const ClassMoments& moments, std::size_t k)
      : means{moments.mean(k, 0), moments.mean(k, 1)},
        variances{moments.scatter(k, 0, 0) / moments.weight(k),
                  moments.scatter(k, 1, 1) / moments.weight(k)},
        covariance(moments.scatter(k, 1, 0) / moments.weight(k)) {}

  /// With rho = 0 the pair falls apart: what the correlation adds to the mean log-likelihood of
  /// rows of these moments is -1/2 [ln(1 - rho^2) + rho^2 / (1 - rho^2) (a + b) - 2 rho / (1 -
  /// rho^2) c], with a, b, c the mean squares and product of the other rows in units of this pair.
  [[nodiscard]] double gain(const Pair& other) const {
    constexpr double kMost = 1.0 - 1e-9;
    const double scale = std::sqrt(variances[0] * variances[1]);
    const double rho = std::clamp(covariance / scale, -kMost, kMost);
    const double d0 = other.means[0] - means[0];
    const double d1 = other.means[1] - means[1];
    const double a = (other.variances[0] + d0 * d0) / variances[0];
    const double b = (other.variances[1] + d1 * d1) / variances[1];
    const double c = (other.covariance + d0 * d1) / scale;
    const double rest = 1.0 - rho * rho;
    return -0.5 * (std::log(rest) + (rho * rho * (a + b) - 2.0 * rho * c) / rest);
  }
  [[nodiscard]] bool regular() const { return variances[0] > 0.0 && variances[1] > 0.0; }
};

double gain_of_numbers(const ClassMoments& train, const ClassMoments& test) {
  constexpr double kFewest = 3.0;  // rows that tell a correlation
  double gain = 0.0;
  for (std::size_t k = 0; k < std::min(train.classes(), test.classes()); ++k) {
    if (train.weight(k) < kFewest || test.weight(k) < kFewest) { continue; }
    const Pair known(train, k);
    const Pair other(test, k);
    if (known.regular() && other.regular()) { gain += test.weight(k) * known.gain(other); }
  }
  return gain;
}

/// Weights by level of column `c` of two.
std::vector<double> margin(const std::vector<CellCounts::Cell>& cells, std::size_t c,
                           std::size_t levels, std::size_t k) {
  std::vector<double> sums(levels, 0.0);
  for (const auto& cell : cells) {
    sums[static_cast<std::size_t>(cell.codes[c])] += cell.weights[k];
  }
  return sums;
}

double gain_of_tables(const CellCounts& train, const CellCounts& test, std::size_t first,
                      std::size_t second, std::size_t classes, double alpha) {
  const auto known = train.cells(classes);
  const auto rows = test.cells(classes);
  const auto la = static_cast<double>(first);
  const auto lb = static_cast<double>(second);
  double gain = 0.0;
  for (std::size_t k = 0; k < classes; ++k) {
    const auto a = margin(known, 0, first, k);
    const auto b = margin(known, 1, second, k);
    double total = 0.0;
    for (const double weight : a) { total += weight; }
    for (const auto& cell : rows) {
      if (!(cell.weights[k] > 0.0)) { continue; }
      const auto found = std::ranges::lower_bound(known, cell.codes, {}, &CellCounts::Cell::codes);
      const bool there = found != known.end() && found->codes == cell.codes;
      const double together =
          ((there ? found->weights[k] : 0.0) + alpha) / (total + alpha * la * lb);
      const double apart =
          (a[static_cast<std::size_t>(cell.codes[0])] + alpha) / (total + alpha * la) *
          ((b[static_cast<std::size_t>(cell.codes[1])] + alpha) / (total + alpha * lb));
      gain += cell.weights[k] * std::log(together / apart);
    }
  }
  return gain;
}

double gain_of(const JointStatistic& a, const JointStatistic& b, const Column& first,
               const Column& second, std::size_t classes, double alpha) {
  const auto discrete = [](const Column& column) {
    return column.coded() || column.kind == ColumnKind::binary;
  };
  if (discrete(first) && discrete(second) && a.cells() && b.cells()) {
    const std::size_t la = levels_of(first).size();
    const std::size_t lb = levels_of(second).size();
    return gain_of_tables(*a.cells(), *b.cells(), la, lb, classes, alpha) +
           gain_of_tables(*b.cells(), *a.cells(), la, lb, classes, alpha);
  }
  const bool numbers = first.kind == ColumnKind::real && second.kind == ColumnKind::real;
  if (!numbers || !a.moments() || !b.moments()) { return 0.0; }
  return gain_of_numbers(*a.moments(), *b.moments()) + gain_of_numbers(*b.moments(), *a.moments());
}

}  // namespace

std::vector<ChosenBlock> best_blocks(const NaiveStatistics& statistics, const Schema& schema,
                                     const Wish& wish) {
  const double alpha = wish.smoothing > 0.0 ? wish.smoothing : 1.0;
  std::vector<ChosenBlock> all;
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    for (std::size_t j = i + 1; j < schema.columns.size(); ++j) {
      const auto [a, b] = statistics.halves({i, j});
      if (a == nullptr) { continue; }
      const double gain =
          gain_of(*a, *b, schema.columns[i], schema.columns[j], schema.labels.size(), alpha);
      if (gain > kWorthIt) { all.push_back({i, j, gain}); }
    }
  }
  std::ranges::stable_sort(
      all, [](const ChosenBlock& a, const ChosenBlock& b) { return a.gain > b.gain; });
  std::vector<ChosenBlock> chosen;
  std::set<std::size_t> used;
  for (const auto& block : all) {
    if (used.contains(block.first) || used.contains(block.second)) { continue; }
    used.insert({block.first, block.second});
    chosen.push_back(block);
  }
  return chosen;
}

}  // namespace logodds::models::naive_bayes
