// Any bytes are a document: the terms keep their promises, and both ways of finding them agree. The
// first two bytes choose the rules.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "text/term_reader.hpp"
#include "text/unicode.hpp"

using namespace logodds::text;

namespace {

void require(bool condition) {
  if (!condition) { std::abort(); }
}

TermRules rules_from(std::uint8_t first, std::uint8_t second) {
  TermRules rules{.unit = static_cast<Unit>(first & 3U), .keep_case = (first & 4U) != 0};
  rules.shortest = 1 + (first >> 3U & 3U);
  rules.longest = rules.shortest + (second >= 240 ? 0 : first >> 5U & 3U);
  if ((first & 128U) != 0) { rules.stop_words = {"the", "of", "\u03C3\u03B1\u03C2"}; }
  if ((second & 1U) != 0) { rules.hash_bits = second >> 1U & 31U; }
  return rules;
}

/// A long one now and then, which is read in pieces; they meet the text at every place.
std::string document_from(std::string_view bytes, std::uint8_t second) {
  std::string document;
  const std::size_t repeats = second >= 240 ? 1 + 17'000 / (bytes.size() + 1) : 1;
  for (std::size_t i = 0; i < repeats; ++i) { document += bytes; }
  return document;
}

std::size_t characters_of(std::string_view term) {
  std::size_t characters = 0;
  for (std::size_t at = 0; at < term.size(); ++characters) {
    const Character character = decode(term.data() + at, term.size() - at);
    require(character.valid);
    at += character.bytes;
  }
  return characters;
}

void check_term(const TermRules& rules, std::string_view term) {
  require(!term.empty() && term.size() <= kLongestTerm);
  const std::size_t characters = characters_of(term);
  if (rules.hash_bits > 0) {
    require(term[0] == '#' && characters == 1 + (rules.hash_bits + 3) / 4);
  } else if (rules.unit == Unit::words) {
    require(characters >= (rules.longest == 1 ? 2 : 3 * rules.shortest - 1));
  } else if (rules.unit == Unit::chars) {
    require(characters >= rules.shortest && characters <= rules.longest);
  }
}

std::vector<std::string> terms_of(TermReader& reader, std::string_view document) {
  std::vector<std::string> terms;
  std::size_t behind = 0;  // an address sanitizer sees whether the padding is there
  reader.read(document, [&](std::string_view term, double) {
    for (std::size_t i = 0; i < kPadding; ++i) {
      behind += static_cast<unsigned char>(term.data()[term.size() + i]);
    }
    terms.emplace_back(term);
  });
  require(behind <= terms.size() * kPadding * 255);
  return terms;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) { return 0; }
  const TermRules rules = rules_from(data[0], data[1]);
  const std::string document =
      document_from({reinterpret_cast<const char*>(data) + 2, size - 2}, data[1]);
  TermReader reader(rules);
  const std::vector<std::string> terms = terms_of(reader, document);
  for (const std::string& term : terms) { check_term(rules, term); }
  require(terms_of(reader, document) == terms);
  const std::vector<TermPlace> places = reader.places(document);
  require(places.size() == terms.size());
  for (std::size_t i = 0; i < terms.size(); ++i) {
    require(places[i].term == terms[i]);
    require(places[i].begin <= places[i].end && places[i].end <= document.size());
  }
  return 0;
}
