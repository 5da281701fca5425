#include "models/softmax/objective.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

using logodds::models::softmax::Problem;
using logodds::models::softmax::SoftmaxObjective;

namespace {

/// Rows of classes of unequal weight, the last of them rare.
struct Drawn {
  std::vector<double> x;
  std::vector<std::int32_t> labels;
  std::vector<double> weights;
  Problem problem;

  Drawn(std::size_t rows, std::size_t columns, std::size_t classes, bool intercept) {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    for (std::size_t i = 0; i < rows * columns; ++i) { x.push_back(2.0 + normal(random)); }
    for (std::size_t r = 0; r < rows; ++r) {
      const double u = uniform(random);
      labels.push_back(static_cast<std::int32_t>(u * u * static_cast<double>(classes)));
      weights.push_back(0.5 + u);
    }
    problem = {.rows = rows,
               .columns = columns,
               .classes = classes,
               .x = x.data(),
               .stride = columns,
               .center = std::vector<double>(columns, 2.0),
               .scale = std::vector<double>(columns, 0.75),
               .labels = labels.data(),
               .weights = weights.data(),
               .decay = std::vector<double>(columns, 0.3),
               .intercept = intercept};
  }
};

std::vector<double> some_point(std::size_t dimension) {
  std::vector<double> theta;
  for (std::size_t i = 0; i < dimension; ++i) {
    theta.push_back(0.4 * std::sin(1.7 * static_cast<double>(i)));
  }
  return theta;
}

/// a^T H b of a lower triangle.
double product(const std::vector<double>& h, const std::vector<double>& a,
               const std::vector<double>& b) {
  const std::size_t n = a.size();
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      sum += a[i] * h[std::max(i, j) * n + std::min(i, j)] * b[j];
    }
  }
  return sum;
}

/// A direction in which the classes do not move together.
std::vector<double> some_direction(std::size_t dimension, std::size_t classes, double phase) {
  std::vector<double> direction;
  for (std::size_t i = 0; i < dimension; ++i) {
    direction.push_back(std::cos(phase * static_cast<double>(i)));
  }
  for (std::size_t i = 0; i < dimension; i += classes) {
    double mean = 0.0;
    for (std::size_t k = 0; k < classes; ++k) {
      mean += direction[i + k] / static_cast<double>(classes);
    }
    for (std::size_t k = 0; k < classes; ++k) { direction[i + k] -= mean; }
  }
  return direction;
}

}  // namespace

TEST_CASE("softmax objective: the Hessian is that of the gradient") {
  for (const std::size_t classes : {3U, 4U, 10U}) {
    for (const bool intercept : {true, false}) {
      const Drawn drawn(900, 7, classes, intercept);
      SoftmaxObjective objective(drawn.problem);
      const std::size_t n = objective.dimension();
      const auto theta = some_point(n);
      std::vector<double> exact(n * n);
      objective.hessian(theta, exact);
      const auto a = some_direction(n, classes, 0.9);
      const auto b = some_direction(n, classes, 2.3);
      const double size = std::sqrt(product(exact, a, a) * product(exact, b, b));
      constexpr double kStep = 1e-5;
      std::vector<double> ahead(n);
      std::vector<double> behind(n);
      const auto gradient_at = [&](double step, std::vector<double>& gradient) {
        std::vector<double> at = theta;
        for (std::size_t i = 0; i < n; ++i) { at[i] += step * b[i]; }
        objective.evaluate(at, gradient);
      };
      gradient_at(kStep, ahead);
      gradient_at(-kStep, behind);
      double along = 0.0;
      for (std::size_t i = 0; i < n; ++i) {
        along += a[i] * (ahead[i] - behind[i]) / (2.0 * kStep);
      }
      CHECK(std::abs(product(exact, a, b) - along) <= 1e-7 * size);
    }
  }
}

TEST_CASE("softmax objective: roughly the same value and gradient, at every call") {
  const Drawn drawn(3000, 9, 5, true);
  SoftmaxObjective objective(drawn.problem);
  const std::size_t n = objective.dimension();
  std::vector<double> exact(n);
  std::vector<double> rough(n);
  for (const double factor : {1.0, -0.5, 2.0}) {
    auto theta = some_point(n);
    for (double& t : theta) { t *= factor; }
    const double value = objective.evaluate(theta, exact);
    CHECK(objective.evaluate_roughly(theta, rough) == doctest::Approx(value).epsilon(1e-6));
    const double largest =
        std::abs(*std::ranges::max_element(exact, {}, [](double g) { return std::abs(g); }));
    for (std::size_t i = 0; i < n; ++i) { CHECK(std::abs(rough[i] - exact[i]) <= 1e-5 * largest); }
  }
}

TEST_CASE("softmax objective: weights that floats do not hold leave the rough gradient exact") {
  for (const double scale : {1e37, 1e-47}) {
    Drawn drawn(3000, 9, 5, true);
    for (double& weight : drawn.weights) { weight *= scale; }
    SoftmaxObjective objective(drawn.problem);
    const auto theta = some_point(objective.dimension());
    std::vector<double> exact(theta.size());
    std::vector<double> rough(theta.size());
    CHECK(objective.evaluate_roughly(theta, rough) == objective.evaluate(theta, exact));
    CHECK(rough == exact);
  }
}
