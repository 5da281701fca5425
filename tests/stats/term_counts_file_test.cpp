// Counts of terms that are many enough to be loaded by two threads.
#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "logodds/error.hpp"
#include "logodds/modelfile/container.hpp"
#include "stats/term_counts.hpp"

namespace {

using logodds::TermCounts;
using logodds::TermPlan;

constexpr std::size_t kTerms = 40'000;

/// Every term has both classes.
struct Arrays {
  std::string terms;
  std::vector<std::int32_t> labels;
  std::vector<std::int32_t> counts;

  Arrays() {
    for (std::size_t t = 0; t < kTerms; ++t) {
      terms += std::to_string(100'000 + t);
      for (const std::int32_t label : {0, 1}) {
        labels.push_back(label);
        counts.push_back(static_cast<std::int32_t>(t % 7) + 1);
      }
    }
  }

  [[nodiscard]] std::string bytes(double factor = 1.0) const {
    logodds::modelfile::Writer writer;
    writer.tensor("text.terms", terms);
    writer.tensor("text.lengths", std::vector<std::int32_t>(kTerms, 6), {kTerms});
    writer.tensor("text.classes", std::vector<std::int32_t>(kTerms, 2), {kTerms});
    writer.tensor("text.labels", labels, {labels.size()});
    if (factor == 1.0) {
      writer.tensor("text.counts", counts, {counts.size()});
    } else {
      std::vector<double> reals(counts.begin(), counts.end());
      for (double& value : reals) { value *= factor; }
      writer.tensor("text.counts.real", reals, {reals.size()});
    }
    writer.tensor("text.documents", std::vector<std::int32_t>(kTerms, 3), {kTerms});
    writer.tensor("text.weights", std::vector<double>{5.0, 6.0}, {2});
    return writer.bytes();
  }
};

TermCounts loaded(const std::string& bytes) {
  const logodds::modelfile::Reader reader(bytes, "model");
  return TermCounts::load(reader, 2, "text", std::make_shared<const TermPlan>());
}

std::string problem_of(const Arrays& arrays) {
  try {
    static_cast<void>(loaded(arrays.bytes()));
  } catch (const logodds::Error& error) { return error.what(); }
  return "none";
}

bool refused(const Arrays& arrays, const std::string& why) {
  return problem_of(arrays).find(why) != std::string::npos;
}

}  // namespace

TEST_CASE("term counts: a large file gives back what was saved") {
  for (const double factor : {1.0, 0.5}) {
    const Arrays arrays;
    const std::string bytes = arrays.bytes(factor);
    const TermCounts counts = loaded(bytes);
    REQUIRE(counts.size() == kTerms);
    for (const std::size_t t : {std::size_t{0}, kTerms / 2 - 1, kTerms / 2, kTerms - 1}) {
      CHECK(counts.term(t) == std::to_string(100'000 + t));
      const auto entries = counts.entries(t);
      REQUIRE(entries.size() == 2);
      CHECK(entries[1] == TermCounts::Entry{1, factor * static_cast<double>(t % 7 + 1)});
      CHECK(counts.documents_with(t) == 3.0);
    }
    logodds::modelfile::Writer writer;
    counts.save(writer, "text");
    CHECK(writer.bytes() == bytes);
  }
}

TEST_CASE("term counts: what is wrong in a large file is found wherever it stands") {
  CHECK(problem_of({}) == "none");
  for (const std::size_t t : {std::size_t{1}, kTerms / 2 - 1, kTerms / 2, kTerms - 1}) {
    CAPTURE(t);
    Arrays swapped;  // with the term before
    swapped.terms.replace(6 * (t - 1), 12,
                          swapped.terms.substr(6 * t, 6) + swapped.terms.substr(6 * (t - 1), 6));
    CHECK(refused(swapped, "not in order"));
    Arrays descending;
    std::swap(descending.labels[2 * t], descending.labels[2 * t + 1]);
    CHECK(refused(descending, "not in order"));
    Arrays twice;
    twice.labels[2 * t] = 1;
    CHECK(refused(twice, "not in order"));
    Arrays unknown;
    unknown.labels[2 * t + 1] = 2;
    CHECK(refused(unknown, "belong to no class"));
    Arrays negative;
    negative.counts[2 * t] = -1;
    CHECK(refused(negative, "counts of terms are none"));
  }
}
