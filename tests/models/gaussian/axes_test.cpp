#include <doctest/doctest.h>

#include <algorithm>

#include "models/gaussian/test_densities.hpp"
#include "models/gaussian/uses.hpp"

using namespace logodds;
using namespace logodds::models::gaussian;
using namespace logodds::models::gaussian::testing;

namespace {

/// W and B of the definition.
struct Spreads {
  Square within, between;
  std::vector<double> center;
};

Spreads spreads(const Densities& model) {
  const std::size_t d = model.size;
  Spreads result{Square(d, std::vector<double>(d, 0.0)), Square(d, std::vector<double>(d, 0.0)),
                 std::vector<double>(d, 0.0)};
  for (std::size_t k = 0; k < model.classes(); ++k) {
    const double prior = std::exp(model.log_priors[k]);
    for (std::size_t i = 0; i < d; ++i) { result.center[i] += prior * model.mean(k)[i]; }
  }
  for (std::size_t k = 0; k < model.classes(); ++k) {
    const double prior = std::exp(model.log_priors[k]);
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) {
        result.within[i][j] += prior * covariance(model.factor(k), i, j);
        result.between[i][j] +=
            prior * (model.mean(k)[i] - result.center[i]) * (model.mean(k)[j] - result.center[j]);
      }
    }
  }
  return result;
}

std::vector<double> product(const Square& matrix, const std::vector<double>& v) {
  std::vector<double> result(v.size(), 0.0);
  for (std::size_t i = 0; i < v.size(); ++i) {
    for (std::size_t j = 0; j < v.size(); ++j) { result[i] += matrix[i][j] * v[j]; }
  }
  return result;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) { sum += a[i] * b[i]; }
  return sum;
}

std::vector<double> axis(const CanonicalAxes& axes, std::size_t m) {
  std::vector<double> result;
  for (std::size_t i = 0; i < axes.center.size(); ++i) {
    result.push_back(axes.axes[i * axes.eigenvalues.size() + m]);
  }
  return result;
}

/// B v = eigenvalue W v and V^T W V = I, coordinates in the units of the columns.
void check_definition(const Densities& model, const CanonicalAxes& axes) {
  const Spreads expected = spreads(model);
  for (std::size_t m = 0; m < axes.eigenvalues.size(); ++m) {
    const std::vector<double> v = axis(axes, m);
    const std::vector<double> within = product(expected.within, v);
    const std::vector<double> between = product(expected.between, v);
    for (std::size_t i = 0; i < v.size(); ++i) {
      const double unit = std::sqrt(expected.within[i][i]) * (1.0 + axes.eigenvalues[0]);
      CHECK(std::fabs(between[i] - axes.eigenvalues[m] * within[i]) < 1e-10 * unit);
      CHECK(axes.center[i] == doctest::Approx(expected.center[i]).epsilon(1e-13));
    }
    for (std::size_t n = 0; n < axes.eigenvalues.size(); ++n) {
      CHECK(std::fabs(dot(axis(axes, n), within) - (m == n ? 1.0 : 0.0)) < 1e-11);
    }
    if (m > 0) { CHECK(axes.eigenvalues[m] <= axes.eigenvalues[m - 1]); }
    const auto largest =
        std::ranges::max_element(v, [](double a, double b) { return std::fabs(a) < std::fabs(b); });
    CHECK(*largest > 0.0);
  }
}

}  // namespace

TEST_CASE("Canonical axes solve B v = lambda W v with v . W v = 1") {
  Random random(31);
  for (const std::size_t d : {1UL, 2UL, 3UL, 6UL}) {
    for (const std::size_t classes : {2UL, 3UL, 5UL, 9UL}) {
      CAPTURE(d);
      CAPTURE(classes);
      Densities model = random.own(classes, d);
      CanonicalAxes axes = canonical_axes(model);
      CHECK(axes.eigenvalues.size() == std::min(classes - 1, d));
      check_definition(model, axes);
      model.covariance_of.assign(classes, 0);
      model.factors = {diagonal(std::vector<double>(d, 0.7))};
      check_definition(model, canonical_axes(model));
    }
  }
}

TEST_CASE("Two classes and one covariance: the axis is Sigma^-1 (mu_1 - mu_0)") {
  Random random(32);
  const Densities model =
      densities({0.7, 0.3}, random.matrix(2, 4), {cholesky(random.covariance(4))});
  std::vector<double> delta(4);
  for (std::size_t i = 0; i < 4; ++i) { delta[i] = model.mean(1)[i] - model.mean(0)[i]; }
  const std::vector<double> fisher = model.factors[0].solve(delta);
  const CanonicalAxes axes = canonical_axes(model);
  REQUIRE(axes.eigenvalues.size() == 1);
  CHECK(axes.eigenvalues[0] == doctest::Approx(0.21 * dot(delta, fisher)).epsilon(1e-12));
  const double ratio = axes.axes[0] / fisher[0];
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(axes.axes[i] == doctest::Approx(ratio * fisher[i]).epsilon(1e-11));
  }
}

TEST_CASE("Directions without spread of the means are dropped") {
  Random random(33);
  const Square sigma = random.covariance(3);
  const std::vector<double> third(3, 1.0 / 3.0);
  for (const double shift : {0.0, 0.1, 1e8}) {
    Square line = {{0, 0, 0}, {1, 2, -1}, {3, 6, -3}};
    for (std::vector<double>& mean : line) {
      for (double& value : mean) { value += shift; }
    }
    CHECK(canonical_axes(densities(third, line, {cholesky(sigma)})).eigenvalues.size() == 1);
  }
  const Square same(3, std::vector<double>{0.1, 0.7, -1.3});
  CHECK(canonical_axes(densities(third, same, {cholesky(sigma)})).eigenvalues.empty());
}

TEST_CASE("Units of the columns change the axes' coordinates only") {
  Random random(34);
  Densities model = random.own(4, 3);
  const CanonicalAxes plain = canonical_axes(model);
  const double units[3] = {1e8, 1e-8, 1.0};
  for (std::size_t at = 0; at < model.means.size(); ++at) { model.means[at] *= units[at % 3]; }
  for (CholeskyFactor& factor : model.factors) {
    for (std::size_t at = 0; at < 9; ++at) { factor.lower[at] *= units[at / 3]; }
  }
  const CanonicalAxes scaled = canonical_axes(model);
  REQUIRE(scaled.eigenvalues.size() == 3);
  for (std::size_t m = 0; m < 3; ++m) {
    CHECK(scaled.eigenvalues[m] == doctest::Approx(plain.eigenvalues[m]).epsilon(1e-12));
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(std::fabs(scaled.axes[i * 3 + m] * units[i]) ==
            doctest::Approx(std::fabs(plain.axes[i * 3 + m])).epsilon(1e-10));
    }
  }
}
