#include "models/neighbors/votes.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "logodds/decide/decide.hpp"
#include "logodds/posterior/posterior.hpp"

using namespace logodds;
using namespace logodds::models::neighbors;

namespace {

Space euclidean() {
  Schema schema;
  schema.columns = {{.name = "x", .kind = ColumnKind::real, .levels = {}}};
  return {schema, Wish{}, Units{}};
}

struct Result {
  std::vector<double> posteriors;
  std::size_t winner;
};

/// Sums are squared distances.
Result cast(const std::vector<Voter>& voters, double k, bool by_distance = false) {
  const Space space = euclidean();
  Ballot ballot(3, space, by_distance);
  ballot.cast(voters, k);
  Result result{std::vector<double>(3), ballot.winner()};
  ballot.log_scores(result.posteriors.data());
  posterior::from_log_scores(result.posteriors, 3);
  return result;
}

void check(const Result& result, const std::vector<double>& posteriors, std::size_t winner) {
  for (std::size_t c = 0; c < 3; ++c) {
    CHECK(result.posteriors[c] == doctest::Approx(posteriors[c]).epsilon(4e-15));
  }
  CHECK(result.winner == winner);
  CHECK(decide::argmax(result.posteriors) == winner);
}

}  // namespace

TEST_CASE("votes: the class with most votes wins, however near the others are") {
  check(cast({{0, 1, 2}, {1, 1, 1}, {4, 1, 1}}, 3), {0, 2.0 / 3, 1.0 / 3}, 1);
}

TEST_CASE("votes: of equally many the nearest wins, then the order of the labels") {
  check(cast({{1, 1, 2}, {4, 1, 0}}, 2), {0.5, 0, 0.5}, 2);
  check(cast({{1, 1, 1}, {4, 1, 0}, {9, 1, 2}}, 3), {1.0 / 3, 1.0 / 3, 1.0 / 3}, 1);
  check(cast({{1, 1, 2}, {1, 1, 0}}, 2), {0.5, 0, 0.5}, 0);
  // The second of each is not looked at: 1 and 2 have a row at distance 1.
  check(cast({{1, 1, 1}, {1, 1, 2}, {4, 1, 2}, {9, 1, 1}}, 4), {0, 0.5, 0.5}, 1);
}

TEST_CASE("votes: shares that should be equal are, though their sums are rounded") {
  // Three rows of 0 and three of 1 share one vote at the last distance; each has one before that.
  check(
      cast({{1, 1, 1}, {2, 1, 0}, {3, 1, 0}, {3, 1, 1}, {3, 1, 0}, {3, 1, 1}, {3, 1, 0}, {3, 1, 1}},
           3),
      {0.5, 0.5, 0}, 1);
}

TEST_CASE("votes: weighed by the inverse of the distance") {
  check(cast({{1, 1, 0}, {4, 1, 1}, {16, 1, 1}}, 3, true), {4.0 / 7, 3.0 / 7, 0}, 0);
  check(cast({{4, 1, 2}, {16, 1, 1}, {16, 1, 1}}, 3, true), {0, 0.5, 0.5}, 2);
  // At the last distance 2 rows share 1 vote.
  check(cast({{1, 1, 0}, {4, 1, 1}, {4, 1, 2}}, 2, true), {2.0 / 3, 1.0 / 6, 1.0 / 6}, 0);
}

TEST_CASE("votes: rows at distance 0 leave nothing to the others") {
  check(cast({{0, 1, 2}, {1, 1, 1}, {1, 1, 1}}, 3, true), {0, 0, 1}, 2);
  check(cast({{0, 1, 2}, {0, 3, 0}, {1, 1, 1}}, 5, true), {0.75, 0, 0.25}, 0);
  check(cast({{5e-324, 1, 2}, {1, 1, 1}}, 2, true), {0, 0, 1}, 2);
}

TEST_CASE("votes: no posterior where every row is infinitely far") {
  const Space space = euclidean();
  Ballot ballot(2, space, false);
  ballot.cast(std::vector<Voter>{{std::numeric_limits<double>::infinity(), 1, 1}}, 1);
  std::vector<double> scores(2);
  ballot.log_scores(scores.data());
  CHECK(std::isinf(scores[0]));
  CHECK(std::isinf(scores[1]));
}
