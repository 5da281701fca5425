// Counts of terms to the scores of the four laws of documents.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/naive_bayes/documents/text_wish.hpp"
#include "models/naive_bayes/documents/vocabulary.hpp"
#include "models/naive_bayes/documents/word_scores.hpp"

namespace logodds::models::naive_bayes {

/// What a law is estimated from.
struct WordInput {
  const TermCounts& counts;
  const Vocabulary& vocabulary;
  const TextWish& wish;
  double smoothing = 1.0;
  std::size_t classes = 0;
  std::span<const double> unweighed_priors{};  ///< see TextFactor
  std::string column{};
  std::span<const double> class_amounts{};  ///< class_amounts() without multipliers; empty: unknown
};

/// Pairs of words that a Markov law knows: place in the counts, and numbers of the two words in the
/// vocabulary.
struct Bigram {
  std::size_t place = 0;
  std::size_t first = 0;
  std::size_t second = 0;
};
[[nodiscard]] std::vector<Bigram> known_bigrams(const WordInput& input);

/// Throws Error(usage) when the law needs smoothing and there is none.
void check_law(const WordInput& input);
[[nodiscard]] WordScores estimate_words(const WordInput& input, std::span<const Bigram> bigrams);

/// The same in parts, of a law that has the deltas of every term by itself: everything else first,
/// then, when deltas has rows for the terms and one more, and place for delta_count() of each, the
/// rows from `first` to before `last`, whose values begin at `place`; where the last of them ends
/// is set already.
[[nodiscard]] bool has_deltas_apart(TextFamily family);
[[nodiscard]] WordScores estimate_without_deltas(const WordInput& input);
[[nodiscard]] std::size_t delta_count(const WordInput& input, const WordScores& scores,
                                      std::size_t i);
void fill_deltas(const WordInput& input, std::size_t first, std::size_t last, std::size_t place,
                 WordScores& scores);

/// n_k = sum_t m_t c_kt of each class.
[[nodiscard]] std::vector<double> class_amounts(const WordInput& input,
                                                std::span<const double> multipliers);
/// sum w ln p(D | C_k) over the training documents, without the multinomial coefficients.
[[nodiscard]] double word_likelihood(const WordInput& input, const WordScores& scores,
                                     std::span<const Bigram> bigrams);

}  // namespace logodds::models::naive_bayes
