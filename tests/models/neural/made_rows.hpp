// Rows for the tests of the net.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "models/neural/objective.hpp"
#include "support/sample.hpp"

namespace logodds::test {

inline Fit fit_net(const Sample& sample, const OptionMap& options, const Context& context = {}) {
  return train(*open_matrix(sample.data()), "neural", options, context);
}

inline double fact(const Classifier& model, const std::string& name) {
  for (const auto& [key, value] : model.describe().facts) {
    if (key != name) { continue; }
    const auto* const whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
  }
  return std::nan("");
}

inline std::string refusal_of(const Sample& sample, const OptionMap& options,
                              const Context& context = {}) {
  try {
    static_cast<void>(fit_net(sample, options, context));
  } catch (const Error& error) { return error.what(); }
  return {};
}

inline bool noted(const FitReport& report, const std::string& part) {
  return std::ranges::any_of(report.notes, [&](const auto& note) { return contains(note, part); });
}

/// Share of the rows whose class has the largest posterior.
inline double accuracy(const Classifier& model, const Sample& sample) {
  const auto p = posteriors_of(model, sample);
  double right = 0.0;
  for (std::size_t r = 0; r < sample.rows(); ++r) {
    const double* const row = p.data() + r * sample.classes;
    const auto top = static_cast<std::size_t>(std::max_element(row, row + sample.classes) - row);
    right += top == sample.label(r) ? 1.0 : 0.0;
  }
  return right / static_cast<double>(sample.rows());
}

/// Two arms of 1.75 turns, 97 points each (Lang & Witbrock, 1988).
inline Sample two_spirals() {
  Sample sample{.columns = 2, .classes = 2, .values = {}, .labels = {}, .weights = {}};
  for (int i = 0; i < 97; ++i) {
    const double angle = i * std::numbers::pi / 16.0;
    const double radius = 6.5 * (104 - i) / 104.0;
    for (const double sign : {1.0, -1.0}) {
      sample.values.push_back(sign * radius * std::sin(angle));
      sample.values.push_back(sign * radius * std::cos(angle));
      sample.labels.push_back(sign > 0.0 ? 1 : 0);
    }
  }
  return sample;
}

inline Sample exclusive_or() {
  return {.columns = 2,
          .classes = 2,
          .values = {0, 0, 0, 1, 1, 0, 1, 1},
          .labels = {0, 1, 1, 0},
          .weights = {}};
}

/// Standardized rows for the objective itself.
inline models::neural::NetRows net_rows(std::size_t n, std::size_t d, std::size_t classes,
                                        bool weighted) {
  std::mt19937_64 random(n + classes);
  std::normal_distribution<double> normal;
  models::neural::NetRows rows;
  rows.rows = n;
  for (std::size_t i = 0; i < n * d; ++i) { rows.z.push_back(normal(random)); }
  for (std::size_t r = 0; r < n; ++r) {
    rows.labels.push_back(static_cast<std::int32_t>(random() % classes));
    const double weight = weighted ? 0.5 * static_cast<double>(1 + random() % 4) : 1.0;
    if (weighted) { rows.weights.push_back(weight); }
    rows.weight += weight;
  }
  return rows;
}

}  // namespace logodds::test
