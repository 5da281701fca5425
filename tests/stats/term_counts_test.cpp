#include "stats/term_counts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "logodds/error.hpp"
#include "logodds/modelfile/container.hpp"

namespace {

using logodds::RowBlock;
using logodds::TermAmount;
using logodds::TermCounts;
using logodds::TermPlan;

struct Corpus {
  std::vector<std::string_view> documents;
  std::vector<std::int32_t> labels;
  std::vector<double> weights{};
};

std::shared_ptr<const TermPlan> plan_of(TermPlan plan) {
  return std::make_shared<const TermPlan>(std::move(plan));
}

TermCounts counted(const Corpus& corpus, const std::shared_ptr<const TermPlan>& plan,
                   std::size_t classes = 2) {
  TermCounts counts(plan);
  RowBlock block;
  block.rows = corpus.documents.size();
  block.labels = corpus.labels.data();
  block.weights = corpus.weights.empty() ? nullptr : corpus.weights.data();
  const std::string_view* const column = corpus.documents.data();
  block.texts = std::span(&column, 1);
  counts.add(block, 0, classes);
  counts.finish();
  return counts;
}

/// What is known of a term: the weight of its documents, and its amount by class.
struct Known {
  double documents = 0.0;
  std::map<int, double> amounts;
  friend bool operator==(const Known&, const Known&) = default;
};
using Table = std::map<std::string, Known>;

Table table_of(const TermCounts& counts) {
  Table table;
  for (std::size_t t = 0; t < counts.size(); ++t) {
    Known& known = table[std::string(counts.term(t))];
    known.documents = counts.documents_with(t);
    for (const auto& entry : counts.entries(t)) { known.amounts[entry.label] = entry.amount; }
  }
  return table;
}

std::string bytes_of(const TermCounts& counts) {
  logodds::modelfile::Writer writer;
  counts.save(writer, "text");
  return writer.bytes();
}

const Corpus kFirst{{"the cat and the hat", "a dog", "the end"}, {0, 1, 1}};
const Corpus kSecond{{"zebra cat cat", "antidisestablishmentarianism the"}, {1, 0}};
const Corpus kBoth{{"the cat and the hat", "a dog", "the end", "zebra cat cat",
                    "antidisestablishmentarianism the"},
                   {0, 1, 1, 1, 0}};

}  // namespace

TEST_CASE("term counts: terms stand in the order of their bytes, with what each class has") {
  const auto counts = counted(kFirst, plan_of({}));
  CHECK(table_of(counts) == Table{{"and", {1, {{0, 1}}}},
                                  {"cat", {1, {{0, 1}}}},
                                  {"dog", {1, {{1, 1}}}},
                                  {"end", {1, {{1, 1}}}},
                                  {"hat", {1, {{0, 1}}}},
                                  {"the", {2, {{0, 2}, {1, 1}}}}});
  for (std::size_t t = 1; t < counts.size(); ++t) { CHECK(counts.term(t - 1) < counts.term(t)); }
  CHECK(counts.documents() == std::vector<double>{1, 2});
}

TEST_CASE("term counts: parts merged are the whole, byte for byte, in either order") {
  for (const bool pairs : {false, true}) {
    const auto plan = plan_of({.bigrams = pairs});
    const auto whole = bytes_of(counted(kBoth, plan));
    auto forth = counted(kFirst, plan);
    forth.merge(counted(kSecond, plan));
    auto back = counted(kSecond, plan);
    back.merge(counted(kFirst, plan));
    CHECK(bytes_of(forth) == whole);
    CHECK(bytes_of(back) == whole);
  }
}

TEST_CASE("term counts: what is forgotten leaves no trace") {
  const auto plan = plan_of({});
  auto counts = counted(kBoth, plan);
  counts.unmerge(counted(kSecond, plan), {{}, "y", {"a", "b"}}, "text");
  CHECK(bytes_of(counts) == bytes_of(counted(kFirst, plan)));
}

TEST_CASE("term counts: more than there is cannot be forgotten") {
  const auto plan = plan_of({});
  const logodds::Schema schema{{}, "y", {"a", "b"}};
  for (const std::string_view document : {"unheard", "dog dog", "hat"}) {
    auto counts = counted(kFirst, plan);
    const Corpus gone{{document}, {1}};
    CHECK_THROWS_AS(counts.unmerge(counted(gone, plan), schema, "text"), logodds::Error);
  }
}

TEST_CASE("term counts: a document of weight 2 is the document twice") {
  for (const auto amount :
       {TermAmount::counts, TermAmount::presence, TermAmount::l1, TermAmount::l2}) {
    const auto plan = plan_of({.amount = amount});
    const auto once = counted({{"a bc bc de"}, {0}, {2.0}}, plan, 1);
    const auto twice = counted({{"a bc bc de", "a bc bc de"}, {0, 0}}, plan, 1);
    CHECK(table_of(once) == table_of(twice));
  }
}

TEST_CASE("term counts: amounts of a document by their norm") {
  const auto amount = [](TermAmount kind) {
    return table_of(counted({{"bc bc bc de de de de"}, {0}}, plan_of({.amount = kind}), 1));
  };
  CHECK(amount(TermAmount::counts)["bc"].amounts[0] == 3.0);
  CHECK(amount(TermAmount::presence)["bc"].amounts[0] == 1.0);
  CHECK(amount(TermAmount::l1)["bc"].amounts[0] == doctest::Approx(3.0 / 7.0));
  CHECK(amount(TermAmount::l2)["bc"].amounts[0] == doctest::Approx(3.0 / 5.0));
}

TEST_CASE("term counts: a file gives back what was saved") {
  for (const bool weighted : {false, true}) {
    Corpus corpus = kBoth;
    if (weighted) { corpus.weights = {0.5, 1, 2, 3, 0.25}; }
    const auto plan = plan_of({});
    const auto counts = counted(corpus, plan);
    const std::string bytes = bytes_of(counts);
    const logodds::modelfile::Reader reader(bytes, "model");
    const auto loaded = TermCounts::load(reader, 2, "text", plan);
    CHECK(table_of(loaded) == table_of(counts));
    CHECK(bytes_of(loaded) == bytes);
  }
}

TEST_CASE("term counts: labels get their final order") {
  auto counts = counted(kBoth, plan_of({}));
  const auto before = table_of(counts);
  const std::vector<std::int32_t> swap{1, 0};
  counts.recode(swap, 2);
  auto after = table_of(counts);
  for (const auto& [term, known] : before) {
    for (const auto& [label, amount] : known.amounts) {
      CHECK(after[term].amounts[1 - label] == amount);
    }
  }
  const std::vector<std::int32_t> drop{0, -1};
  counts.recode(drop, 1);
  CHECK(table_of(counts).count("zebra") == 1);
  CHECK(table_of(counts).count("hat") == 0);
}

TEST_CASE("term counts: only a given vocabulary is counted, and what is not is told") {
  const auto counts = counted(kFirst, plan_of({.vocabulary = {"cat", "the", "unicorn"}}));
  CHECK(table_of(counts) == Table{{"cat", {1, {{0, 1}}}}, {"the", {2, {{0, 2}, {1, 1}}}}});
  CHECK(counts.totals().terms_ignored == 4.0);
}

TEST_CASE("term counts: beyond a bound the rarest are dropped and told") {
  std::string text;
  for (int i = 0; i < 300; ++i) { text += " often frequent word" + std::to_string(i); }
  const auto counts = counted({{text}, {0}}, plan_of({.most_terms = 100}), 1);
  CHECK(table_of(counts).size() == 2);
  CHECK(counts.totals().terms_dropped == 300);
  CHECK(counts.totals().dropped_amount == 300.0);
}

TEST_CASE("term counts: pairs of neighbors that a word outside of the vocabulary parts") {
  const auto plan = plan_of({.bigrams = true, .vocabulary = {"aa", "bb"}});
  const auto table = table_of(counted({{"aa bb xx aa aa"}, {0}}, plan, 1));
  CHECK(table.count("aa bb") == 1);
  CHECK(table.count("aa aa") == 1);
  CHECK(table.count("bb aa") == 0);
}
