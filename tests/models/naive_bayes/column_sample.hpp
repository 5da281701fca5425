// Rows of one column with classes and weights, and their summary, added up the plain way.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "models/naive_bayes/column_family.hpp"

namespace logodds::models::naive_bayes::testing {

inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

struct ColumnSample {
  Column column;
  std::vector<std::string> labels;
  std::vector<double> x;  ///< numbers, or codes of levels
  std::vector<std::size_t> classes;
  std::vector<double> weights;

  void add(double value, std::size_t k, double weight = 1.0) {
    x.push_back(value);
    classes.push_back(k);
    weights.push_back(weight);
  }
  [[nodiscard]] std::vector<double> of_class(std::size_t k) const {
    std::vector<double> values;
    for (std::size_t r = 0; r < x.size(); ++r) {
      if (classes[r] == k) { values.push_back(x[r]); }
    }
    return values;
  }

  [[nodiscard]] ColumnSummary summary() const {
    const std::size_t count = labels.size();
    const std::vector<double> zeros(count, 0.0);
    ColumnSummary rows{
        .column = column,
        .labels = labels,
        .weights = zeros,
        .sums = zeros,
        .means = zeros,
        .scatters = zeros,
        .log_factorials = zeros,
        .log_means = zeros,
        .log_scatters = zeros,
        .level_weights = std::vector<double>(count * column.levels.size(), 0.0),
    };
    std::map<double, std::vector<double>> by_value;
    for (std::size_t r = 0; r < x.size(); ++r) {
      const std::size_t k = classes[r];
      rows.weights[k] += weights[r];
      if (column.coded()) {
        rows.level_weights[k * column.levels.size() + static_cast<std::size_t>(x[r])] += weights[r];
        continue;
      }
      rows.sums[k] += weights[r] * x[r];
      rows.log_factorials[k] += weights[r] * std::lgamma(x[r] + 1.0);
      rows.log_means[k] += weights[r] * std::log(x[r]);
      by_value.try_emplace(x[r], zeros).first->second[k] += weights[r];
    }
    for (std::size_t k = 0; k < count; ++k) {
      const double weight = rows.weights[k] > 0.0 ? rows.weights[k] : 1.0;
      rows.means[k] = rows.sums[k] / weight;
      rows.log_means[k] /= weight;
    }
    for (const auto& [value, of_value] : by_value) {
      rows.values.push_back(value);
      rows.value_weights.insert(rows.value_weights.end(), of_value.begin(), of_value.end());
      for (std::size_t k = 0; k < count; ++k) {
        const double deviation = value - rows.means[k];
        const double log_deviation = std::log(value) - rows.log_means[k];
        if (of_value[k] == 0.0) { continue; }
        rows.scatters[k] += of_value[k] * deviation * deviation;
        rows.log_scatters[k] += of_value[k] * log_deviation * log_deviation;
      }
    }
    return rows;
  }
};

inline ColumnSample empty_sample(ColumnKind kind, std::vector<std::string> levels = {}) {
  return {{"x", kind, std::move(levels)}, {"a", "b", "c"}, {}, {}, {}};
}

/// Three classes of values that the family takes, with different weights.
inline ColumnSample sample_for(const ColumnFamily& family, bool coded = false) {
  std::mt19937_64 generator(7);
  const ColumnKind kind = family.kinds().front();
  ColumnSample sample = empty_sample(kind);
  if (kind == ColumnKind::categorical) { sample.column.levels = {"lo", "mid", "top"}; }
  if (coded && kind == ColumnKind::binary) { sample.column.levels = {"no", "yes"}; }
  for (std::size_t r = 0; r < 240; ++r) {
    const std::size_t k = r % 3;
    const double weight = 0.5 + 0.25 * static_cast<double>(generator() % 4);
    const auto center = static_cast<double>(k + 1);
    double value = 0.0;
    if (kind == ColumnKind::real) {
      value = std::gamma_distribution<double>(1.5 * center, 0.8)(generator);
    } else if (kind == ColumnKind::count) {
      value = std::negative_binomial_distribution<int>(2, 1.0 / (1.0 + center))(generator);
    } else if (sample.column.levels.size() == 3) {
      value = std::discrete_distribution<int>({center, 2.0, 1.0})(generator);
    } else {
      value = std::bernoulli_distribution(0.2 * center)(generator) ? 1.0 : 0.0;
    }
    sample.add(value, k, weight);
  }
  return sample;
}

inline std::unique_ptr<ColumnLaw> law_of(const ColumnFamily& family, const ColumnSample& sample,
                                         ColumnRule rule = {1.0, 1e-9}) {
  std::vector<std::string> notes;
  return family.estimate(sample.summary(), rule, notes);
}

/// Every family with its sample; the binary ones also with a coded column.
template <class Check>
void for_each_family(const Check& check) {
  for (const ColumnFamily* family : column_families()) {
    for (const bool coded : {false, true}) {
      if (coded && family->kinds().front() != ColumnKind::binary) { continue; }
      const std::string name{family->name()};
      CAPTURE(name);
      CAPTURE(coded);
      check(*family, sample_for(*family, coded));
    }
  }
}

inline std::vector<double> parameter(const ColumnLaw& law, const std::string& name) {
  for (const auto& [key, values] : law.parameters()) {
    if (key == name) { return values; }
  }
  FAIL("no parameter " << name);
  return {};
}

}  // namespace logodds::models::naive_bayes::testing
