// Where terms stand, and that they are the terms of read().
#include <random>

#include "text/terms.hpp"

using namespace logodds::text;
using namespace logodds::text::testing;

namespace {

/// The bytes that each term was made of.
Terms origins(const TermRules& rules, std::string_view document) {
  Terms result;
  for (const TermPlace& place : TermReader(rules).places(document)) {
    result.emplace_back(document.substr(place.begin, place.end - place.begin));
  }
  return result;
}

Terms terms_with_places(TermReader& reader, std::string_view document) {
  Terms result;
  for (const TermPlace& place : reader.places(document)) { result.push_back(place.term); }
  return result;
}

std::string random_document(std::mt19937& random) {
  static const Terms parts{"a",      "B",      "\u03A3", " ",   "  ",     "\n",
                           "\u0130", "\u4E2D", ".",      "'",   "\u00A0", "_9",
                           "\xFF",   ":2",     "\xE4",   "the", "ab",     "\u00E9"};
  std::string document;
  for (std::size_t i = random() % 60; i > 0; --i) { document += parts[random() % parts.size()]; }
  return document;
}

}  // namespace

TEST_CASE("places are bytes of the document as it was given") {
  CHECK(origins({}, "The \u00C9t\u00C9, O\u03A3.") == Terms{"The", "\u00C9t\u00C9", "O\u03A3"});
  CHECK(origins({.shortest = 2, .longest = 2, .stop_words = {"of"}}, "Men of War, too") ==
        Terms{"Men of War", "War, too"});
  CHECK(origins({.unit = Unit::pairs}, "A:2  b") == Terms{"A:2", "b"});
  CHECK(origins({.unit = Unit::chars, .shortest = 2, .longest = 2}, "a \n\u0130") ==
        Terms{"a \n", " \n\u0130", "\u0130"});
  CHECK(origins({.unit = Unit::chars_in_words, .shortest = 3, .longest = 3}, " ab") ==
        Terms{"ab", "ab"});
}

TEST_CASE("places() finds the terms of read(), whatever the rules") {
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    TermRules rules{.unit = static_cast<Unit>(random() % 4), .keep_case = random() % 3 == 0};
    rules.shortest = 1 + random() % 3;
    rules.longest = rules.shortest + random() % 3;
    if (random() % 2 == 0) { rules.stop_words = {"the", "ab"}; }
    if (random() % 4 == 0) { rules.hash_bits = 1 + static_cast<unsigned>(random() % 31); }
    TermReader reader(rules);
    const std::string document = random_document(random);
    REQUIRE(terms_with_places(reader, document) == terms_of(reader, document));
  }
}
