// A document to its terms, in the order in which they stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/character_grams.hpp"
#include "text/folded_text.hpp"
#include "text/grams.hpp"
#include "text/padding.hpp"
#include "text/term_rules.hpp"
#include "text/term_table.hpp"

namespace logodds::text {

/// A term and the bytes of the document that it was made of.
struct TermPlace {
  std::string term;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Holds working memory, bounded whatever the length of the document; one a thread. `rules` must
/// outlive it.
class TermReader {
 public:
  explicit TermReader(const TermRules& rules);

  /// Calls use(std::string_view term, double amount) for every term, in order; amount is 1 but for
  /// Unit::pairs. The term is valid during the call only, and padded. Any bytes are a document:
  /// invalid UTF-8 is read as U+FFFD, as Python's decode(errors="replace") does, and counted.
  template <class Use>
  void read(std::string_view document, const Use& use);

  /// The same with places, slowly and with memory for all of it: for pictures. Counts nothing.
  [[nodiscard]] std::vector<TermPlace> places(std::string_view document);

  /// Since it was made.
  [[nodiscard]] std::size_t bad_characters() const { return text_.bad_characters(); }
  /// Words, items of Unit::pairs, and n-grams of more than kLongestTerm bytes.
  [[nodiscard]] std::size_t words_too_long() const {
    return text_.runs_too_long() + grams_.too_long() + character_grams_.too_long();
  }

 private:
  /// Where a word or item of the piece begins and ends.
  struct Run {
    std::uint32_t begin;
    std::uint32_t end;
  };
  /// Those of the present piece.
  std::span<const Run> runs(bool singles);
  template <bool Singles, class Use>
  void each_run(std::string_view document, const Use& use);
  template <class Use>
  void each_word(std::string_view document, const Use& use);
  template <class Use>
  void each_character(std::string_view document, const Use& use);
  template <class Use>
  void read_grams(std::string_view document, const Use& use);
  template <class Use>
  void read_characters(std::string_view document, const Use& use);
  template <class Use>
  void read_characters_in_words(std::string_view document, const Use& use);
  template <class Use>
  void read_pairs(std::string_view document, const Use& use);
  /// "#" and the bucket; valid until the next call.
  std::string_view hashed(std::string_view term);
  [[nodiscard]] bool stopped(std::string_view word) const {
    return stop_words_.size() > 0 && stop_words_.find(word) != nullptr;
  }

  const TermRules& rules_;
  FoldedText text_;
  std::unique_ptr<std::uint32_t[]> edges_;  ///< of runs
  std::size_t edges_room_ = 0;
  Grams grams_;
  CharacterGrams character_grams_;
  TermTable stop_words_;
  char hashed_[kPadding + 16] = {};
};

/// A word of Unit::pairs and its amount: what stands behind the last ':' if that is a number.
struct Pair {
  std::string_view name;
  double amount = 1.0;
};
[[nodiscard]] Pair pair_of(std::string_view item);

/// Bucket of a term under `bits`, as scikit-learn's HashingVectorizer(n_features=2**bits) has it:
/// |MurmurHash3_x86_32(term, seed 0), signed| mod 2^bits.
[[nodiscard]] std::uint32_t hash_bucket(std::string_view term, unsigned bits);
/// The hash itself, signed.
[[nodiscard]] std::int32_t murmur_hash(std::string_view term);

}  // namespace logodds::text

#include "text/term_reader-inl.hpp"
