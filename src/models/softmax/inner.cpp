#include "models/softmax/inner.hpp"

#include <cmath>

namespace logodds::models::softmax {

namespace {

/// By turns into four sums, because one that was just added to is not at hand yet.
std::vector<double> class_weights(const FitRows& rows) {
  constexpr std::size_t kTurns = 4;
  std::vector<double> sums(kTurns * rows.classes, 0.0);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    sums[r % kTurns * rows.classes + static_cast<std::size_t>(rows.labels[r])] += rows.weight_of(r);
  }
  for (std::size_t i = rows.classes; i < sums.size(); ++i) { sums[i % rows.classes] += sums[i]; }
  sums.resize(rows.classes);
  return sums;
}

}  // namespace

void remove_class_means(std::vector<double>& values, std::size_t classes) {
  for (std::size_t row = 0; row < values.size(); row += classes) {
    double mean = 0.0;
    for (std::size_t k = 0; k < classes; ++k) {
      mean += values[row + k] / static_cast<double>(classes);
    }
    for (std::size_t k = 0; k < classes; ++k) { values[row + k] -= mean; }
  }
}

std::vector<double> log_priors(const FitRows& rows) {
  const std::vector<double> weights = class_weights(rows);
  const std::size_t free = free_classes(rows.classes);
  const std::size_t skipped = rows.classes - free;
  const double reference = skipped > 0 ? weights.front() : rows.weight;
  std::vector<double> priors;
  for (std::size_t k = 0; k < free; ++k) {
    const double ratio = weights[skipped + k] / reference;
    priors.push_back(ratio > 0.0 && std::isfinite(ratio) ? std::log(ratio) : 0.0);
  }
  return priors;
}

namespace {

/// Of the start, or of none.
std::vector<double> inner_start(const FitRows& rows, const Wish& wish, const Start& start,
                                const Whitening& whitening) {
  const std::size_t free = free_classes(rows.classes);
  const std::size_t skipped = rows.classes - free;
  const std::size_t d = rows.columns;
  if (start.coefficients.empty()) {
    std::vector<double> theta(d * free, 0.0);
    const auto priors = log_priors(rows);
    if (wish.intercept) { theta.insert(theta.end(), priors.begin(), priors.end()); }
    return theta;
  }
  std::vector<double> theta(d * free);
  std::vector<double> bias(free);
  const auto relative = [&](const std::vector<double>& of, std::size_t row, std::size_t k) {
    const double* const values = of.data() + row * rows.classes;
    return values[skipped + k] - (skipped > 0 ? values[0] : 0.0);
  };
  for (std::size_t k = 0; k < free; ++k) {
    bias[k] = relative(start.intercepts, 0, k);
    for (std::size_t i = 0; i < d; ++i) {
      theta[i * free + k] = relative(start.coefficients, i, k);
      bias[k] += theta[i * free + k] * whitening.center[i];
    }
  }
  theta = whitening.in_own_units(theta, free);
  if (wish.intercept) { theta.insert(theta.end(), bias.begin(), bias.end()); }
  return theta;
}

}  // namespace

std::vector<double> better_start(const FitRows& rows, const Wish& wish, const Start& start,
                                 const Whitening& whitening,
                                 const optimize::ObjectiveFunction& objective) {
  auto cold = inner_start(rows, wish, {}, whitening);
  if (start.coefficients.empty()) { return cold; }
  auto warm = inner_start(rows, wish, start, whitening);
  std::vector<double> gradient(cold.size());
  return objective(warm, gradient) < objective(cold, gradient) ? warm : cold;
}

std::vector<double> costs_of(const std::vector<double>& l1, const std::vector<double>& scale,
                             std::size_t free, std::size_t dimension) {
  std::vector<double> costs(dimension, 0.0);
  for (std::size_t i = 0; i < l1.size(); ++i) {
    for (std::size_t k = 0; k < free; ++k) { costs[i * free + k] = l1[i] * scale[i]; }
  }
  return costs;
}

Solution finished(Solution solution, const optimize::Result& result, std::size_t classes,
                  bool centered) {
  solution.objective = result.value;
  solution.gradient_norm = result.gradient_norm;
  solution.iterations = result.iterations;
  solution.converged = result.converged;
  if (classes > 2) {
    if (centered) { remove_class_means(solution.coefficients, classes); }
    remove_class_means(solution.bias, classes);
  }
  return solution;
}

}  // namespace logodds::models::softmax
