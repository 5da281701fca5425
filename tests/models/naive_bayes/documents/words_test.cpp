// What single words say adds up to what their documents say, under every law.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "logodds/logodds.hpp"

using namespace logodds;

namespace {

using OptionMap = std::map<std::string, std::string>;

const std::vector<std::string_view> kDocuments{
    "the cat sat on the mat",  "a dog and a cat",       "dogs bark at cats at night",
    "the night is dark",       "dark matter and light", "light as the night, dark as the day",
    "cat cat cat dog dog day", "matter matter matter",  "",
    "unheard words only here"};
const std::vector<std::int64_t> kLabels{0, 1, 1, 2, 2, 2, 0, 2, 1, 0};

Fit trained(const OptionMap& options) {
  const auto source = open_documents(
      {.documents = kDocuments, .labels = kLabels.data(), .label_names = {"a", "b", "c"}});
  return train(*source, "naive-bayes", options);
}

/// Laws, and what documents add, with and without smoothing where that is possible.
std::vector<OptionMap> variants() {
  std::vector<OptionMap> all{{},
                             {{"ngrams", "1-2"}},
                             {{"chars", "2-3"}},
                             {{"binary", "true"}},
                             {{"normalize", "l1"}},
                             {{"normalize", "l2"}},
                             {{"tf-idf", "true"}},
                             {{"tf-idf", "true"}, {"normalize", "l2"}},
                             {{"hash-bits", "4"}},
                             {{"hash-bits", "4"}, {"binary", "true"}},
                             {{"vocabulary", "cat\ndark\ndog\nunicorn"}},
                             {{"vocabulary", "cat\ndark\ndog\nunicorn"}, {"normalize", "l2"}},
                             {{"min-df", "2"}},
                             {{"max-vocabulary", "3"}}};
  const std::size_t plain = all.size();
  for (std::size_t i = 0; i < plain; ++i) {
    all.push_back(all[i]);
    all.back()["family"] = "complement";
  }
  for (const char* const family : {"bernoulli", "markov"}) { all.push_back({{"family", family}}); }
  all.push_back({{"family", "bernoulli"}, {"hash-bits", "4"}});
  all.push_back({{"family", "bernoulli"}, {"ngrams", "2"}});
  return all;
}

/// Blocks of the documents, scored against every pair of classes.
template <class Check>
void for_each_row(const Classifier& model, const Check& check) {
  const auto source = open_documents({.documents = kDocuments}, model.schema());
  RowBuffer buffer;
  while (source->take(buffer)) {
    source->parse(buffer);
    const RowBlock block = buffer.view();
    for (std::int32_t a = 0; a < 3; ++a) {
      for (std::int32_t b = 0; b < 3; ++b) {
        if (a != b) { check(block, a, b); }
      }
    }
  }
}

std::string name_of(const OptionMap& options) {
  std::string name;
  for (const auto& [option, value] : options) { name += " --" + option + " " + value; }
  return name;
}

}  // namespace

TEST_CASE("documents: the shares of words add up to the log odds of their document") {
  for (const auto& options : variants()) {
    CAPTURE(name_of(options));
    const auto model = trained(options).model;
    const Evidence& evidence = *model->evidence();
    for_each_row(*model, [&](const RowBlock& block, std::int32_t a, std::int32_t b) {
      const std::vector<std::int32_t> first(block.rows, a);
      const std::vector<std::int32_t> second(block.rows, b);
      std::vector<double> parts(block.rows);
      std::vector<double> base(block.rows);
      evidence.contributions(block, first, second, parts, base);
      for (std::size_t r = 0; r < block.rows; ++r) {
        double sum = 0.0;
        for (const auto& share : evidence.words(block, r, a, b)) { sum += share.contribution; }
        CHECK(sum == doctest::Approx(parts[r]).epsilon(1e-11));
      }
    });
  }
}

TEST_CASE("documents: marks stand in order, within the text, and add up to the words") {
  for (const OptionMap& options : {OptionMap{}, {{"ngrams", "1-2"}}, {{"chars", "2-3"}}}) {
    CAPTURE(name_of(options));
    const auto model = trained(options).model;
    const Evidence& evidence = *model->evidence();
    for_each_row(*model, [&](const RowBlock& block, std::int32_t a, std::int32_t b) {
      for (std::size_t r = 0; r < block.rows; ++r) {
        double words = 0.0;
        for (const auto& share : evidence.words(block, r, a, b)) { words += share.contribution; }
        double marks = 0.0;
        std::size_t end = 0;
        for (const auto& mark : evidence.marks(block, r, a, b)) {
          CHECK(mark.begin >= end);
          CHECK(mark.end > mark.begin);
          end = mark.end;
          marks += mark.contribution;
        }
        CHECK(end <= block.texts[0][r].size());
        CHECK(marks == doctest::Approx(words).epsilon(1e-11));
      }
    });
  }
}

TEST_CASE("documents: options that exclude each other are refused") {
  const std::vector<OptionMap> refused{
      {{"chars", "2"}, {"ngrams", "2"}},
      {{"tokens", "pairs"}, {"chars", "2"}},
      {{"tokens", "pairs"}, {"ngrams", "2"}},
      {{"family", "bernoulli"}, {"tf-idf", "true"}},
      {{"family", "bernoulli"}, {"normalize", "l1"}},
      {{"binary", "true"}, {"normalize", "l2"}},
      {{"family", "markov"}, {"chars", "2"}},
      {{"family", "markov"}, {"binary", "true"}},
      {{"family", "markov"}, {"smoothing", "0"}},
      {{"family", "markov"}, {"backoff", "0"}},
      {{"family", "complement"}, {"smoothing", "0"}},
      {{"hash-bits", "4"}, {"vocabulary", "cat"}},
      {{"hash-bits", "4"}, {"max-vocabulary", "2"}},
      {{"vocabulary", "cat"}, {"max-vocabulary", "2"}},
      {{"vocabulary", "cat\ncat"}},
      {{"min-df", "9"}, {"max-df", "2"}},
      {{"ngrams", "2-1"}},
      {{"min-df", "1.5"}},
  };
  for (const auto& options : refused) {
    CAPTURE(name_of(options));
    CHECK_THROWS_AS(trained(options), Error);
  }
}

TEST_CASE("documents: smoothing 0 is the limit of less and less smoothing") {
  const auto decisions_under = [](const std::string& smoothing) {
    const auto model = trained({{"smoothing", smoothing}}).model;
    const auto source = open_documents({.documents = kDocuments}, model->schema());
    std::vector<std::int32_t> all;
    score(*model, *source, [&](const ScoredBlock& block) {
      all.insert(all.end(), block.decisions.begin(), block.decisions.end());
    });
    return all;
  };
  CHECK(decisions_under("0") == decisions_under("1e-200"));
}

TEST_CASE("documents: top words are those with the highest log odds") {
  const auto model = trained({}).model;
  const auto top = model->words()->top_words(0, 2);
  REQUIRE(top.size() == 3);
  for (const auto& words : top) {
    REQUIRE(words.size() == 2);
    CHECK(words[0].log_odds >= words[1].log_odds);
  }
  CHECK(top[2][0].word == "matter");
  CHECK(top[2][0].count == 4.0);
  CHECK(top[2][0].elsewhere == 0.0);
}
