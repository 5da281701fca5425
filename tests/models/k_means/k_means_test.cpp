// K-means on rows in memory.
#include "logodds/models/k_means.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "logodds/error.hpp"
#include "random/row_draws.hpp"

using namespace logodds;

namespace {

struct Points {
  std::size_t n;
  std::size_t d;
  std::vector<double> x;

  [[nodiscard]] DesignRows rows() const { return {x.data(), n, d, d}; }
};

/// Heaps of normal points around centers of the given spread; many heaps overlap.
Points heaps(std::size_t n, std::size_t d, std::size_t count, double spread, std::uint64_t seed) {
  Points points{n, d, std::vector<double>(n * d)};
  for (std::size_t r = 0; r < n; ++r) {
    random::RowDraws center(seed, 1'000'000 + r % count);
    random::RowDraws row(seed, r);
    for (std::size_t i = 0; i < d; ++i) {
      points.x[r * d + i] = spread * center.normal() + row.normal();
    }
  }
  return points;
}

/// Whole numbers from 0 to `most`: most distances are equal to others.
Points grid(std::size_t n, std::size_t d, std::uint64_t most, std::uint64_t seed) {
  Points points{n, d, std::vector<double>(n * d)};
  random::RowDraws draws(seed, 0);
  for (double& x : points.x) { x = static_cast<double>(draws.bits() % (most + 1)); }
  return points;
}

double squared_distance(const Points& points, std::size_t r, const std::vector<double>& centers,
                        std::size_t k) {
  double sum = 0.0;
  for (std::size_t i = 0; i < points.d; ++i) {
    const double off = points.x[r * points.d + i] - centers[k * points.d + i];
    sum += off * off;
  }
  return sum;
}

/// By the definition, in one loop.
std::int32_t nearest(const Points& points, std::size_t r, const std::vector<double>& centers) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < centers.size() / points.d; ++k) {
    if (squared_distance(points, r, centers, k) < squared_distance(points, r, centers, best)) {
      best = k;
    }
  }
  return static_cast<std::int32_t>(best);
}

KMeansOptions asked(std::size_t clusters, KMeansStart start = KMeansStart::random) {
  KMeansOptions options;
  options.clusters = clusters;
  options.start = start;
  return options;
}

std::string refused(const Points& points, const KMeansOptions& options) {
  try {
    static_cast<void>(k_means(points.rows(), nullptr, options));
  } catch (const Error& error) { return error.what(); }
  return {};
}

bool same(const KMeansResult& a, const KMeansResult& b) {
  const auto errors = [](const KMeansResult& result) {
    std::vector<double> values;
    for (const auto& step : result.steps) {
      values.insert(values.end(), {step.error, static_cast<double>(step.changed),
                                   static_cast<double>(step.reseeded)});
    }
    return values;
  };
  return a.centers == b.centers && a.labels == b.labels && a.error == b.error &&
         a.weights == b.weights && errors(a) == errors(b) && a.end == b.end && a.start == b.start;
}

}  // namespace

TEST_CASE("k-means: labels are of the nearest centers, centers the means of their rows") {
  const Points points = heaps(700, 3, 5, 3.0, 1);
  const KMeansResult result = k_means(points.rows(), nullptr, asked(6));
  REQUIRE(result.end == KMeansEnd::no_change);
  std::vector<double> sums(6 * 3, 0.0);
  std::vector<double> counts(6, 0.0);
  double error = 0.0;
  for (std::size_t r = 0; r < points.n; ++r) {
    const auto k = static_cast<std::size_t>(result.labels[r]);
    REQUIRE(result.labels[r] == nearest(points, r, result.centers));
    error += squared_distance(points, r, result.centers, k);
    counts[k] += 1.0;
    for (std::size_t i = 0; i < 3; ++i) { sums[k * 3 + i] += points.x[r * 3 + i]; }
  }
  CHECK(result.error == doctest::Approx(error).epsilon(1e-13));
  CHECK(result.weights == counts);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    CHECK(result.centers[i] == doctest::Approx(sums[i] / counts[i / 3]).epsilon(1e-13));
  }
}

TEST_CASE("k-means: E never grows, from any start") {
  const Points points = heaps(900, 4, 9, 1.0, 2);
  for (const auto start : {KMeansStart::random, KMeansStart::plus_plus}) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const auto result = k_means(points.rows(), nullptr, asked(12, start), {.seed = seed});
      REQUIRE(result.steps.size() > 2);
      for (std::size_t s = 1; s < result.steps.size(); ++s) {
        CHECK(result.steps[s].error <= result.steps[s - 1].error * (1.0 + 1e-14));
      }
      CHECK(result.steps.back().error == result.error);
    }
  }
}

TEST_CASE("k-means: Lloyd's method and the triangle inequality give the same bits") {
  const std::vector<Points> all{heaps(3000, 8, 20, 1.0, 3), heaps(2000, 32, 30, 0.4, 4),
                                heaps(1500, 1, 5, 2.0, 5),  grid(2500, 3, 4, 6),
                                grid(1200, 2, 30, 7),       heaps(600, 130, 5, 1.0, 8)};
  for (const Points& points : all) {
    for (const std::size_t clusters : {1UL, 2UL, 7UL, 16UL, 33UL}) {
      CAPTURE(points.d);
      CAPTURE(clusters);
      KMeansOptions options = asked(clusters);
      options.method = KMeansMethod::lloyd;
      const auto expected = k_means(points.rows(), nullptr, options);
      options.method = KMeansMethod::triangle;
      CHECK(same(k_means(points.rows(), nullptr, options), expected));
    }
  }
}

TEST_CASE("k-means: the same bits far from the origin, and in units large and small") {
  for (const double unit : {1e-150, 1e-30, 1.0, 1e30, 1e140}) {
    for (const double offset : {0.0, 1e6}) {
      CAPTURE(unit);
      CAPTURE(offset);
      Points points = heaps(1500, 5, 12, 1.0, 9);
      for (double& x : points.x) { x = (x + offset) * unit; }
      KMeansOptions options = asked(12);
      options.method = KMeansMethod::lloyd;
      const auto expected = k_means(points.rows(), nullptr, options);
      options.method = KMeansMethod::triangle;
      CHECK(same(k_means(points.rows(), nullptr, options), expected));
    }
  }
}

TEST_CASE("k-means: the same bits for any number of threads [threads]") {
  const Points points = heaps(6000, 6, 10, 1.0, 10);
  std::vector<double> weights(points.n);
  for (std::size_t r = 0; r < points.n; ++r) { weights[r] = 0.5 + static_cast<double>(r % 3); }
  for (const auto method : {KMeansMethod::lloyd, KMeansMethod::triangle}) {
    for (const double* const w : std::vector<const double*>{nullptr, weights.data()}) {
      KMeansOptions options = asked(15, KMeansStart::plus_plus);
      options.method = method;
      options.restarts = 2;
      const auto expected = k_means(points.rows(), w, options, {.threads = 1, .seed = 3});
      for (const int threads : {2, 7}) {
        CHECK(same(k_means(points.rows(), w, options, {.threads = threads, .seed = 3}), expected));
      }
    }
  }
}

TEST_CASE("k-means: a row of weight 2 is a row twice") {
  const Points points = heaps(400, 3, 4, 2.0, 11);
  Points twice = points;
  twice.n *= 2;
  twice.x.insert(twice.x.end(), points.x.begin(), points.x.end());
  const std::vector<double> weights(points.n, 2.0);
  KMeansOptions options = asked(4, KMeansStart::given);
  options.centers = {points.x.data(), 4 * points.d};
  const auto weighted = k_means(points.rows(), weights.data(), options);
  const auto doubled = k_means(twice.rows(), nullptr, options);
  CHECK(weighted.error == doctest::Approx(doubled.error).epsilon(1e-13));
  CHECK(weighted.weights == doubled.weights);
  for (std::size_t i = 0; i < weighted.centers.size(); ++i) {
    CHECK(weighted.centers[i] == doctest::Approx(doubled.centers[i]).epsilon(1e-13));
  }
}

TEST_CASE("k-means: ties go to the lower index") {
  const Points points{3, 1, {0.0, 1.0, 2.0}};
  const std::vector<double> start{0.0, 2.0};
  KMeansOptions options = asked(2, KMeansStart::given);
  options.centers = start;
  options.max_steps = 0;
  for (const auto method : {KMeansMethod::lloyd, KMeansMethod::triangle}) {
    options.method = method;
    CHECK(k_means(points.rows(), nullptr, options).labels == std::vector<std::int32_t>{0, 0, 1});
  }
}

TEST_CASE("k-means: a cluster without rows is given the one farthest from its center") {
  const Points points{5, 1, {0.0, 1.0, 2.0, 10.0, 30.0}};
  const std::vector<double> start{0.0, 500.0, 600.0};
  KMeansOptions options = asked(3, KMeansStart::given);
  options.centers = start;
  for (const auto method : {KMeansMethod::lloyd, KMeansMethod::triangle}) {
    options.method = method;
    const auto result = k_means(points.rows(), nullptr, options);
    CHECK(result.steps[1].reseeded == 2);
    CHECK(result.end != KMeansEnd::max_steps);
    CHECK(result.centers == std::vector<double>{1.0, 30.0, 10.0});
    CHECK(result.error == 2.0);
  }
}

TEST_CASE("k-means: equal rows are one place, and more clusters than places are refused") {
  const Points points{6, 2, {1, 2, 1, 2, 3, 4, 3, 4, 3, 4, 1, 2}};
  for (const auto start : {KMeansStart::random, KMeansStart::plus_plus}) {
    CHECK(k_means(points.rows(), nullptr, asked(2, start)).error == 0.0);
    CHECK(refused(points, asked(3, start)).find("only 2 different points") != std::string::npos);
    CHECK(refused(points, asked(7, start)).find("there are 6 rows") != std::string::npos);
  }
}

TEST_CASE("k-means: starts are different rows, told by the seed") {
  const Points points = grid(60, 1, 9, 12);  // ten places
  for (const auto start : {KMeansStart::random, KMeansStart::plus_plus}) {
    KMeansOptions options = asked(10, start);
    options.max_steps = 0;
    std::vector<std::vector<double>> found;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      auto centers = k_means(points.rows(), nullptr, options, {.seed = seed}).centers;
      CHECK(centers == k_means(points.rows(), nullptr, options, {.seed = seed}).centers);
      found.push_back(centers);
      std::ranges::sort(centers);
      CHECK(centers == std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    }
    CHECK(found[0] != found[1]);
  }
}

TEST_CASE("k-means: the best of the restarts is kept") {
  const Points points = heaps(500, 2, 9, 4.0, 13);
  KMeansOptions options = asked(9);
  options.restarts = 8;
  const auto result = k_means(points.rows(), nullptr, options);
  REQUIRE(result.start_errors.size() == 8);
  const auto best = std::ranges::min_element(result.start_errors);
  CHECK(result.error == doctest::Approx(*best).epsilon(1e-11));
  CHECK(result.error == result.start_errors[result.start]);
  for (std::size_t s = 0; s < result.start; ++s) {
    CHECK(result.start_errors[s] > result.error * (1.0 + 1e-13));
  }
  CHECK(*best < *std::ranges::max_element(result.start_errors));
}

TEST_CASE("k-means: a tolerance ends it before all is still") {
  const Points points = heaps(3000, 4, 30, 0.5, 14);
  KMeansOptions options = asked(20);
  const auto full = k_means(points.rows(), nullptr, options);
  options.tolerance = 1e-2;
  const auto early = k_means(points.rows(), nullptr, options);
  CHECK(early.steps.size() < full.steps.size());
  CHECK(early.end == KMeansEnd::small_move);
  CHECK(early.error >= full.error);
}

TEST_CASE("k-means: numbers whose squares overflow are refused") {
  const Points points{3, 1, {0.0, 1e200, -1e200}};
  CHECK(refused(points, asked(1)).find("overflow") != std::string::npos);
}

TEST_CASE("k-means: without a trace all but the last E are unknown, and nothing else differs") {
  const Points points = heaps(2000, 3, 7, 1.0, 15);
  KMeansOptions options = asked(7);
  const auto traced = k_means(points.rows(), nullptr, options);
  options.trace = false;
  const auto result = k_means(points.rows(), nullptr, options);
  CHECK(result.centers == traced.centers);
  CHECK(result.error == traced.error);
  CHECK(std::isnan(result.steps.front().error));
  CHECK(result.steps.back().error == result.error);
}
