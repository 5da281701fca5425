#include "search/candidates.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace logodds::search;

namespace {

/// What is wanted of all rows, by sorting them.
std::vector<Candidate> expected(std::vector<Candidate> all, const Wanted& wanted) {
  std::sort(all.begin(), all.end());
  double votes = 0.0;
  std::size_t size = 0;
  while (size < all.size() && (size < wanted.rows || votes < wanted.votes)) {
    votes += wanted.weights == nullptr ? 1.0 : wanted.weights[all[size].row];
    ++size;
  }
  while (size > 0 && size < all.size() && all[size].distance == all[size - 1].distance) { ++size; }
  all.resize(size);
  return all;
}

bool same(std::span<const Candidate> a, std::span<const Candidate> b) {
  return std::ranges::equal(a, b, [](const Candidate& x, const Candidate& y) {
    return x.distance == y.distance && x.row == y.row;
  });
}

}  // namespace

TEST_CASE("candidates: the nearest and all that tie with the last, in whatever order they come") {
  std::mt19937_64 random(1);
  for (const std::size_t values : {3UL, 40UL, 100000UL}) {  // many ties, some, hardly any
    for (const std::size_t rows : {1UL, 5UL, 16UL, 17UL, 90UL, 400UL}) {
      CAPTURE(values);
      CAPTURE(rows);
      const Wanted wanted{.rows = rows};
      Candidates candidates(wanted);
      std::vector<Candidate> all;
      for (std::uint32_t r = 0; r < 300; ++r) {
        all.push_back({static_cast<double>(random() % values), r});
      }
      for (int round = 0; round < 3; ++round) {
        candidates.clear();
        for (const auto& candidate : all) { candidates.offer(candidate.distance, candidate.row); }
        CHECK(same(candidates.sorted(), expected(all, wanted)));
        std::ranges::shuffle(all, random);
      }
    }
  }
}

TEST_CASE("candidates: weights count as votes") {
  std::mt19937_64 random(2);
  std::vector<double> weights;
  for (std::uint32_t r = 0; r < 300; ++r) {
    weights.push_back(0.25 * static_cast<double>(1 + random() % 8));
  }
  for (const double votes : {0.5, 3.0, 11.25, 1e6}) {
    for (const std::size_t rows : {1UL, 7UL}) {
      const Wanted wanted{.rows = rows, .votes = votes, .weights = weights.data()};
      Candidates candidates(wanted);
      std::vector<Candidate> all;
      for (std::uint32_t r = 0; r < 300; ++r) {
        all.push_back({static_cast<double>(random() % 50), r});
        candidates.offer(all.back().distance, r);
      }
      const auto found = candidates.sorted();
      const auto least = expected(all, wanted);
      REQUIRE(found.size() >= least.size());
      CHECK(same(found.first(least.size()), least));
      // A margin for rounding may keep one more group of ties.
      CHECK(same(
          found,
          expected(all, {.rows = rows, .votes = votes * (1.0 + 1e-9), .weights = weights.data()})));
    }
  }
}

TEST_CASE("candidates: infinite distances are found when there is nothing nearer") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Candidates candidates(Wanted{.rows = 2});
  candidates.offer(kInfinity, 4);
  candidates.offer(3.0, 9);
  candidates.offer(kInfinity, 1);
  const auto found = candidates.sorted();
  REQUIRE(found.size() == 3);
  CHECK(found[0].row == 9);
  CHECK(found[1].row == 1);
  CHECK(found[2].row == 4);
}
