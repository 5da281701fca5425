// The loops of TermReader that end in the caller's code.
#pragma once

#include <bit>

#include "text/term_reader.hpp"
#include "text/unicode.hpp"

namespace logodds::text {

namespace detail {

/// One space, padded.
inline constexpr char kSpace[kPadding + 1] = " ";

/// Words of one byte are no words: bits without a neighbor. `before` and `after`: the bits next to
/// the 64, each at its place.
inline std::uint64_t without_single(std::uint64_t bits, std::uint64_t before, std::uint64_t after) {
  return bits & (bits << 1U | before | bits >> 1U | after);
}

/// Calls use(begin, end) for every run of two or more of the bits below `size`.
template <class Use>
void each_run(const std::uint64_t* bits, std::size_t size, const Use& use) {
  std::uint64_t before = 0;  // the last bit of the group before
  std::uint64_t open = 0;    // the same without single bits: a run goes on
  std::size_t begin = 0;     // of the run that goes on
  for (std::size_t at = 0; at <= size; at += 64) {
    const std::uint64_t raw = bits[at / 64];
    const std::uint64_t all = size - at < 64 ? raw & ((std::uint64_t{1} << (size - at)) - 1) : raw;
    const std::uint64_t group = without_single(all, before, bits[at / 64 + 1] << 63U);
    std::uint64_t edges = group ^ (group << 1U | open);
    before = all >> 63U;
    const auto next = [&edges, at] {
      const auto place = static_cast<std::size_t>(std::countr_zero(edges));
      edges &= edges - 1;
      return at + place;
    };
    if (open != 0 && edges != 0) { use(begin, next()); }
    open = group >> 63U;
    while (edges != 0) {
      begin = next();
      if (edges == 0) { break; }
      use(begin, next());
    }
  }
}

}  // namespace detail

template <class Use>
void TermReader::each_word(std::string_view document, const Use& use) {
  text_.start(document);
  while (text_.next_piece()) {
    const char* const bytes = text_.bytes();
    detail::each_run(text_.words(), text_.whole(), [&](std::size_t begin, std::size_t end) {
      const std::string_view word(bytes + begin, end - begin);
      if (static_cast<signed char>(word[0]) < 0 && word.size() == character_bytes(word[0])) {
        return;
      }
      if (!stopped(word)) { use(word); }
    });
  }
}

/// use(std::string_view padded, bool space)
template <class Use>
void TermReader::each_character(std::string_view document, const Use& use) {
  text_.start(document);
  while (text_.next_piece()) {
    const char* at = text_.bytes();
    for (const char* const end = at + text_.size(); at != end;) {
      const Character character = decode(at, static_cast<std::size_t>(end - at));
      use(std::string_view(at, character.bytes), kind_of(character.code).space());
      at += character.bytes;
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
  grams_.clear();
  std::size_t spaces = 0;  // the last characters that are, none of them in grams_ yet
  char only[kPadding + 4] = {};
  std::size_t only_bytes = 0;
  const auto add_spaces = [&] {
    if (spaces == 1) { grams_.add({only, only_bytes}, use); }
    if (spaces > 1) { grams_.add({detail::kSpace, 1}, use); }
    spaces = 0;
  };
  each_character(document, [&](std::string_view character, bool space) {
    if (!space) {
      add_spaces();
      grams_.add(character, use);
    } else if (++spaces == 1) {
      only_bytes = character.copy(only, 4);
    }
  });
  add_spaces();
}

/// A word with its two spaces that is shorter than the shortest n-gram counts once, as it is.
template <class Use>
void TermReader::read_characters_in_words(std::string_view document, const Use& use) {
  bool within = false;
  const auto finish = [&] {
    grams_.add({detail::kSpace, 1}, use);
    if (grams_.parts() < grams_.shortest()) { use(grams_.all()); }
    within = false;
  };
  each_character(document, [&](std::string_view character, bool space) {
    if (space) {
      if (within) { finish(); }
      return;
    }
    if (!within) {
      grams_.clear();
      grams_.add({detail::kSpace, 1}, use);
      within = true;
    }
    grams_.add(character, use);
  });
  if (within) { finish(); }
}

template <class Use>
void TermReader::read_pairs(std::string_view document, const Use& use) {
  item_.clear();
  const auto finish = [&] {
    const Pair pair = pair_of(item_);
    if (pair.name.size() > kLongestTerm) {
      ++items_too_long_;
    } else if (!item_.empty()) {
      const double amount = pair.amount;
      const std::size_t size = pair.name.size();
      item_.append(kPadding, '\0');
      const std::string_view name(item_.data(), size);
      if (!stopped(name)) { use(name, amount); }
    }
    item_.clear();
  };
  each_character(document, [&](std::string_view character, bool space) {
    if (space) {
      finish();
    } else if (item_.size() <= 2 * kLongestTerm) {
      item_ += character;
    }
  });
  finish();
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
