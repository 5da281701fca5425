#include "models/gaussian/marginal.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <numbers>
#include <numeric>

#include "models/gaussian/marginal_factor.hpp"
#include "models/gaussian/test_densities.hpp"
#include "models/gaussian/uses.hpp"

using namespace logodds;
using namespace logodds::models::gaussian;
using namespace logodds::models::gaussian::testing;

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
using Wide = std::vector<std::vector<long double>>;

/// ln N(x; 0, sigma), with Gauss-Jordan elimination of [sigma | x].
long double log_normal_density(Wide sigma, std::vector<long double> x) {
  const std::vector<long double> deviation = x;
  long double log_determinant = 0.0L;
  const std::size_t d = x.size();
  for (std::size_t p = 0; p < d; ++p) {
    log_determinant += std::log(sigma[p][p]);
    for (std::size_t i = 0; i < d; ++i) {
      if (i == p) { continue; }
      const long double share = sigma[i][p] / sigma[p][p];
      for (std::size_t j = p; j < d; ++j) { sigma[i][j] -= share * sigma[p][j]; }
      x[i] -= share * x[p];
    }
  }
  long double sum = static_cast<long double>(d) * std::log(2.0L * std::numbers::pi_v<long double>);
  for (std::size_t i = 0; i < d; ++i) { sum += deviation[i] * x[i] / sigma[i][i]; }
  return -0.5L * (sum + log_determinant);
}

long double wide(double value) { return static_cast<long double>(value); }

/// Sigma_ij of class k.
long double wide_covariance(const CholeskyFactor& factor, std::size_t i, std::size_t j) {
  long double sum = 0.0L;
  for (std::size_t c = 0; c <= std::min(i, j); ++c) {
    sum += wide(factor.at(i, c)) * wide(factor.at(j, c));
  }
  return sum;
}

/// ln pi_k + ln p(x_o | C_k) from the sub-matrix and sub-mean.
double expected_log_joint(const Densities& model, std::size_t k, const double* x) {
  std::vector<std::size_t> observed;
  for (std::size_t i = 0; i < model.size; ++i) {
    if (!std::isnan(x[i])) { observed.push_back(i); }
  }
  Wide sigma;
  std::vector<long double> deviation;
  for (const std::size_t i : observed) {
    sigma.emplace_back();
    for (const std::size_t j : observed) {
      sigma.back().push_back(wide_covariance(model.factor(k), i, j));
    }
    deviation.push_back(wide(x[i]) - wide(model.mean(k)[i]));
  }
  return model.log_priors[k] + static_cast<double>(log_normal_density(sigma, deviation));
}

std::vector<double> joint(const Densities& model, const std::vector<double>& values) {
  const DesignRows rows = rows_of(values, model.size);
  std::vector<double> out(rows.rows * model.classes());
  log_joint(model, rows, out);
  return out;
}

double worst_error(const Densities& model, const std::vector<double>& values) {
  const std::vector<double> actual = joint(model, values);
  double worst = 0.0;
  for (std::size_t r = 0; r * model.size < values.size(); ++r) {
    for (std::size_t k = 0; k < model.classes(); ++k) {
      const double expected = expected_log_joint(model, k, values.data() + r * model.size);
      const double error = std::fabs(actual[r * model.classes() + k] - expected);
      worst = std::max(worst, error / std::max(1.0, std::fabs(expected)));
    }
  }
  return worst;
}

std::vector<double> rows_with_gaps(Random& random, std::size_t rows, std::size_t d, double share) {
  std::vector<double> values = random.normals(rows * d);
  for (double& value : values) {
    if (random.uniform(0.0, 1.0) < share) { value = kMissing; }
  }
  return values;
}

/// ln of the integral over every missing coordinate, by the trapezoid rule on +-9 standard
/// deviations (exponentially accurate for a Gaussian).
double integrated(const Densities& model, std::size_t k, std::vector<double> x, std::size_t first) {
  std::size_t i = first;
  while (i < x.size() && !std::isnan(x[i])) { ++i; }
  if (i == x.size()) { return joint(model, x)[k]; }
  const double spread = std::sqrt(covariance(model.factor(k), i, i));
  constexpr int kSteps = 120;
  double sum = 0.0;
  for (int step = -kSteps; step <= kSteps; ++step) {
    x[i] = model.mean(k)[i] + 9.0 * spread * step / kSteps;
    sum += std::exp(integrated(model, k, x, i + 1));
  }
  return std::log(sum * 9.0 * spread / kSteps);
}

}  // namespace

TEST_CASE("log_joint is the Gaussian density with every constant, gaps or not") {
  Random random(1);
  for (const std::size_t d : {1UL, 2UL, 3UL, 8UL, 20UL}) {
    CAPTURE(d);
    const Densities model = random.own(3, d);
    CHECK(worst_error(model, random.normals(40 * d)) < 1e-12);
    CHECK(worst_error(model, rows_with_gaps(random, 100, d, 0.3)) < 1e-12);
    CHECK(worst_error(model, rows_with_gaps(random, 100, d, 0.8)) < 1e-12);
  }
}

TEST_CASE("log_joint of diagonal, shared and mixed covariances, gaps or not") {
  Random random(2);
  const std::vector<double> priors = {0.2, 0.5, 0.3};
  const Square means = random.matrix(3, 4);
  const std::vector<double> rows = rows_with_gaps(random, 200, 4, 0.3);
  const CholeskyFactor full = cholesky(random.covariance(4));
  const CholeskyFactor axis = diagonal({0.5, 2.0, 1e-3, 40.0});
  CHECK(worst_error(densities(priors, means, {full}), rows) < 1e-12);
  CHECK(worst_error(densities(priors, means, {axis}), rows) < 1e-12);
  CHECK(worst_error(densities(priors, means, {axis, full, axis}), rows) < 1e-12);
}

TEST_CASE("Missing coordinates are integrated out") {
  Random random(3);
  const Densities plane = random.own(2, 2);
  const Densities space = random.own(2, 3);
  for (std::size_t k = 0; k < 2; ++k) {
    for (const std::vector<double>& x : {std::vector{0.3, kMissing}, std::vector{kMissing, -0.8}}) {
      CHECK(std::fabs(joint(plane, x)[k] - integrated(plane, k, x, 0)) < 1e-10);
    }
    for (const std::vector<double>& x :
         {std::vector{0.3, kMissing, -1.0}, std::vector{kMissing, 0.5, kMissing}}) {
      CHECK(std::fabs(joint(space, x)[k] - integrated(space, k, x, 0)) < 1e-10);
    }
  }
}

TEST_CASE("A row without any value has the log priors; one row is as good as a block") {
  Random random(4);
  const Densities model = random.own(3, 5);
  CHECK(joint(model, std::vector<double>(5, kMissing)) == model.log_priors);
  const std::vector<double> rows = rows_with_gaps(random, 50, 5, 0.2);
  std::vector<double> one_by_one;
  for (auto row = rows.begin(); row != rows.end(); row += 5) {
    const std::vector<double> scores = joint(model, {row, row + 5});
    one_by_one.insert(one_by_one.end(), scores.begin(), scores.end());
  }
  CHECK(joint(model, rows) == one_by_one);
}

TEST_CASE("Counts and squared distances of what is observed") {
  const Densities model = densities({1.0}, {{1.0, 2.0}}, {diagonal({4.0, 9.0})});
  const std::vector<double> values = {3.0, 5.0, kMissing, 8.0, kMissing, kMissing};
  const ObservedParts parts = observed_parts(model, rows_of(values, 2));
  CHECK(parts.counts == std::vector<std::size_t>{2, 1, 0});
  CHECK(parts.squared_distances[0] == doctest::Approx(2.0).epsilon(1e-15));
  CHECK(parts.squared_distances[1] == doctest::Approx(4.0).epsilon(1e-15));
  CHECK(parts.squared_distances[2] == 0.0);
}

TEST_CASE("A sub-factor is exact column by column, near-collinear columns and odd units too") {
  // Kahan-like rows: each is nearly a combination of the others, units from 1e-9 to 1e9
  constexpr std::size_t kSize = 6;
  CholeskyFactor factor{kSize, std::vector<double>(kSize * kSize, 0.0),
                        std::vector<double>(kSize, 1.0), 0.0, 1.0};
  const double units[kSize] = {1e9, 1.0, 1e-9, 1e3, 1e-3, 1e6};
  for (std::size_t i = 0; i < kSize; ++i) {
    for (std::size_t j = 0; j < i; ++j) { factor.lower[i * kSize + j] = units[i] * 0.4; }
    factor.lower[i * kSize + i] = units[i] * std::pow(0.02, static_cast<double>(i));
  }
  const std::vector<std::size_t> observed = {1, 2, 4, 5};
  const CholeskyFactor part = marginal_factor(factor, observed);
  for (std::size_t i = 0; i < observed.size(); ++i) {
    CHECK(part.inverse_diagonal[i] == 1.0 / part.at(i, i));
    CHECK(part.at(i, i) > 0.0);
    for (std::size_t j = 0; j <= i; ++j) {
      const double scale = std::sqrt(covariance(factor, observed[i], observed[i]) *
                                     covariance(factor, observed[j], observed[j]));
      CHECK(std::fabs(covariance(part, i, j) - covariance(factor, observed[i], observed[j])) <
            1e-15 * scale);
    }
  }
  std::vector<std::size_t> all(kSize);
  std::iota(all.begin(), all.end(), 0);
  CHECK(marginal_factor(factor, all).lower == factor.lower);
}
