// Words, n-grams and pairs; tests/e2e/test_tokens.py compares them with scikit-learn.
#include "text/term_reader.hpp"

#include <algorithm>
#include <utility>

#include "text/terms.hpp"

using namespace logodds::text;
using namespace logodds::text::testing;

TEST_CASE("words have two characters or more, in lower case") {
  const TermRules rules;
  CHECK(terms_of(rules, "A cat's 2 or_3 EARS, x") == Terms{"cat", "or_3", "ears"});
  CHECK(terms_of(rules, "").empty());
  CHECK(terms_of(rules, "a").empty());
  CHECK(terms_of(rules, "\u00C9 \u00C9T\u00C9 \u4E2D \u4E2D\u6587") ==
        Terms{"\u00E9t\u00E9", "\u4E2D\u6587"});
  CHECK(terms_of(rules, "\u039F\u0394\u039F\u03A3 \u03A3\u0391\u03A3.") ==
        Terms{"\u03BF\u03B4\u03BF\u03C2", "\u03C3\u03B1\u03C2"});
  CHECK(terms_of(rules, "\u0130stanbul") == Terms{"stanbul"});  // i, a combining dot, stanbul
  CHECK(terms_of({.keep_case = true}, "\u0130s At") == Terms{"\u0130s", "At"});
}

TEST_CASE("NUL is no word character, and bytes that are not UTF-8 are counted") {
  const TermRules rules;
  TermReader reader(rules);
  CHECK(terms_of(reader, std::string_view("ab\0cd\0", 6)) == Terms{"ab", "cd"});
  CHECK(reader.bad_characters() == 0);
  CHECK(terms_of(reader,
                 "ab\xFF"
                 "cd\xE4\xB8 e\xC3") == Terms{"ab", "cd"});
  CHECK(reader.bad_characters() == 3);
}

TEST_CASE("a document of many pieces has the words of its parts") {
  const TermRules rules;
  const std::string part = "Some w\u00F6rds, \u039F\u0394\u039F\u03A3: \u4E2D\u6587 x the END ";
  const Terms few = terms_of(rules, part);
  REQUIRE(few.size() == 6);
  for (std::size_t shift = 0; shift < 70; ++shift) {  // so that pieces end everywhere
    const std::string document = std::string(shift, '.') + repeated(part, 1000);
    const Terms many = terms_of(rules, document);
    REQUIRE(many.size() == 6000);
    for (std::size_t i = 0; i < many.size(); ++i) { REQUIRE(many[i] == few[i % 6]); }
  }
}

TEST_CASE("words up to kLongestTerm bytes are words") {
  const TermRules rules;
  TermReader reader(rules);
  for (const std::size_t before : {0UL, 1UL, 16'000UL, 16'383UL, 16'384UL}) {
    const std::string document = std::string(before, ' ') + std::string(kLongestTerm, 'A') + " end";
    const Terms terms = terms_of(reader, document);
    REQUIRE(terms.size() == 2);
    CHECK(terms[0] == std::string(kLongestTerm, 'a'));
    CHECK(terms[1] == "end");
  }
  CHECK(reader.words_too_long() == 0);
}

TEST_CASE("longer ones are left out and counted once each") {
  const TermRules rules;
  TermReader reader(rules);
  std::size_t expected = 0;
  for (const std::size_t size : {kLongestTerm + 1, kLongestTerm + 2, 81'920UL, 1'000'000UL}) {
    const std::string word(size, 'a');
    CHECK(terms_of(reader, "on " + word + " off") == Terms{"on", "off"});
    CHECK(terms_of(reader, word).empty());
    CHECK(terms_of(reader, word + "." + word) == Terms{});
    expected += 4;
    CHECK(reader.words_too_long() == expected);
  }
}

TEST_CASE("n-grams of words leave stop words out first") {
  const TermRules rules{.shortest = 1, .longest = 2, .stop_words = {"the"}};
  CHECK(terms_of(rules, "in the big city") == Terms{"in", "big", "in big", "city", "big city"});
  CHECK(terms_of({.shortest = 3, .longest = 3}, "in the big city") ==
        Terms{"in the big", "the big city"});
  CHECK(terms_of({.shortest = 3, .longest = 4}, "in the").empty());
}

TEST_CASE("n-grams go on across pieces, and none is too long") {
  const TermRules rules{.shortest = 2, .longest = 3};
  const Terms terms = terms_of(rules, repeated("ab cd ", kManyBytes));
  REQUIRE(terms.size() == 2 * (2 * kManyBytes) - 3);
  CHECK(std::count(terms.begin(), terms.end(), "ab cd") == kManyBytes);
  CHECK(std::count(terms.begin(), terms.end(), "cd ab cd") == kManyBytes - 1);
  TermReader reader(rules);
  const std::string word(40'000, 'a');
  CHECK(terms_of(reader, word + " bc " + word + " de") ==
        Terms{word + " bc", "bc " + word, word + " de", "bc " + word + " de"});
  CHECK(reader.words_too_long() == 1);
}

TEST_CASE("pairs are names and amounts") {
  const TermRules rules{.unit = Unit::pairs, .stop_words = {"of"}};
  std::vector<std::pair<std::string, double>> pairs;
  TermReader reader(rules);
  reader.read("A:2 x\u00A0of:7 b:c:0.5\ty:z :3 n:nan q: -1:-2e1\n",
              [&](std::string_view name, double amount) { pairs.emplace_back(name, amount); });
  CHECK(pairs == std::vector<std::pair<std::string, double>>{{"A", 2},
                                                             {"x", 1},
                                                             {"b:c", 0.5},
                                                             {"y:z", 1},
                                                             {":3", 1},
                                                             {"n:nan", 1},
                                                             {"q:", 1},
                                                             {"-1", -20}});
  CHECK(terms_of(reader, std::string(kLongestTerm - 2, 'a') + ":3 b").size() == 2);
  CHECK(terms_of(reader, std::string(1'000'000, 'a') + ":3 b") == Terms{"b"});
  CHECK(reader.words_too_long() == 1);
}
