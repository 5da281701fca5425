#include "models/neural/objective.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/neural/made_rows.hpp"

using namespace logodds;
using namespace logodds::test;
using namespace logodds::models::neural;

namespace {

constexpr Activation kAll[] = {Activation::tanh, Activation::sigmoid, Activation::linear,
                               Activation::relu};

std::vector<double> some_parameters(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0.0, 0.7);
  std::vector<double> theta(n);
  for (double& value : theta) { value = normal(random); }
  return theta;
}

/// The formula, row by row, in long double; parameters in the free layout.
long double plain_objective(const NetRows& rows, const NetPlan& plan,
                            const std::vector<double>& theta) {
  const Layout at = plan.free_layout();
  const auto p = [&](std::size_t i) { return static_cast<long double>(theta[i]); };
  const auto z = [&](std::size_t r, std::size_t i) {
    return static_cast<long double>(rows.z[r * plan.inputs + i]);
  };
  long double sum = 0.0L;
  for (std::size_t r = 0; r < rows.rows; ++r) {
    std::vector<long double> a;
    if (at.outputs < plan.classes) { a.push_back(0.0L); }
    for (std::size_t k = 0; k < at.outputs; ++k) {
      long double score = p(at.output_bias() + k);
      for (std::size_t j = 0; j < plan.hidden; ++j) {
        long double h = p(at.hidden_bias() + j);
        for (std::size_t i = 0; i < plan.inputs; ++i) { h += p(i * plan.hidden + j) * z(r, i); }
        if (plan.activation == Activation::tanh) { h = std::tanh(h); }
        if (plan.activation == Activation::sigmoid) { h = 1.0L / (1.0L + std::exp(-h)); }
        if (plan.activation == Activation::relu) { h = std::max(h, 0.0L); }
        score += p(at.output_weights() + j * at.outputs + k) * h;
      }
      for (std::size_t i = 0; plan.skip && i < plan.inputs; ++i) {
        score += p(at.skip_weights() + i * at.outputs + k) * z(r, i);
      }
      a.push_back(score);
    }
    long double total = 0.0L;
    for (const long double score : a) { total += std::exp(score); }
    const long double w = rows.weights.empty() ? 1.0L : static_cast<long double>(rows.weights[r]);
    sum += w * (std::log(total) - a[static_cast<std::size_t>(rows.labels[r])]);
  }
  for (std::size_t i = 0; i < at.output_bias(); ++i) {
    sum += static_cast<long double>(plan.decay) * p(i) * p(i);
  }
  return sum;
}

}  // namespace

TEST_CASE("neural: value by its formula, gradient by central differences, for every kind of net") {
  for (const Activation activation : kAll) {
    for (const bool skip : {false, true}) {
      for (const std::size_t classes : {1UL, 2UL, 3UL}) {
        for (const bool weighted : {false, true}) {
          const NetPlan plan{3, 4, classes, activation, skip, 0.3};
          const NetRows rows = net_rows(40, 3, classes, weighted);
          NetObjective objective(rows, plan, 1);
          auto theta = some_parameters(objective.dimension(), classes);
          std::vector<double> gradient(theta.size());
          const double value = objective.evaluate(theta, gradient);
          CHECK(value == doctest::Approx(static_cast<double>(plain_objective(rows, plan, theta)))
                             .epsilon(1e-13));
          for (std::size_t i = 0; i < theta.size(); ++i) {
            constexpr double kStep = 1e-6;
            const double before = theta[i];
            theta[i] = before + kStep;
            const long double up = plain_objective(rows, plan, theta);
            theta[i] = before - kStep;
            const long double down = plain_objective(rows, plan, theta);
            theta[i] = before;
            const auto slope =
                static_cast<double>((up - down) / (2.0L * static_cast<long double>(kStep)));
            CHECK(std::abs(gradient[i] - slope) < 1e-8 * (1.0 + std::abs(slope)));
          }
        }
      }
    }
  }
}

TEST_CASE("neural: mini-batches of all rows together give the objective per unit of weight") {
  const NetPlan plan{5, 6, 3, Activation::tanh, true, 0.2};
  const NetRows rows = net_rows(700, 5, 3, true);
  NetObjective objective(rows, plan, 1);
  const auto theta = some_parameters(objective.dimension(), 9);
  std::vector<double> gradient(theta.size());
  const double value = objective.evaluate(theta, gradient);
  std::vector<std::uint32_t> order(rows.rows);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::reverse(order);
  for (const std::size_t size : {700UL, 100UL, 7UL}) {
    double sum = 0.0;
    std::vector<double> total(theta.size(), 0.0);
    std::vector<double> part(theta.size());
    parallel::Team::run(1, [&](parallel::Team& team) {
      for (std::size_t begin = 0; begin < order.size(); begin += size) {
        sum += objective.evaluate_batch(team, theta, std::span(order).subspan(begin, size), part);
        for (std::size_t i = 0; i < part.size(); ++i) { total[i] += part[i]; }
      }
    });
    const double share = static_cast<double>(size) / 700.0 * rows.weight;
    CHECK(sum * share == doctest::Approx(value).epsilon(1e-12));
    for (std::size_t i = 0; i < total.size(); ++i) {
      CHECK(std::abs(total[i] * share - gradient[i]) < 1e-10 * (1.0 + std::abs(gradient[i])));
    }
  }
}

TEST_CASE("neural: value, gradient and mini-batches are the same bits by threads [threads]") {
  const NetPlan plan{60, 40, 3, Activation::tanh, true, 0.2};  // enough work for threads
  const NetRows rows = net_rows(1100, 60, 3, false);
  std::vector<std::uint32_t> order(rows.rows);
  std::iota(order.begin(), order.end(), 0U);
  std::vector<std::vector<double>> answers;
  for (const int threads : {1, 2, 7}) {
    NetObjective objective(rows, plan, threads);
    const auto theta = some_parameters(objective.dimension(), 5);
    std::vector<double> answer(2 * theta.size() + 2);
    const std::span<double> all(answer);
    answer[0] = objective.evaluate(theta, all.subspan(2, theta.size()));
    parallel::Team::run(threads, [&](parallel::Team& team) {
      answer[1] = objective.evaluate_batch(team, theta, order, all.subspan(2 + theta.size()));
    });
    answers.push_back(std::move(answer));
  }
  CHECK(answers[1] == answers[0]);
  CHECK(answers[2] == answers[0]);
}

TEST_CASE("neural: without a reference class posteriors stay as they are") {
  const NetPlan plan{3, 2, 2, Activation::tanh, true, 0.0};
  const NetRows rows = net_rows(50, 3, 2, false);
  const auto full = some_parameters(plan.full_layout().size(), 3);
  const auto theta = without_reference(plan, full);
  const auto back = expanded(plan, theta);
  NetObjective objective(rows, plan, 1);
  const auto again = without_reference(plan, back);
  CHECK(again == theta);
  std::vector<double> hidden(2 * 50), skipped, one(2 * 50), other(2 * 50);
  const std::vector<double> zeros(3, 0.0);
  const Layout at = plan.full_layout();
  forward(NetView(at, full.data(), zeros.data()), plan.activation, rows.z.data(), 50, 3,
          hidden.data(), skipped, one.data());
  forward(NetView(at, back.data(), zeros.data()), plan.activation, rows.z.data(), 50, 3,
          hidden.data(), skipped, other.data());
  for (std::size_t r = 0; r < 50; ++r) {
    CHECK(one[2 * r + 1] - one[2 * r] == doctest::Approx(other[2 * r + 1] - other[2 * r]));
  }
}
