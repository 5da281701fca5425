// Terms with their places: the rules once more, straight, on a document decoded as a whole.
#include <algorithm>

#include "text/term_reader.hpp"
#include "text/unicode.hpp"

namespace logodds::text {
namespace {

/// A character in lower case, and the bytes of the document that it stands for.
struct Letter {
  std::uint32_t code;
  std::size_t begin;
  std::size_t end;
};

using Letters = std::vector<Letter>;
using Places = std::vector<TermPlace>;

void append_lower(Letters& letters, std::string_view document, const Letter& letter) {
  const auto [code, begin, end] = letter;
  if (code == kCapitalSigma) {
    letters.push_back({lower_sigma(document, begin, end), begin, end});
  } else if (kind_of(code).special()) {
    letters.push_back({'i', begin, end});
    letters.push_back({kCombiningDot, begin, end});
  } else {
    letters.push_back({code + static_cast<std::uint32_t>(kind_of(code).to_lower), begin, end});
  }
}

Letters letters_of(std::string_view document, bool lower) {
  Letters letters;
  for (std::size_t at = 0; at < document.size();) {
    const Character character = decode(document.data() + at, document.size() - at);
    const Letter letter{character.code, at, at + character.bytes};
    if (lower) {
      append_lower(letters, document, letter);
    } else {
      letters.push_back(letter);
    }
    at = letter.end;
  }
  return letters;
}

std::string encoded(std::uint32_t code) {
  char bytes[4];
  return {bytes, encode(code, bytes)};
}

/// Maximal runs of the letters for which `inside` holds.
template <class Inside>
Places runs_of(const Letters& letters, std::size_t fewest, const Inside& inside) {
  Places runs;
  for (auto at = letters.begin(); at != letters.end();) {
    const auto begin = std::find_if(at, letters.end(), inside);
    at = std::find_if_not(begin, letters.end(), inside);
    if (at == begin || static_cast<std::size_t>(at - begin) < fewest) { continue; }
    TermPlace run{"", begin->begin, (at - 1)->end};
    for (auto letter = begin; letter != at; ++letter) { run.term += encoded(letter->code); }
    runs.push_back(std::move(run));
  }
  return runs;
}

void leave_out(Places& places, const TermRules& rules) {
  std::erase_if(places, [&](const TermPlace& place) {
    return place.term.size() > kLongestTerm || rules.stop_words.contains(place.term);
  });
}

/// The n-grams of neighbors, by their last one.
Places grams_of(const Places& parts, std::size_t shortest, std::size_t longest,
                std::string_view separator) {
  Places grams;
  for (std::size_t last = 0; last < parts.size(); ++last) {
    TermPlace gram{"", 0, parts[last].end};
    for (std::size_t n = 1; n <= std::min(longest, last + 1); ++n) {
      const TermPlace& first = parts[last + 1 - n];
      gram.term.insert(0, n == 1 ? "" : separator);
      gram.term.insert(0, first.term);
      gram.begin = first.begin;
      if (gram.term.size() > kLongestTerm) { break; }
      if (n >= shortest) { grams.push_back(gram); }
    }
  }
  return grams;
}

bool is_space(const Letter& letter) { return kind_of(letter.code).space(); }

/// Two or more white spaces are one space.
Places squeezed(const Letters& letters) {
  Places parts;
  for (auto at = letters.begin(); at != letters.end();) {
    const auto end = is_space(*at) ? std::find_if_not(at, letters.end(), is_space) : at + 1;
    parts.push_back({end - at == 1 ? encoded(at->code) : " ", at->begin, (end - 1)->end});
    at = end;
  }
  return parts;
}

Places grams_in_words(const Letters& letters, const TermRules& rules) {
  Places grams;
  for (auto at = letters.begin(); at != letters.end();) {
    const auto begin = std::find_if_not(at, letters.end(), is_space);
    at = std::find_if(begin, letters.end(), is_space);
    if (at == begin) { continue; }
    Places parts{{" ", begin->begin, begin->begin}};
    for (auto letter = begin; letter != at; ++letter) {
      parts.push_back({encoded(letter->code), letter->begin, letter->end});
    }
    parts.push_back({" ", (at - 1)->end, (at - 1)->end});
    const std::size_t shortest = std::min(rules.shortest, parts.size());
    const Places found = grams_of(parts, shortest, rules.longest, "");
    grams.insert(grams.end(), found.begin(), found.end());
  }
  return grams;
}

Places names_of(const Letters& letters) {
  Places items = runs_of(letters, 1, [](const Letter& letter) { return !is_space(letter); });
  std::erase_if(items, [](const TermPlace& item) { return item.term.size() > kLongestTerm; });
  for (TermPlace& item : items) { item.term.resize(pair_of(item.term).name.size()); }
  return items;
}

Places terms_of(std::string_view document, const TermRules& rules) {
  const Letters letters = letters_of(document, !rules.keep_case && rules.unit != Unit::pairs);
  switch (rules.unit) {
    case Unit::chars:
      return grams_of(squeezed(letters), rules.shortest, rules.longest, "");
    case Unit::chars_in_words:
      return grams_in_words(letters, rules);
    default:
      break;
  }
  Places places = rules.unit == Unit::pairs
                      ? names_of(letters)
                      : runs_of(letters, 2, [](const Letter& l) { return kind_of(l.code).word(); });
  leave_out(places, rules);
  if (rules.unit == Unit::pairs || rules.longest == 1) { return places; }
  return grams_of(places, rules.shortest, rules.longest, " ");
}

}  // namespace

std::vector<TermPlace> TermReader::places(std::string_view document) {
  Places places = terms_of(document, rules_);
  if (rules_.hash_bits > 0) {
    for (TermPlace& place : places) { place.term = hashed(place.term); }
  }
  return places;
}

}  // namespace logodds::text
