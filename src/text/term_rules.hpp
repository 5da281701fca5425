// What counts as a term of a document: words, n-grams, characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

namespace logodds::text {

/// What a document is cut into.
enum class Unit : std::uint8_t {
  words,  ///< maximal runs of two or more word characters, as `\b\w\w+\b` of Python's re
  chars,  ///< all runs of n characters; runs of two or more white spaces count as one space
  chars_in_words,  ///< the same within words only, each word between two spaces
  pairs,           ///< NAME:AMOUNT between white spaces: terms that were counted elsewhere
};

struct TermRules {
  Unit unit = Unit::words;
  std::size_t shortest = 1;  ///< words or characters of a term
  std::size_t longest = 1;
  bool keep_case = false;
  /// Words to leave out, before n-grams are made of the others; compared as terms are (lower-cased
  /// unless keep_case), so give them as they occur.
  std::unordered_set<std::string> stop_words{};
  /// Above 0: a term is its bucket of 2^hash_bits, "#" and hexadecimal digits; see hash_bucket().
  unsigned hash_bits = 0;

  friend bool operator==(const TermRules&, const TermRules&) = default;
};

}  // namespace logodds::text
