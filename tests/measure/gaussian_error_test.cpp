// Probabilities of error of Gaussians that are known, against closed forms and drawn rows.
#include "measure/gaussian_error.hpp"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cmath>
#include <random>
#include <vector>

using namespace logodds::measure;

namespace {

struct Class {
  double prior;
  std::vector<double> mean;
  std::vector<double> covariance;
  [[nodiscard]] WeightedGaussian view() const { return {prior, mean, covariance}; }
};

double phi(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

/// A random covariance whose standard deviations go over `decades`.
Class drawn(std::size_t d, double prior, double distance, double decades, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  const auto n = static_cast<Eigen::Index>(d);
  const Eigen::MatrixXd a = Eigen::MatrixXd::NullaryExpr(n, n, [&] { return normal(random); });
  Eigen::MatrixXd sigma = a * a.transpose() / static_cast<double>(d);
  sigma.diagonal().array() += 0.01;
  Class made{prior, {}, {}};
  std::vector<double> scale;
  for (std::size_t i = 0; i < d; ++i) {
    scale.push_back(std::pow(10.0, decades * normal(random)));
    made.mean.push_back(distance * normal(random));
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      made.covariance.push_back(sigma(i, j) * scale[static_cast<std::size_t>(i)] *
                                scale[static_cast<std::size_t>(j)]);
    }
  }
  return made;
}

/// The share of rows drawn from `own` for which `other` is the likelier, by plain loops.
double simulated(const Class& own, const Class& other, std::size_t draws, std::mt19937_64& random) {
  const auto d = static_cast<Eigen::Index>(own.mean.size());
  using Map = Eigen::Map<const Eigen::MatrixXd>;
  const Eigen::LLT<Eigen::MatrixXd> l(Map(own.covariance.data(), d, d));
  const Eigen::LLT<Eigen::MatrixXd> m(Map(other.covariance.data(), d, d));
  const Eigen::MatrixXd lower = l.matrixL();
  const Eigen::VectorXd between = Eigen::Map<const Eigen::VectorXd>(own.mean.data(), d) -
                                  Eigen::Map<const Eigen::VectorXd>(other.mean.data(), d);
  const Eigen::MatrixXd other_lower = m.matrixL();
  const double constant = std::log(own.prior / other.prior) - lower.diagonal().array().log().sum() +
                          other_lower.diagonal().array().log().sum();
  std::normal_distribution<double> normal;
  std::size_t wrong = 0;
  for (std::size_t n = 0; n < draws; ++n) {
    const Eigen::VectorXd z = Eigen::VectorXd::NullaryExpr(d, [&] { return normal(random); });
    const double there = m.matrixL().solve(between + lower * z).squaredNorm();
    wrong += constant - 0.5 * z.squaredNorm() + 0.5 * there < 0.0 ? 1U : 0U;
  }
  return static_cast<double>(wrong) / static_cast<double>(draws);
}

}  // namespace

TEST_CASE("gaussian error: the textbook's line, means 0 and 2, unit variance, equal priors") {
  const Class a{0.5, {0.0}, {1.0}};
  const Class b{0.5, {2.0}, {1.0}};
  const auto pair = pair_probabilities(a.view(), b.view());
  CHECK(pair.one_covariance);
  CHECK(pair.first_as_second == doctest::Approx(0.158655253931457).epsilon(1e-13));
  CHECK(pair.second_as_first == doctest::Approx(0.158655253931457).epsilon(1e-13));
  CHECK(pair.bhattacharyya == doctest::Approx(0.5 * std::exp(-0.5)).epsilon(1e-13));
  CHECK(pair.chernoff == doctest::Approx(pair.bhattacharyya).epsilon(1e-12));
  const std::vector classes{a.view(), b.view()};
  const auto line = line_regions(classes);
  REQUIRE(line.ends.size() == 1);
  CHECK(line.ends[0] == doctest::Approx(1.0));
  CHECK(line.probabilities[1] == doctest::Approx(0.158655253931457).epsilon(1e-13));
}

TEST_CASE("gaussian error: one variance within the other leaves two thresholds") {
  const Class narrow{0.6, {0.0}, {1.0}};
  const Class wide{0.4, {0.5}, {9.0}};
  const auto pair = pair_probabilities(narrow.view(), wide.view());
  const std::vector classes{narrow.view(), wide.view()};
  const auto line = line_regions(classes);
  CHECK(line.decided == std::vector<std::size_t>{1, 0, 1});
  // the integral along the contour against the normal law between the roots
  CHECK(pair.first_as_second == doctest::Approx(line.probabilities[1]).epsilon(1e-10));
  CHECK(pair.second_as_first == doctest::Approx(line.probabilities[2]).epsilon(1e-10));
  const double lower = line.ends[0];
  const double upper = line.ends[1];
  CHECK(line.probabilities[1] == doctest::Approx(phi(lower) + 1.0 - phi(upper)).epsilon(1e-12));
  CHECK(pair.chernoff <= pair.bhattacharyya);
  CHECK(0.6 * pair.first_as_second + 0.4 * pair.second_as_first <= pair.chernoff);
}

TEST_CASE("gaussian error: a class that is decided nowhere") {
  const Class common{0.99, {0.0}, {4.0}};
  const Class rare{0.01, {0.1}, {4.0}};
  const auto pair = pair_probabilities(common.view(), rare.view());
  CHECK(pair.first_as_second < 1e-100);
  CHECK(pair.second_as_first == doctest::Approx(1.0));
  const Class same{0.5, {0.0}, {4.0}};
  const auto tie = pair_probabilities(same.view(), same.view());
  CHECK(tie.first_as_second == 0.0);  // ties go to the first
  CHECK(tie.second_as_first == 1.0);
}

TEST_CASE("gaussian error: as often as among drawn rows, in 2 to 20 dimensions") {
  std::mt19937_64 random(8);
  constexpr std::size_t kDraws = 40000;
  for (const std::size_t d : {2UL, 3UL, 7UL, 20UL}) {
    for (const double decades : {0.0, 0.5, 3.0}) {
      const Class a = drawn(d, 0.7, 0.3, decades, random);
      const Class b = drawn(d, 0.3, 0.3, decades, random);
      const auto pair = pair_probabilities(a.view(), b.view());
      CAPTURE(d);
      CAPTURE(decades);
      const auto near = [&](double exact, double found) {
        const double error = std::sqrt(exact * (1.0 - exact) / kDraws) + 1.0 / kDraws;
        return std::abs(exact - found) <= 4.0 * error;
      };
      CHECK(near(pair.first_as_second, simulated(a, b, kDraws, random)));
      CHECK(near(pair.second_as_first, simulated(b, a, kDraws, random)));
      const double error = 0.7 * pair.first_as_second + 0.3 * pair.second_as_first;
      CHECK(error <= pair.chernoff + 1e-12);
      CHECK(pair.chernoff <= pair.bhattacharyya);
    }
  }
}

TEST_CASE("gaussian error: nearly equal covariances give nearly the closed form") {
  const Class a{0.5, {0.0, 0.0}, {2.0, 0.5, 0.5, 1.0}};
  Class b{0.5, {1.0, 1.0}, {2.0, 0.5, 0.5, 1.0}};
  const auto equal = pair_probabilities(a.view(), b.view());
  b.covariance[0] += 1e-12;
  const auto nearly = pair_probabilities(a.view(), b.view());
  CHECK_FALSE(nearly.one_covariance);
  CHECK(nearly.first_as_second == doctest::Approx(equal.first_as_second).epsilon(1e-9));
}

TEST_CASE("gaussian error: many classes on a line cover it once") {
  const std::vector<Class> all{
      {0.2, {0.0}, {1.0}}, {0.3, {1.0}, {0.01}}, {0.4, {5.0}, {2.0}}, {0.1, {2.0}, {25.0}}};
  std::vector<WeightedGaussian> classes;
  for (const auto& one : all) { classes.push_back(one.view()); }
  const auto line = line_regions(classes);
  for (std::size_t k = 0; k < 4; ++k) {
    double sum = 0.0;
    for (std::size_t j = 0; j < 4; ++j) { sum += line.probabilities[4 * k + j]; }
    CHECK(sum == doctest::Approx(1.0).epsilon(1e-12));
  }
  CHECK(line.decided.front() == 3);  // the widest has both ends
  CHECK(line.decided.back() == 3);
}

TEST_CASE("regions on a line do not depend on the unit") {
  for (const double unit : {1e-150, 1e-19, 1e-6, 1.0, 1e12, 1e19, 1e150}) {
    CAPTURE(unit);
    const Class low{0.5, {1.0 * unit}, {unit * unit}};
    const Class high{0.5, {3.0 * unit}, {unit * unit}};
    const std::vector<WeightedGaussian> classes{low.view(), high.view()};
    const LineRegions found = line_regions(classes);
    REQUIRE(found.decided == std::vector<std::size_t>{0, 1});
    CHECK(found.ends.front() == doctest::Approx(2.0 * unit).epsilon(1e-12));
    CHECK(found.probabilities[1] == doctest::Approx(phi(-1.0)).epsilon(1e-12));
  }
}
