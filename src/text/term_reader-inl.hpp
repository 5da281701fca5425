// The loops of TermReader that end in the caller's code.
#pragma once

#include <cstring>

#include "text/term_reader.hpp"
#include "text/unicode.hpp"

namespace logodds::text {

namespace detail {

/// One space, as long as the longest character.
inline constexpr char kSpace[5] = "    ";

}  // namespace detail

/// Words or items of the document, as text_ marks them.
template <bool Singles, class Use>
void TermReader::each_run(std::string_view document, const Use& use) {
  text_.start(document);
  while (text_.next_piece()) {
    const char* const bytes = text_.bytes();
    for (const auto& [begin, end] : runs(Singles)) { use({bytes + begin, end - begin}); }
  }
}

template <class Use>
void TermReader::each_word(std::string_view document, const Use& use) {
  each_run<false>(document, [&](std::string_view word) {
    const bool ascii = static_cast<signed char>(word[0]) >= 0;
    if (!ascii && word.size() == character_bytes(word[0])) { return; }
    if (!stopped(word)) { use(word); }
  });
}

/// use(bytes, how many, is it white space)
template <class Use>
void TermReader::each_character(std::string_view document, const Use& use) {
  text_.start(document);
  while (text_.next_piece()) {
    const char* at = text_.bytes();
    for (const char* const end = at + text_.size(); at != end;) {
      if (static_cast<signed char>(*at) > ' ') {  // most characters
        use(at++, 1, false);
      } else {
        const Character character = decode(at, static_cast<std::size_t>(end - at));
        use(at, character.bytes, kind_of(character.code).space());
        at += character.bytes;
      }
    }
  }
}

template <class Use>
void TermReader::read_grams(std::string_view document, const Use& use) {
  grams_.clear();
  each_word(document, [&](std::string_view word) { grams_.add(word, use); });
}

template <class Use>
void TermReader::read_characters(std::string_view document, const Use& use) {
  character_grams_.clear();
  std::size_t spaces = 0;  // the last characters that are, none of them counted yet
  char space[4] = {};      // what they become
  std::size_t space_bytes = 0;
  const auto add_spaces = [&] {
    if (spaces > 0) { character_grams_.add(space, space_bytes, use); }
    spaces = 0;
  };
  each_character(document, [&](const char* bytes, std::size_t size, bool is_space) {
    if (!is_space) {
      add_spaces();
      character_grams_.add(bytes, size, use);
      return;
    }
    const bool single = ++spaces == 1;
    std::memcpy(space, single ? bytes : detail::kSpace, sizeof(space));
    space_bytes = single ? size : 1;
  });
  add_spaces();
  character_grams_.flush(use);
}

template <class Use>
void TermReader::read_characters_in_words(std::string_view document, const Use& use) {
  character_grams_.clear();
  bool within = false;
  const auto finish = [&] {
    character_grams_.add(detail::kSpace, 1, use);
    character_grams_.finish_word(use);
    within = false;
  };
  each_character(document, [&](const char* bytes, std::size_t size, bool is_space) {
    if (is_space) {
      if (within) { finish(); }
      return;
    }
    if (!within) { character_grams_.add(detail::kSpace, 1, use); }
    within = true;
    character_grams_.add(bytes, size, use);
  });
  if (within) { finish(); }
}

template <class Use>
void TermReader::read_pairs(std::string_view document, const Use& use) {
  each_run<true>(document, [&](std::string_view item) {
    const Pair pair = pair_of(item);
    if (!stopped(pair.name)) { use(pair.name, pair.amount); }
  });
}

template <class Use>
void TermReader::read(std::string_view document, const Use& use) {
  const auto emit = [&](std::string_view term, double amount = 1.0) {
    use(rules_.hash_bits > 0 ? hashed(term) : term, amount);
  };
  switch (rules_.unit) {
    case Unit::words:
      if (rules_.longest > 1) { return read_grams(document, emit); }
      return each_word(document, emit);
    case Unit::chars:
      return read_characters(document, emit);
    case Unit::chars_in_words:
      return read_characters_in_words(document, emit);
    case Unit::pairs:
      return read_pairs(document, emit);
  }
}

}  // namespace logodds::text
