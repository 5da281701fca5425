#include "models/softmax/pair_hessian.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "models/softmax/inverse_hessian.hpp"

using namespace logodds::models::softmax;
using logodds::kernels::PairPicks;

namespace {

struct Drawn {
  std::vector<double> x;
  std::vector<std::int32_t> labels;
  Problem problem;

  Drawn(std::size_t rows, std::size_t columns, std::size_t classes, bool intercept) {
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    for (std::size_t r = 0; r < rows; ++r) {
      const double common = normal(random);
      for (std::size_t i = 0; i < columns; ++i) {
        x.push_back(2.0 + 0.5 * common + normal(random));
      }
      labels.push_back(static_cast<std::int32_t>(r % classes));
    }
    problem = {.rows = rows,
               .columns = columns,
               .classes = classes,
               .x = x.data(),
               .stride = columns,
               .center = std::vector<double>(columns, 2.0),
               .scale = std::vector<double>(columns, 0.9),
               .labels = labels.data(),
               .decay = std::vector<double>(columns, 3.0),
               .intercept = intercept,
               .threads = 2};
  }
};

std::vector<double> some_point(std::size_t dimension) {
  std::vector<double> theta;
  for (std::size_t i = 0; i < dimension; ++i) {
    theta.push_back(0.4 * std::sin(1.7 * static_cast<double>(i)));
  }
  return theta;
}

PairPicks picks_at(SoftmaxObjective& objective, const std::vector<double>& theta, double rate) {
  PairPicks picks{.rate = rate};
  std::vector<double> gradient(theta.size());
  objective.evaluate_roughly(theta, gradient, &picks);
  return picks;
}

}  // namespace

TEST_CASE("softmax: the inverse of the Hessian of picked rows is nearly that of all rows") {
  for (const std::size_t classes : {3U, 6U}) {
    for (const bool intercept : {true, false}) {
      const Drawn drawn(20000, 7, classes, intercept);
      SoftmaxObjective objective(drawn.problem);
      const std::size_t n = objective.dimension();
      const auto theta = some_point(n);
      const std::vector<double> none(n, 0.0);
      const auto exact = InverseHessian::at(objective, theta, none);
      const auto guess = InverseHessian::of_pairs(objective, picks_at(objective, theta, 12.0));
      std::vector<double> expected(n);
      objective.evaluate(theta, expected);
      std::vector<double> found = expected;
      exact.apply(expected);
      guess.apply(found);
      const auto size = static_cast<Eigen::Index>(n);
      const Eigen::Map<const Eigen::VectorXd> a(expected.data(), size);
      const Eigen::Map<const Eigen::VectorXd> b(found.data(), size);
      CHECK((a - b).norm() <= 0.05 * a.norm());
      for (std::size_t i = 0; i < n; i += classes) {  // nothing that all classes have in common
        double sum = 0.0;
        for (std::size_t k = 0; k < classes; ++k) { sum += found[i + k]; }
        CHECK(std::abs(sum) <= 1e-12 * b.norm());
      }
    }
  }
}

TEST_CASE("softmax: classes without a pick have the curvature that the pass has seen") {
  const Drawn drawn(4000, 3, 3, true);
  SoftmaxObjective objective(drawn.problem);
  auto theta = some_point(objective.dimension());
  theta.back() = -14.0;  // the last class has posteriors of 1e-6
  const auto picks = picks_at(objective, theta, 2.0);
  const logodds::kernels::PickedRows rows(picks);
  REQUIRE(rows.of(1).empty());
  REQUIRE(rows.of(2).empty());
  for (const Digits digits : {Digits::single_precision, Digits::double_precision}) {
    const auto h = pair_hessian(objective, picks, 0, digits);
    REQUIRE(h.rows() == 8);
    const Eigen::MatrixXd whole = h.selfadjointView<Eigen::Lower>();
    const Eigen::VectorXd values =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(whole).eigenvalues();
    CHECK(values(0) > 0.1 * picks.curvature[2]);
    CHECK(h(7, 7) < 10.0 * picks.curvature[2] + 1.0);
  }
}

TEST_CASE("softmax: digits that floats do not have are looked for in doubles") {
  Drawn drawn(3000, 4, 3, true);
  for (std::size_t r = 0; r < 3000; ++r) {  // the last column is nearly the sum of two others
    double* const row = drawn.x.data() + 4 * r;
    row[3] = row[0] + row[1] - 2.0 + 1e-4 * static_cast<double>(r % 7);
  }
  for (double& decay : drawn.problem.decay) { decay = 1e-9; }
  SoftmaxObjective objective(drawn.problem);
  const auto theta = some_point(objective.dimension());
  const auto guess = InverseHessian::of_pairs(objective, picks_at(objective, theta, 10.0));
  const std::vector<double> none(objective.dimension(), 0.0);
  const auto exact = InverseHessian::at(objective, theta, none);
  std::vector<double> expected = none;
  expected[0] = 1.0;
  expected[1] = -1.0;
  std::vector<double> step = expected;
  exact.apply(expected);
  guess.apply(step);
  const auto size = static_cast<Eigen::Index>(step.size());
  const Eigen::Map<const Eigen::VectorXd> a(expected.data(), size);
  const Eigen::Map<const Eigen::VectorXd> b(step.data(), size);
  CHECK((a - b).norm() <= 0.2 * a.norm());
}
