// Counts of terms in lanes and in slots, against one lane and against sums by document.
#include <doctest/doctest.h>

#include <array>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "logodds/modelfile/container.hpp"
#include "stats/term_counts.hpp"

namespace {

using logodds::RowBlock;
using logodds::TermCounts;
using logodds::TermPlan;

struct Corpus {
  std::vector<std::string> documents;
  std::vector<std::int32_t> labels;
};

/// Words of all lengths, some of which begin alike, in documents of random classes.
Corpus corpus_of(std::size_t documents, std::size_t words, std::int32_t classes) {
  std::mt19937 random(5);
  Corpus corpus;
  for (std::size_t d = 0; d < documents; ++d) {
    std::string text;
    for (std::size_t w = 0; w < words; ++w) {
      const auto number = random() % (1 + random() % 5000);
      const std::array<std::string_view, 4> starts{"w", "abcdefgh", "abcdefghijklmnop",
                                                   "abcdefghijklmnopqrstuvwxyz"};
      text += std::string(starts[number % 4]) + std::to_string(number) + ' ';
    }
    corpus.documents.push_back(std::move(text));
    corpus.labels.push_back(static_cast<std::int32_t>(random()) % classes);
    if (corpus.labels.back() < 0) { corpus.labels.back() += classes; }
  }
  return corpus;
}

/// The documents from `first` on, every `step`-th.
void add(TermCounts& counts, const Corpus& corpus, std::size_t first, std::size_t step,
         std::size_t classes, double weight = 0.0) {
  std::vector<std::string_view> texts;
  std::vector<std::int32_t> labels;
  for (std::size_t d = first; d < corpus.documents.size(); d += step) {
    texts.push_back(corpus.documents[d]);
    labels.push_back(corpus.labels[d]);
  }
  const std::vector<double> weights(texts.size(), weight);
  const std::string_view* const column = texts.data();
  RowBlock block;
  block.rows = texts.size();
  block.labels = labels.data();
  block.weights = weight > 0.0 ? weights.data() : nullptr;
  block.texts = std::span(&column, 1);
  counts.add(block, 0, classes);
}

std::string bytes_of(const TermCounts& counts) {
  logodds::modelfile::Writer writer;
  counts.save(writer, "text");
  return writer.bytes();
}

std::shared_ptr<const TermPlan> plan_of(TermPlan plan = {}) {
  return std::make_shared<const TermPlan>(std::move(plan));
}

}  // namespace

TEST_CASE("term counts: lanes joined are one lane, for any number of lanes and threads") {
  const Corpus corpus = corpus_of(300, 200, 7);
  const auto plan = plan_of();
  TermCounts whole(plan);
  add(whole, corpus, 0, 1, 7);
  whole.finish();
  for (const std::size_t lanes : {1U, 3U, 4U, 16U}) {
    for (const int threads : {1, 2, 5}) {
      std::vector<TermCounts> parts(lanes, TermCounts(plan));
      std::vector<TermCounts*> places;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        if (lane != 2) { add(parts[lane], corpus, lane, lanes, 7); }  // one has read nothing
        places.push_back(&parts[lane]);
      }
      if (lanes > 2) { add(parts[0], corpus, 2, lanes, 7); }
      TermCounts::join(places, threads);
      CHECK(bytes_of(parts[0]) == bytes_of(whole));
    }
  }
}

TEST_CASE("term counts: occurrences counted in slots are those that weights of 1 give") {
  for (const std::int32_t classes : {1, 3, 40, 2000}) {  // at last too many for whole counts
    const Corpus corpus = corpus_of(200, 150, classes);
    const auto plan = plan_of(
        {.amount = classes == 3 ? logodds::TermAmount::presence : logodds::TermAmount::counts});
    TermCounts in_slots(plan);
    TermCounts by_document(plan);
    TermCounts mixed(plan);  // both, one after the other
    const auto k = static_cast<std::size_t>(classes);
    add(in_slots, corpus, 0, 1, k);
    add(by_document, corpus, 0, 1, k, 1.0);
    add(mixed, corpus, 0, 3, k);
    add(mixed, corpus, 1, 3, k, 1.0);
    add(mixed, corpus, 2, 3, k);
    for (auto* const counts : {&in_slots, &by_document, &mixed}) { counts->finish(); }
    CHECK(bytes_of(in_slots) == bytes_of(by_document));
    CHECK(bytes_of(mixed) == bytes_of(by_document));
  }
}

TEST_CASE("term counts: a slot that is full, and classes that alternate") {
  Corpus corpus;
  std::string often;
  for (int i = 0; i < 1000; ++i) { often += "again "; }
  corpus = {{often, often}, {0, 0}};
  TermCounts counts(plan_of());
  add(counts, corpus, 0, 1, 1);
  counts.finish();
  REQUIRE(counts.size() == 1);
  CHECK(counts.entries(0)[0].amount == 2000.0);
  CHECK(counts.documents_with(0) == 2.0);

  std::string many;  // every slot gives up what it has, document after document
  for (int i = 0; i < 2000; ++i) { many += "t" + std::to_string(i) + " "; }
  corpus = {};
  for (int d = 0; d < 600; ++d) {
    corpus.documents.push_back(many);
    corpus.labels.push_back(d % 2);
  }
  TermCounts alternating(plan_of());
  add(alternating, corpus, 0, 1, 2);
  alternating.finish();
  REQUIRE(alternating.size() == 2000);
  for (std::size_t t = 0; t < alternating.size(); ++t) {
    CHECK(alternating.documents_with(t) == 600.0);
    REQUIRE(alternating.entries(t).size() == 2);
    CHECK(alternating.entries(t)[0].amount == 300.0);
    CHECK(alternating.entries(t)[1].amount == 300.0);
  }
}

TEST_CASE("term counts: labels may change their numbers before lanes are joined, and after") {
  const Corpus corpus = corpus_of(100, 100, 5);
  const std::vector<std::int32_t> renamed{3, 0, 4, 1, 2};
  for (const double weight : {0.0, 1.0}) {  // in slots, by document
    TermCounts early(plan_of());
    TermCounts late(plan_of());
    TermCounts twice(plan_of());
    for (auto* const counts : {&early, &late, &twice}) { add(*counts, corpus, 0, 1, 5, weight); }
    early.recode(renamed, 5);
    early.finish();
    late.finish();
    late.recode(renamed, 5);
    CHECK(bytes_of(early) == bytes_of(late));
    twice.recode(renamed, 5);
    twice.recode(renamed, 5);
    add(twice, corpus, 0, 2, 5, weight);  // and goes on under the new numbers
    twice.finish();
    late.recode(renamed, 5);
    TermCounts more(plan_of());
    add(more, corpus, 0, 2, 5, weight);
    more.finish();
    late.merge(more);
    CHECK(bytes_of(twice) == bytes_of(late));
  }
}

TEST_CASE("term counts: terms of a given vocabulary that no document has are left out") {
  const auto plan = plan_of({.vocabulary = {"aa", "w1", "zz"}});
  const Corpus corpus{{"w1 other w1", "zebra"}, {0, 1}};
  std::vector<TermCounts> lanes(2, TermCounts(plan));
  add(lanes[0], corpus, 0, 2, 2);
  add(lanes[1], corpus, 1, 2, 2);
  const std::array<TermCounts*, 2> places{&lanes[0], &lanes[1]};
  TermCounts::join(places, 2);
  REQUIRE(lanes[0].size() == 1);
  CHECK(lanes[0].term(0) == "w1");
  CHECK(lanes[0].documents() == std::vector<double>{1, 1});
}

TEST_CASE("term counts: a lane of few classes beside lanes of very many") {
  const Corpus corpus = corpus_of(60, 200, 3);
  const std::vector<std::int32_t> far{59'999, 0, 30'000};
  TermCounts early(plan_of());
  TermCounts late(plan_of());
  for (auto* const counts : {&early, &late}) { add(*counts, corpus, 0, 1, 3); }
  early.recode(far, 60'000);  // a byte for each of them would be too many
  early.finish();
  late.finish();
  late.recode(far, 60'000);
  CHECK(bytes_of(early) == bytes_of(late));
}

TEST_CASE("term counts: classes that come when there are too many terms for a byte each") {
  Corpus corpus = corpus_of(400, 150, 20);
  for (std::size_t d = 100; d < corpus.labels.size(); ++d) {
    corpus.labels[d] = static_cast<std::int32_t>(20 + d * 7 % 3000);
  }
  const auto add_both = [&](TermCounts& counts, double weight) {
    const Corpus first{{corpus.documents.begin(), corpus.documents.begin() + 100},
                       {corpus.labels.begin(), corpus.labels.begin() + 100}};
    add(counts, first, 0, 1, 20, weight);
    add(counts, corpus, 100, 1, 3020, weight);
    counts.finish();  // without recode()
  };
  TermCounts whole(plan_of());
  TermCounts by_document(plan_of());
  add_both(whole, 0.0);
  add_both(by_document, 1.0);
  CHECK(bytes_of(whole) == bytes_of(by_document));
}
