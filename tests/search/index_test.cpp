// Every index finds what a plain search finds, to the last tie.
#include "search/index.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "search/brute_force.hpp"
#include "search/tree.hpp"

using namespace logodds;
using namespace logodds::search;

namespace {

struct Points {
  std::size_t rows;
  std::size_t d;
  std::vector<double> values;
  [[nodiscard]] DesignRows view() const { return {values.data(), rows, d, d}; }
};

template <class Draw>
Points drawn(std::size_t rows, std::size_t d, std::uint64_t seed, Draw draw) {
  std::mt19937_64 random(seed);
  Points points{rows, d, std::vector<double>(rows * d)};
  for (std::size_t at = 0; at < rows * d; ++at) {
    points.values[at] = draw(random, at / d, at % d);
  }
  return points;
}

double normal(std::mt19937_64& random) { return std::normal_distribution<double>()(random); }

std::vector<Candidate> plain(const Points& points, const double* query, Measure measure,
                             std::size_t rows) {
  std::vector<Candidate> all;
  for (std::uint32_t r = 0; r < points.rows; ++r) {
    double sum = 0.0;
    for (std::size_t i = 0; i < points.d; ++i) {
      const double off = query[i] - points.values[r * points.d + i];
      sum += measure == Measure::squares ? off * off : std::abs(off);
    }
    all.push_back({sum, r});
  }
  std::sort(all.begin(), all.end());
  std::size_t size = std::min(rows, all.size());
  while (size < all.size() && all[size].distance == all[size - 1].distance) { ++size; }
  all.resize(size);
  return all;
}

void check_index(const Index& index, const Points& points, const Points& queries, Measure measure,
                 std::size_t rows) {
  std::size_t seen = 0;
  bool right = true;
  index.nearest(
      queries.view(), {.rows = rows}, [&](std::size_t q, std::span<const Candidate> found) {
        CHECK(q == seen++);
        const auto expected = plain(points, queries.values.data() + q * points.d, measure, rows);
        right = right && std::ranges::equal(found, expected, [](const auto& a, const auto& b) {
                  return a.distance == b.distance && a.row == b.row;
                });
      });
  CHECK(seen == queries.rows);
  CHECK(right);
}

void check_all(const Points& points, const Points& queries, std::initializer_list<std::size_t> ks) {
  for (const Measure measure : {Measure::squares, Measure::absolutes}) {
    const BruteForce brute(points.view(), measure, 2);
    const Tree tree(points.view(), measure, 2);
    for (const std::size_t k : ks) {
      CAPTURE(static_cast<int>(measure));
      CAPTURE(k);
      check_index(brute, points, queries, measure, k);
      check_index(tree, points, queries, measure, k);
    }
  }
}

}  // namespace

TEST_CASE("an index finds the nearest rows, whatever the size") {
  const auto draw = [](auto& random, std::size_t, std::size_t) { return normal(random); };
  for (const std::size_t rows : {1UL, 2UL, 31UL, 33UL, 64UL, 65UL, 257UL, 1023UL, 1025UL, 3000UL}) {
    for (const std::size_t d : {1UL, 3UL, 10UL}) {
      CAPTURE(rows);
      CAPTURE(d);
      check_all(drawn(rows, d, rows + d, draw), drawn(101, d, 7, draw), {1, 5, 40});
    }
  }
}

TEST_CASE("an index finds every tie") {
  const auto lattice = [](auto& random, std::size_t, std::size_t) {
    return 0.1 * static_cast<double>(random() % 4);
  };
  check_all(drawn(2500, 3, 1, lattice), drawn(60, 3, 2, lattice), {1, 7, 30});
  const auto equal = [](auto&, std::size_t, std::size_t) { return 0.3; };
  check_all(drawn(2500, 3, 1, equal), drawn(3, 3, 2, lattice), {1, 7, 3000});
}

TEST_CASE("a tree finds the nearest rows where the points cannot be halved evenly") {
  const auto uneven = [](auto& random, std::size_t row, std::size_t i) {
    if (i == 0) { return row % 3 == 0 ? 1.0 : 0.0; }
    if (i == 1) { return row % 1000 == 999 ? 1e300 : normal(random); }
    return row > 24000 ? 0.25 : normal(random) * 1e-9;
  };
  const Points points = drawn(30000, 3, 21, uneven);
  const Points queries = drawn(40, 3, 22, uneven);
  for (const int threads : {1, 3}) {
    const Tree tree(points.view(), Measure::squares, threads);
    for (const std::size_t k : {1UL, 6UL}) {
      check_index(tree, points, queries, Measure::squares, k);
    }
  }
}

TEST_CASE("an index finds the nearest rows where floats cannot tell them apart") {
  const auto far = [](auto& random, std::size_t row, std::size_t) {
    return (row % 2 == 0 ? 1e8 : -1e8) + normal(random);
  };
  check_all(drawn(2200, 6, 3, far), drawn(50, 6, 4, far), {3});
  const auto outlier = [](auto& random, std::size_t row, std::size_t) {
    return row == 700 ? 1e30 : normal(random);
  };
  check_all(drawn(2200, 6, 5, outlier), drawn(710, 6, 6, outlier), {3});
  const auto scaled = [](double scale) {
    return [scale](auto& random, std::size_t, std::size_t) { return scale * normal(random); };
  };
  for (const double scale : {1e-150, 1e-30, 1e30, 1e150}) {
    check_all(drawn(2200, 6, 7, scaled(scale)), drawn(50, 6, 8, scaled(scale)), {3});
  }
  // Squares overflow, vanish, or both at once.
  check_all(drawn(1500, 2, 9, scaled(1e170)), drawn(5, 2, 10, scaled(1e170)), {3});
  check_all(drawn(1500, 2, 9, scaled(1.0)), drawn(5, 2, 10, scaled(1e200)), {3});
}

TEST_CASE("the same index for any number of threads, and the same rows from it [threads]") {
  const auto draw = [](auto& random, std::size_t, std::size_t) { return normal(random); };
  const Points points = drawn(5000, 4, 11, draw);
  const Points queries = drawn(300, 4, 12, draw);
  for (const int threads : {1, 2, 7}) {
    check_index(*make_index(points.view(), Measure::squares, 5, threads), points, queries,
                Measure::squares, 5);
    check_index(BruteForce(points.view(), Measure::squares, threads), points, queries,
                Measure::squares, 5);
  }
}

TEST_CASE("a tree is taken where it looks at few of the rows") {
  const auto draw = [](auto& random, std::size_t, std::size_t) { return normal(random); };
  const auto name = [&](std::size_t rows, std::size_t d, std::size_t k) {
    return make_index(drawn(rows, d, 13, draw).view(), Measure::squares, k, 2)->name();
  };
  CHECK(name(20000, 3, 5) == "k-d tree");
  CHECK(name(20000, 20, 5) == "brute force");
  CHECK(name(20000, 40, 5) == "brute force");
  CHECK(name(300, 3, 5) == "brute force");
  CHECK(name(20000, 3, 15000) == "brute force");
}
