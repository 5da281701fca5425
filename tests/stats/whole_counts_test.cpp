#include "stats/whole_counts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace {

using logodds::WholeCounts;

/// What should be there: by row, the documents and the counts by class.
struct Expected {
  std::uint64_t documents = 0;
  std::map<std::size_t, std::uint64_t> counts;
};

void check_equal(const WholeCounts& counts, const std::map<std::uint32_t, Expected>& expected) {
  for (const auto& [number, of_row] : expected) {
    const auto row = counts.row(number);
    CHECK(row.documents() == of_row.documents);
    std::map<std::size_t, std::uint64_t> found;
    logodds::each_class({&row, 1}, counts.classes(),
                        [&](std::size_t label) { found[label] = row.count(label); });
    CHECK(found == of_row.counts);
  }
}

}  // namespace

TEST_CASE("whole counts: small and large counts of classes that come one by one, and new numbers") {
  std::mt19937 random(11);
  WholeCounts counts;
  std::map<std::uint32_t, Expected> expected;
  for (std::size_t classes = 1; classes <= 70; classes += 3) {
    counts.make_room(classes);
    for (int i = 0; i < 4000; ++i) {
      const auto row =
          static_cast<std::uint32_t>(random() % 10 == 0 ? random() % 9000 : random() % 5);
      const auto label = static_cast<std::uint32_t>(random() % classes);
      const auto amount = static_cast<std::uint32_t>(1 + random() % 255);
      const auto documents = static_cast<std::uint32_t>(1 + random() % amount);
      counts.reach(row);
      counts.add(row, label, documents, amount);
      expected[row].documents += documents;
      expected[row].counts[label] += amount;
    }
  }
  REQUIRE(counts.classes() == 70);
  check_equal(counts, expected);

  std::vector<std::int32_t> labels(70);
  for (std::size_t k = 0; k < labels.size(); ++k) { labels[k] = static_cast<std::int32_t>(k + 5); }
  std::ranges::shuffle(labels, random);
  counts.recode(labels, 80);
  for (auto& [number, of_row] : expected) {
    std::map<std::size_t, std::uint64_t> moved;
    for (const auto& [label, count] : of_row.counts) {
      moved[static_cast<std::size_t>(labels[label])] = count;
    }
    of_row.counts = std::move(moved);
  }
  check_equal(counts, expected);
}

TEST_CASE("whole counts: a count that fills its byte again and again still tells its class") {
  WholeCounts counts;
  counts.make_room(2);
  counts.reach(0);
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < 600; ++i) {
    counts.add(0, 1, 1, i % 255 + 1);
    sum += i % 255 + 1;
    REQUIRE(counts.row(0).count(1) == sum);
    REQUIRE(counts.row(0).count(0) == 0);
  }
  CHECK(counts.row(0).documents() == 600);
}

TEST_CASE("whole counts: classes of several rows are theirs together") {
  WholeCounts counts;
  counts.make_room(9);
  counts.reach(1);
  counts.add(0, 8, 1, 1);
  counts.add(0, 2, 1, 1);
  counts.add(1, 2, 1, 3);
  counts.add(1, 5, 1, 1);
  const std::vector<WholeCounts::Row> rows{counts.row(0), counts.row(1)};
  std::vector<std::size_t> found;
  logodds::each_class(rows, 9, [&](std::size_t label) { found.push_back(label); });
  CHECK(found == std::vector<std::size_t>{2, 5, 8});
}

TEST_CASE("whole counts: few classes, or few terms of many") {
  CHECK(WholeCounts::suits(2, 100'000'000));
  CHECK(WholeCounts::suits(1000, 1000));
  CHECK_FALSE(WholeCounts::suits(1000, 1'000'000));
  CHECK_FALSE(WholeCounts::suits(60'000, 10));  // a row of them takes as much as many rows of few
}
