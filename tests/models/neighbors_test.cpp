#include <doctest/doctest.h>

#include "support/table.hpp"

using namespace logodds;
using namespace logodds::test;

namespace {

std::vector<double> vote(const std::string& text, double x, const std::string& k,
                         const std::string& weights = {}) {
  const auto source = open_csv_bytes(text, "table", {.target = "class", .weights = weights});
  const auto model = train(*source, "neighbors", {{"k", k}}).model;
  std::vector<double> p(model->labels().size());
  posteriors(*model, row_major(&x, 1, 1), p);
  return p;
}

void check_votes(const std::vector<double>& votes, const std::vector<double>& expected) {
  REQUIRE(votes.size() == expected.size());
  for (std::size_t k = 0; k < votes.size(); ++k) {
    CHECK(votes[k] == doctest::Approx(expected[k]).epsilon(1e-14));
  }
}

}  // namespace

TEST_CASE("neighbors: posteriors are shares of the k nearest") {
  const std::string text = "class,x\na,0\na,1\nb,3\nb,4\na,9\n";
  check_votes(vote(text, 0.9, "1"), {1, 0});
  check_votes(vote(text, 2.5, "3"), {1.0 / 3, 2.0 / 3});
  check_votes(vote(text, 2.5, "5"), {0.6, 0.4});
  check_votes(vote(text, 2.5, "50"), {0.6, 0.4});  // all rows vote
}

TEST_CASE("neighbors: rows tied at the last distance share what is left") {
  // At x = 2: distance 1 for a (1) and b (3), then 2 for a (0), b (4), c (4).
  const std::string text = "class,x\na,0\na,1\nb,3\nb,4\nc,4\n";
  check_votes(vote(text, 2.0, "1"), {0.5, 0.5, 0});
  check_votes(vote(text, 2.0, "2"), {0.5, 0.5, 0});
  check_votes(vote(text, 2.0, "3"), {4.0 / 9, 4.0 / 9, 1.0 / 9});
}

TEST_CASE("neighbors: a weight is so many votes, cut at k") {
  const std::string text = "class,x,w\na,0,2.5\nb,1,1\nb,2,1\n";
  check_votes(vote(text, -1.0, "2", "w"), {1, 0});
  check_votes(vote(text, -1.0, "3", "w"), {2.5 / 3, 0.5 / 3});
}

TEST_CASE("neighbors: many rows agree with a plain search") {
  Table table = made_table(3000, 3, 41);
  for (auto& row : table.rows) { row.resize(4); }
  table.names.resize(4);
  Table queries = table;
  queries.rows.resize(50);
  for (auto& row : queries.rows) { row[1] = format_number(*parse_number(row[1]) + 0.01); }
  const auto model = train_table(table, "neighbors", {{"k", "7"}}).model;
  const auto p = posteriors_of(*model, queries);
  for (std::size_t q = 0; q < queries.rows.size(); ++q) {
    std::vector<std::pair<double, std::string>> all;
    for (const auto& row : table.rows) {
      double distance = 0.0;
      for (std::size_t c = 1; c < 4; ++c) {
        const double off = *parse_number(row[c]) - *parse_number(queries.rows[q][c]);
        distance += off * off;
      }
      all.emplace_back(distance, row[0]);
    }
    std::sort(all.begin(), all.end());
    std::vector<double> expected(3, 0.0);
    for (std::size_t n = 0; n < 7; ++n) {
      expected[static_cast<std::size_t>(all[n].second.back() - '0')] += 1.0 / 7;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(p[q * 3 + k] == doctest::Approx(expected[k]).epsilon(1e-12));
    }
  }
}

TEST_CASE("neighbors: squares that overflow are refused") {
  const std::string text = "class,x\na,1e200\na,2e200\nb,-3e200\n";
  CHECK_THROWS_AS(vote(text, 1.0, "1"), Error);
}

TEST_CASE("neighbors: thousands of ties all share the vote") {
  std::string text = "class,x\n";
  for (int i = 0; i < 9000; ++i) { text += i % 3 == 0 ? "a,1\n" : "b,1\n"; }
  text += "a,50\n";
  check_votes(vote(text, 1.0, "5"), {1.0 / 3, 2.0 / 3});
}
