#include "models/binary/objective.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace logodds::models::binary;

namespace {

struct Made {
  Problem problem;
  std::vector<std::int32_t> labels;
  std::vector<double> weights;
};

/// Built in place: the problem points to the labels and weights beside it.
void fill(Made& made, Link link, std::size_t n, std::size_t m) {
  std::mt19937_64 random(n);
  std::normal_distribution<double> normal;
  made.problem.link = link;
  made.problem.rows = n;
  made.problem.columns = m;
  for (std::size_t i = 0; i < n * m; ++i) { made.problem.z.push_back(normal(random)); }
  for (std::size_t r = 0; r < n; ++r) {
    made.labels.push_back(static_cast<std::int32_t>(random() % 2));
    made.weights.push_back(static_cast<double>(1 + random() % 3));
  }
  for (std::size_t i = 0; i < m * m; ++i) {
    made.problem.penalty.push_back(i % (m + 1) == 0 ? 3.0 : 0.5);
  }
  made.problem.labels = made.labels.data();
  made.problem.weights = made.weights.data();
}

const std::vector<double> kBeta{0.3, -0.8, 0.5};

}  // namespace

TEST_CASE("binary: gradient and Hessian are those of finite differences, with every link") {
  constexpr double kStep = 1e-5;
  for (const Link link : {Link::logit, Link::probit, Link::cloglog}) {
    Made made;
    fill(made, link, 1100, 3);
    BinaryObjective objective(made.problem);
    std::vector<double> gradient(3);
    std::vector<double> hessian(9);
    objective.evaluate(kBeta, gradient);
    objective.hessian(kBeta, hessian);
    for (std::size_t i = 0; i < 3; ++i) {
      auto moved = kBeta;
      std::vector<double> above(3);
      std::vector<double> below(3);
      moved[i] += kStep;
      const double up = objective.evaluate(moved, above);
      moved[i] -= 2 * kStep;
      const double down = objective.evaluate(moved, below);
      CHECK(gradient[i] == doctest::Approx((up - down) / (2 * kStep)).epsilon(1e-6));
      for (std::size_t j = i; j < 3; ++j) {
        CHECK(hessian[j * 3 + i] ==
              doctest::Approx((above[j] - below[j]) / (2 * kStep)).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("binary: the information is the Hessian with logit, and not with the other links") {
  for (const Link link : {Link::logit, Link::probit, Link::cloglog}) {
    Made made;
    fill(made, link, 500, 3);
    BinaryObjective objective(made.problem);
    std::vector<double> hessian(9);
    std::vector<double> information(9);
    objective.hessian(kBeta, hessian);
    objective.information(kBeta, information);
    const bool equal = information[0] == doctest::Approx(hessian[0]).epsilon(1e-12);
    CHECK(equal == (link == Link::logit));
  }
}

TEST_CASE("binary: the same sums for every number of threads [threads]") {
  Made made;
  fill(made, Link::probit, 5000, 3);
  std::vector<double> one(3);
  std::vector<double> seven(3);
  BinaryObjective objective(made.problem);
  const double value = objective.evaluate(kBeta, one);
  made.problem.threads = 7;
  CHECK(objective.evaluate(kBeta, seven) == value);
  CHECK(one == seven);
}
