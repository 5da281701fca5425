#include <doctest/doctest.h>

#include "models/gaussian/test_densities.hpp"
#include "models/gaussian/uses.hpp"

using namespace logodds;
using namespace logodds::models::gaussian;
using namespace logodds::models::gaussian::testing;

namespace {

/// x . Q x + w . x + w_0 as printed, without the expansion around a point.
double printed_value(const Boundary& boundary, const double* x) {
  const std::size_t d = boundary.normal.size();
  double sum = boundary.offset;
  for (std::size_t i = 0; i < d; ++i) {
    sum += boundary.normal[i] * x[i];
    for (std::size_t j = 0; j < d && !boundary.linear(); ++j) {
      sum += x[i] * boundary.quadratic[i * d + j] * x[j];
    }
  }
  return sum;
}

/// Largest difference from ln p(x, C_second) - ln p(x, C_first), over `rows`, in units of 1 +
/// |difference|.
double worst_error(const Densities& model, const std::vector<double>& rows) {
  const std::vector<Boundary> all = boundaries(model);
  const std::size_t classes = model.classes();
  REQUIRE(all.size() == classes * (classes - 1) / 2);
  const std::size_t n = rows.size() / model.size;
  std::vector<double> scores(n * classes);
  log_joint(model, rows_of(rows, model.size), scores);
  double worst = 0.0;
  for (const Boundary& boundary : all) {
    for (std::size_t r = 0; r < n; ++r) {
      const double* x = rows.data() + r * model.size;
      const double* row = scores.data() + r * classes;
      const double expected = row[boundary.second] - row[boundary.first];
      const double unit = 1.0 + std::fabs(expected);
      worst = std::max(worst, std::fabs(boundary.value({x, model.size}) - expected) / unit);
      worst = std::max(worst, std::fabs(printed_value(boundary, x) - expected) / unit);
    }
  }
  return worst;
}

Boundary only(const Densities& model) { return boundaries(model).front(); }

std::string kind(const Square& first, const Square& second, const std::vector<double>& mean_0,
                 const std::vector<double>& mean_1, double prior_0 = 0.5) {
  return only(densities({prior_0, 1.0 - prior_0}, {mean_0, mean_1},
                        {cholesky(first), cholesky(second)}))
      .kind();
}

}  // namespace

TEST_CASE("Boundaries are differences of log joint densities") {
  Random random(21);
  for (const std::size_t d : {1UL, 2UL, 3UL, 10UL}) {
    CAPTURE(d);
    Densities model = random.own(4, d);
    CHECK(worst_error(model, random.normals(50 * d)) < 1e-9);
    model.covariance_of = {0, 1, 0, 1};  // groups: linear inside, quadratic across
    CHECK(worst_error(model, random.normals(50 * d)) < 1e-9);
    CHECK(boundaries(model)[1].linear());
    CHECK_FALSE(boundaries(model)[0].linear());
    model.factors = {diagonal(std::vector<double>(d, 0.5)), model.factors[1]};
    CHECK(worst_error(model, random.normals(50 * d)) < 1e-9);
    model.factors = {diagonal(std::vector<double>(d, 3.0))};
    model.covariance_of = {0, 0, 0, 0};
    CHECK(worst_error(model, random.normals(50 * d)) < 1e-9);
  }
}

TEST_CASE("The textbook's two Gaussians, (2,1) and (1,2), priors .7 and .3") {
  const Boundary line =
      only(densities({0.7, 0.3}, {{2.0, 1.0}, {1.0, 2.0}}, {cholesky({{1.0, 0.0}, {0.0, 1.0}})}));
  CHECK(line.first == 0);
  CHECK(line.second == 1);
  CHECK(line.linear());
  CHECK(line.kind() == "line");
  CHECK(line.normal == std::vector<double>{-1.0, 1.0});  // along the difference of the means
  CHECK(line.offset == doctest::Approx(std::log(3.0 / 7.0)).epsilon(1e-15));
  CHECK(line.distance_from_origin() ==
        doctest::Approx(std::log(7.0 / 3.0) / std::sqrt(2.0)).epsilon(1e-15));
}

TEST_CASE("Two factors that are equal, or equal to rounding, make a plane") {
  const Square sigma = {{1.0, 0.3}, {0.3, 2.0}};
  Square nearly = sigma;
  nearly[0][0] = std::nextafter(1.0, 2.0);
  const auto model = [&](const Square& second) {
    return densities({0.5, 0.5}, {{0.0, 0.0}, {1.0, 1.0}}, {cholesky(sigma), cholesky(second)});
  };
  CHECK(only(model(sigma)).linear());
  CHECK(only(model(nearly)).linear());
  nearly[0][0] = 1.0 + 1e-9;
  CHECK_FALSE(only(model(nearly)).linear());
}

TEST_CASE("Each kind of conic comes from a pair of Gaussians") {
  const Square one = {{1.0, 0.0}, {0.0, 1.0}};
  const Square four = {{4.0, 0.0}, {0.0, 4.0}};
  const Square wide = {{2.0, 0.0}, {0.0, 1.0}};
  const Square tall = {{1.0, 0.0}, {0.0, 2.0}};
  const std::vector<double> here = {0.0, 0.0};
  const std::vector<double> there = {1.0, 2.0};
  CHECK(kind(one, four, here, there) == "ellipse");
  CHECK(kind(one, four, here, here, 0.01) == "nowhere");
  CHECK(kind(one, four, here, here, 0.2) == "point");  // 4 pi_0 = pi_1
  CHECK(kind(one, wide, here, there) == "parabola");
  CHECK(kind(one, wide, here, here) == "line pair");
  CHECK(kind(one, wide, here, {1.0, 0.0}) == "line pair");
  CHECK(kind(wide, tall, here, there) == "hyperbola");
  CHECK(kind(wide, tall, here, here) == "line pair");
  CHECK(kind(wide, tall, {2.0, 1.0}, {1.0, 2.0}) == "line pair");  // mirrored at x = y
}

TEST_CASE("Affine maps of the columns do not change the kind") {
  const Square here = {{0.0, 0.0}, {0.0, 0.0}};
  const Square apart = {{0.0, 0.0}, {1.0, 2.0}};
  struct Example {
    std::vector<double> first, second;  // variances
    Square means;
  };
  const std::vector<Example> examples = {{{1, 1}, {4, 4}, apart}, {{1, 1}, {4, 4}, here},
                                         {{1, 1}, {2, 1}, apart}, {{1, 1}, {2, 1}, here},
                                         {{2, 1}, {1, 2}, apart}, {{2, 1}, {1, 2}, here}};
  Random random(22);
  for (int trial = 0; trial < 100; ++trial) {
    const Square map = random.matrix(2, 2);
    if (std::fabs(map[0][0] * map[1][1] - map[0][1] * map[1][0]) < 0.01) { continue; }
    const double units[2] = {1e6, 1e-6};
    const double shift = trial % 2 == 0 ? 10.0 : 1e6;  // in standard deviations
    for (const Example& example : examples) {
      Square means(2, std::vector<double>(2));
      std::vector<Square> sigmas(2, Square(2, std::vector<double>(2, 0.0)));
      for (std::size_t i = 0; i < 2; ++i) {
        for (std::size_t k = 0; k < 2; ++k) {
          means[k][i] = units[i] *
                        (map[i][0] * example.means[k][0] + map[i][1] * example.means[k][1] + shift);
        }
        for (std::size_t j = 0; j < 2; ++j) {
          for (std::size_t c = 0; c < 2; ++c) {
            const double share = units[i] * map[i][c] * units[j] * map[j][c];
            sigmas[0][i][j] += share * example.first[c];
            sigmas[1][i][j] += share * example.second[c];
          }
        }
      }
      const Square plain[2] = {{{example.first[0], 0}, {0, example.first[1]}},
                               {{example.second[0], 0}, {0, example.second[1]}}};
      CAPTURE(trial);
      CHECK(kind(sigmas[0], sigmas[1], means[0], means[1]) ==
            kind(plain[0], plain[1], example.means[0], example.means[1]));
    }
  }
}

TEST_CASE("A boundary over principal components is the same over the columns") {
  Random random(23);
  const double c = std::cos(0.4), s = std::sin(0.4);
  // two orthonormal axes in three dimensions
  const Projection projection{{5.0, -3.0, 100.0}, {c, 0.0, s, 0.0, 0.0, 1.0}};
  Densities model = random.own(2, 2);
  for (const bool shared : {false, true}) {
    if (shared) { model.covariance_of = {0, 0}; }
    Boundary inner = only(model);
    for (const bool centered : {true, false}) {
      if (!centered) { inner.center.clear(); }
      const Boundary outer = unprojected(inner, projection);
      CHECK(outer.linear() == shared);
      for (int trial = 0; trial < 20; ++trial) {
        const std::vector<double> y = random.normals(3);
        const std::vector<double> x = {5.0 + y[0], -3.0 + y[1], 100.0 + y[2]};
        const double z[2] = {c * y[0] + s * y[1], y[2]};
        const double expected = printed_value(inner, z);
        CHECK(outer.value(x) == doctest::Approx(expected).epsilon(1e-12));
        CHECK(printed_value(outer, x.data()) == doctest::Approx(expected).epsilon(1e-9));
      }
    }
  }
}
