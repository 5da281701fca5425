#include "choose/estimates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/line/tails.hpp"

namespace logodds::choose {

double student_quantile(double df) {
  constexpr double kOutside = 0.05;
  double low = 0.0;
  double high = 1e6;
  constexpr int kHalvings = 200;
  for (int i = 0; i < kHalvings && high - low > 1e-13 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (models::line::student_two_sided(middle, df) > kOutside ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

Estimate estimate_over(std::span<const double> values, std::span<const double> weights,
                       std::size_t repeats) {
  double weight = 0.0;
  double sum = 0.0;
  for (std::size_t j = 0; j < values.size(); ++j) {
    weight += weights[j];
    sum += weights[j] * values[j];
  }
  const double mean = sum / weight;
  double squares = 0.0;
  for (std::size_t j = 0; j < values.size(); ++j) {
    const double off = weights[j] * (values[j] - mean);
    squares += off * off;
  }
  const auto count = static_cast<double>(values.size());
  const double folds = count / static_cast<double>(repeats);
  const double error =
      count < 2.0
          ? std::numeric_limits<double>::quiet_NaN()
          : std::sqrt(static_cast<double>(repeats) * count / (count - 1.0) * squares) / weight;
  const double reach = folds < 2.0 ? error : student_quantile(folds - 1.0) * error;
  return {mean, error, std::max(0.0, mean - reach), mean + reach};
}

Estimate over_folds(const std::vector<FoldResult>& folds, double FoldResult::* value,
                    std::size_t repeats, double most) {
  std::vector<double> values;
  std::vector<double> weights;
  for (const FoldResult& fold : folds) {
    if (fold.rows == 0) { continue; }  // every row of it lacks a value
    values.push_back(fold.*value);
    weights.push_back(fold.weight);
  }
  Estimate estimate = estimate_over(values, weights, repeats);
  estimate.high = std::min(estimate.high, most);
  return estimate;
}

Difference difference_over(const std::vector<FoldResult>& folds,
                           const std::vector<FoldResult>& of_best, double FoldResult::* value,
                           std::size_t repeats) {
  std::vector<double> values;
  std::vector<double> weights;
  for (std::size_t j = 0; j < folds.size(); ++j) {
    if (folds[j].rows == 0) { continue; }
    values.push_back(folds[j].*value - of_best[j].*value);
    weights.push_back(folds[j].weight);
  }
  double sum = 0.0;
  double weight = 0.0;
  double plain_sum = 0.0;
  for (std::size_t j = 0; j < values.size(); ++j) {
    sum += weights[j] * values[j];
    weight += weights[j];
    plain_sum += values[j];
  }
  const auto count = static_cast<double>(values.size());
  const double plain_mean = plain_sum / count;
  double squares = 0.0;
  for (const double v : values) { squares += (v - plain_mean) * (v - plain_mean); }
  const double test_to_train = 1.0 / (count / static_cast<double>(repeats) - 1.0);
  const double error = std::sqrt(squares / (count - 1.0) * (1.0 / count + test_to_train));
  const double reach = student_quantile(count - 1.0) * error;
  return {sum / weight, sum / weight - reach, sum / weight + reach};
}

double exact_mcnemar(std::size_t a, std::size_t b) {
  const auto total = static_cast<double>(a + b);
  const std::size_t least = std::min(a, b);
  // The term of k heads is that of k + 1 times (k + 1) / (total - k).
  double term =
      std::exp(std::lgamma(total + 1.0) - std::lgamma(static_cast<double>(least) + 1.0) -
               std::lgamma(total - static_cast<double>(least) + 1.0) - total * std::log(2.0));
  double sum = 0.0;
  for (std::size_t k = least;; --k) {
    sum += term;
    if (k == 0 || term < 1e-18 * sum) { break; }
    term *= static_cast<double>(k) / (total - static_cast<double>(k) + 1.0);
  }
  return std::min(1.0, 2.0 * sum);
}

}  // namespace logodds::choose
