#include "kernels/neighbors.hpp"

#include <algorithm>
#include <set>

#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

std::vector<float> floats(std::size_t count) {
  std::vector<float> values;
  for (const double value : normal_values(count)) { values.push_back(static_cast<float>(value)); }
  return values;
}

struct FilterCase {
  std::size_t n, d, panel_count;
  std::vector<float> queries = floats(n * d);
  std::vector<float> panels = floats(panel_count * kPanelPoints * d);
  std::vector<float> offsets = floats(panel_count * kPanelPoints);
  std::vector<float> limits = floats(n);

  [[nodiscard]] NearInput input() const {
    return {queries.data(), n, d, limits.data(), panels.data(), offsets.data(), panel_count, d};
  }
  /// offset - query.point in double, and what a float may be off.
  [[nodiscard]] std::pair<double, double> exact(std::size_t q, std::size_t p) const {
    double sum = static_cast<double>(offsets[p]);
    double size = std::fabs(sum);
    for (std::size_t i = 0; i < d; ++i) {
      const auto term =
          static_cast<double>(queries[q * d + i]) *
          static_cast<double>(panels[(p / kPanelPoints * d + i) * kPanelPoints + p % kPanelPoints]);
      sum -= term;
      size += std::fabs(term);
    }
    return {sum, 2.0 * (static_cast<double>(d) + 1.0) * 0x1p-24 * size};
  }
};

}  // namespace

TEST_CASE("near_pairs finds every pair within the limits, and none beyond the rounding") {
  for (const std::size_t n : {0UL, 1UL, 2UL, 5UL, 6UL, 7UL, 12UL, 29UL}) {
    for (const std::size_t d : {1UL, 2UL, 3UL, 31UL, 32UL}) {
      const FilterCase made{n, d, 4};
      CAPTURE(n);
      CAPTURE(d);
      for_each_level([&] {
        std::vector<NearPair> pairs(n * 4 * kPanelPoints);
        pairs.resize(near_pairs(made.input(), pairs.data()));
        std::set<std::pair<int, int>> found;
        for (const auto& pair : pairs) { found.emplace(pair.query, pair.point); }
        CHECK(found.size() == pairs.size());
        bool right = true;
        for (std::size_t q = 0; q < n; ++q) {
          for (std::size_t p = 0; p < 4 * kPanelPoints; ++p) {
            const auto [value, error] = made.exact(q, p);
            const double over = value - static_cast<double>(made.limits[q]);
            if (std::fabs(over) <= error) { continue; }
            right =
                right && found.contains({static_cast<int>(q), static_cast<int>(p)}) == (over < 0);
          }
        }
        CHECK(right);
      });
    }
  }
}

TEST_CASE("near_pairs leaves out points at infinity, and keeps none of a limit that is not met") {
  FilterCase made{3, 2, 2};
  std::ranges::fill(made.limits, std::numeric_limits<float>::max());
  made.offsets[5] = std::numeric_limits<float>::infinity();
  made.limits[1] = -std::numeric_limits<float>::max();
  for_each_level([&] {
    std::vector<NearPair> pairs(3 * 2 * kPanelPoints);
    pairs.resize(near_pairs(made.input(), pairs.data()));
    CHECK(pairs.size() == 2 * (2 * kPanelPoints - 1));
    CHECK(std::ranges::none_of(
        pairs, [](const NearPair& pair) { return pair.query == 1 || pair.point == 5; }));
  });
}

TEST_CASE("absolute_distances has the same bits at every level") {
  for_each_shape([](const Rows& points) {
    const Rows queries(5, points.d, 2);
    std::vector<double> expected(5 * points.n);
    reference::absolute_distances(queries.first(), 5, queries.stride, points.first(), points.n,
                                  points.stride, points.d, expected.data());
    if (points.n > 0) {
      double sum = 0.0;
      for (std::size_t i = 0; i < points.d; ++i) {
        sum += std::fabs(queries.at(0, i) - points.at(0, i));
      }
      CHECK(expected[0] == sum);
    }
    for_each_level([&] {
      std::vector<double> actual(5 * points.n, -1.0);
      absolute_distances(queries.first(), 5, queries.stride, points.first(), points.n,
                         points.stride, points.d, actual.data());
      CHECK(actual == expected);
    });
  });
}
