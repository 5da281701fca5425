// What the laws of counts have in common.
#pragma once

#include <array>

#include "models/naive_bayes/columns/common.hpp"

namespace logodds::models::naive_bayes::columns {

inline constexpr std::array kCountKinds{ColumnKind::count, ColumnKind::binary};

/// Why x is not one of 0, 1, 2, ..., or empty.
[[nodiscard]] inline std::string_view count_refusal(double x) {
  if (kCounts.contains(x)) { return {}; }
  return x < 0.0 ? "is negative" : "is not a whole number";
}

/// (sum_k + alpha m) / (N_k + alpha): alpha rows of the overall mean m join each class. A class
/// that has no value has the mean m.
[[nodiscard]] inline std::vector<double> smoothed_means(const ColumnSummary& rows,
                                                        const ColumnRule& rule) {
  const Moments all = class_moments(rows.weights, rows.means, rows.scatters).overall;
  std::vector<double> means;
  for (std::size_t k = 0; k < rows.classes(); ++k) {
    means.push_back(rows.weights[k] > 0.0 ? (rows.sums[k] + rule.smoothing * all.mean) /
                                                (rows.weights[k] + rule.smoothing)
                                          : all.mean);
  }
  return means;
}

/// All of them above 0: ln and 1 / of them are finite.
[[nodiscard]] inline bool all_positive(const std::vector<double>& means) {
  return std::all_of(means.begin(), means.end(), [](double mean) { return mean > 0.0; });
}

}  // namespace logodds::models::naive_bayes::columns
