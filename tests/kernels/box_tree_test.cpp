// A search takes every point within the limit, with the same bits at every level.
#include "kernels/box_tree.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/sample.hpp"

using namespace logodds::kernels;
using namespace logodds::kernels::testing;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
using Found = std::vector<std::pair<double, std::uint32_t>>;

/// Keeps what it is given; the limit stays, or becomes the least distance so far.
class Keeper final : public Taker {
 public:
  Keeper(double limit, bool shrink) : limit_(limit), shrink_(shrink) {}
  double take(std::uint32_t near, const double* distances, const std::uint32_t* rows) override {
    for (; near != 0; near &= near - 1) {
      const auto p = static_cast<std::size_t>(std::countr_zero(near));
      found.emplace_back(distances[p], rows[p]);
      if (shrink_) { limit_ = std::min(limit_, distances[p]); }
    }
    return limit_;
  }
  Found found;

 private:
  double limit_;
  bool shrink_;
};

/// A root with 2 boxes of 8 leaves each: two tiles, one with 30 points, or none.
struct Sample {
  explicit Sample(std::size_t columns, Measure how) : d(columns), measure(how) {
    for (std::uint32_t leaf = 0; leaf < 16; ++leaf) {
      begins.push_back(tiles);
      tiles += leaf % 5 == 0 ? 2 : leaf % 5 == 3 ? 0 : 1;
    }
    begins.push_back(tiles);
    points = normal_values(tiles * kTilePoints * d);
    for (std::uint32_t p = 0; p < tiles * kTilePoints; ++p) { rows.push_back(1000 - p); }
    boxes.assign(3 * 2 * kNodeBoxes * d, kNaN);
    for (std::size_t leaf = 0; leaf < 16; ++leaf) { enclose(leaf); }
  }
  [[nodiscard]] double& point(std::size_t tile, std::size_t i, std::size_t p) {
    return points[(tile * d + i) * kTilePoints + p];
  }
  void enclose(std::size_t leaf) {
    for (std::size_t i = 0; i < d; ++i) {
      double low = kInfinity;
      double high = -kInfinity;
      for (std::size_t tile = begins[leaf]; tile < begins[leaf + 1]; ++tile) {
        point(tile, i, 30) = point(tile, i, 31) = kNaN;
        for (std::size_t p = 0; p < 30; ++p) {
          double& value = point(tile, i, p);
          value = 0.3 * value + (i == 0 ? static_cast<double>(leaf) : 0.0);
          low = std::min(low, value);
          high = std::max(high, value);
        }
      }
      add(1 + leaf / 8, leaf % 8, i, low, high);
      add(0, leaf / 8, i, low, high);
    }
  }
  /// Makes a box large enough for a range.
  void add(std::size_t node, std::size_t box, std::size_t i, double low, double high) {
    double* const bounds = boxes.data() + (node * d + i) * 2 * kNodeBoxes + box;
    bounds[0] = std::fmin(bounds[0], low);
    bounds[kNodeBoxes] = std::fmax(bounds[kNodeBoxes], high);
  }
  [[nodiscard]] BoxTree view() const {
    return {.d = d,
            .measure = measure,
            .first_leaf = 3,
            .root_boxes = 2,
            .boxes = boxes.data(),
            .points = points.data(),
            .rows = rows.data(),
            .begins = begins.data()};
  }
  [[nodiscard]] Found within(const std::vector<double>& query, double limit) const {
    Found found;
    for (std::size_t at = 0; at < rows.size(); ++at) {
      double sum = 0.0;
      for (std::size_t i = 0; i < d; ++i) {
        const double off =
            query[i] - points[(at / kTilePoints * d + i) * kTilePoints + at % kTilePoints];
        sum += measure == Measure::squares ? off * off : std::abs(off);
      }
      if (sum <= limit) { found.emplace_back(sum, rows[at]); }
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  std::size_t d;
  Measure measure;
  std::uint32_t tiles = 0;
  std::vector<std::uint32_t> begins;
  std::vector<double> points;
  std::vector<std::uint32_t> rows;
  std::vector<double> boxes;
};

}  // namespace

TEST_CASE("search_tree takes all points within the limit, at every level") {
  for (const std::size_t d : {1UL, 2UL, 3UL, 8UL, 17UL}) {
    for (const Measure measure : {Measure::squares, Measure::absolutes}) {
      CAPTURE(d);
      const Sample sample(d, measure);
      auto query = normal_values(d);
      query[0] = 6.2;
      for (const double limit : {0.0, 0.3 * static_cast<double>(d), 9.0, kInfinity}) {
        CAPTURE(limit);
        const Found expected = sample.within(query, limit);
        Keeper plain(limit, false);
        const auto tiles = reference::search_tree(sample.view(), query.data(), limit, plain);
        CHECK(tiles <= sample.tiles);
        if (limit == kInfinity) { CHECK(tiles == sample.tiles); }
        std::sort(plain.found.begin(), plain.found.end());
        CHECK(plain.found == expected);
        for_each_level([&] {
          Keeper keeper(limit, false);
          CHECK(search_tree(sample.view(), query.data(), limit, keeper) == tiles);
          std::sort(keeper.found.begin(), keeper.found.end());
          CHECK(keeper.found == expected);
        });
      }
    }
  }
}

TEST_CASE("search_tree heeds a limit that shrinks, and so looks at fewer points") {
  const Sample sample(3, Measure::squares);
  const std::vector<double> query{6.2, 0.1, -0.1};
  const auto nearest = sample.within(query, kInfinity).front();
  for_each_level([&] {
    Keeper keeper(kInfinity, true);
    CHECK(search_tree(sample.view(), query.data(), kInfinity, keeper) < sample.tiles / 2);
    CHECK(*std::min_element(keeper.found.begin(), keeper.found.end()) == nearest);
  });
}

namespace {

/// Wants the `rows` nearest points and those that are as near as the last of them.
class Nearest final : public Taker {
 public:
  explicit Nearest(std::size_t rows, bool says_so) : Taker(says_so ? rows : 0), rows_(rows) {}
  double take(std::uint32_t near, const double* distances, const std::uint32_t* rows) override {
    for (; near != 0; near &= near - 1) {
      const auto p = static_cast<std::size_t>(std::countr_zero(near));
      offered.emplace_back(distances[p], rows[p]);
    }
    std::sort(offered.begin(), offered.end());
    return limit();
  }
  [[nodiscard]] double limit() const {
    return offered.size() < rows_ ? kInfinity : offered[rows_ - 1].first;
  }
  /// What was wanted of all that was offered.
  [[nodiscard]] Found found() const {
    Found found = offered;
    std::erase_if(found, [&](const auto& point) { return point.first > limit(); });
    return found;
  }
  Found offered;

 private:
  std::size_t rows_;
};

}  // namespace

TEST_CASE("search_tree: a taker that says what is enough is offered less, and finds the same") {
  Sample sample(3, Measure::squares);
  for (std::size_t tile = 0; tile < sample.tiles; ++tile) {  // every point twice: ties
    for (std::size_t p = 0; p < 15; ++p) {
      for (std::size_t i = 0; i < 3; ++i) {
        sample.point(tile, i, p + 15) = sample.point(tile, i, p);
      }
    }
  }
  const std::vector<double> query{6.2, 0.1, -0.1};
  for (std::size_t rows = 1; rows <= Taker::kTileGroups; ++rows) {
    CAPTURE(rows);
    Nearest plain(rows, false);
    const auto tiles = reference::search_tree(sample.view(), query.data(), kInfinity, plain);
    CHECK(plain.found() == sample.within(query, plain.limit()));
    for_each_level([&] {
      Nearest all(rows, false);
      CHECK(search_tree(sample.view(), query.data(), kInfinity, all) == tiles);
      Nearest some(rows, true);
      CHECK(search_tree(sample.view(), query.data(), kInfinity, some) == tiles);
      CHECK(some.found() == plain.found());
      CHECK(some.offered.size() <= all.offered.size());
    });
  }
}

TEST_CASE("search_tree_for_all finds what search_tree does for one query after the other") {
  for (const Measure measure : {Measure::squares, Measure::absolutes}) {
    const Sample sample(3, measure);
    for (const std::size_t count : {0UL, 1UL, 4UL, 11UL}) {
      CAPTURE(count);
      std::vector<double> queries = normal_values(count * 3);
      for (std::size_t q = 0; q < count; ++q) { queries[q * 3] = 1.7 * static_cast<double>(q); }
      std::vector<Found> expected;
      for (std::size_t q = 0; q < count; ++q) {
        Nearest one(5, false);
        reference::search_tree(sample.view(), queries.data() + q * 3, kInfinity, one);
        expected.push_back(one.found());
      }
      for_each_level([&] {
        Nearest taker(5, true);
        std::vector<Found> found;
        search_tree_for_all(sample.view(), queries.data(), count, taker, [&](std::size_t q) {
          CHECK(q == found.size());
          found.push_back(taker.found());
          taker.offered.clear();
        });
        CHECK(found == expected);
      });
    }
  }
}
