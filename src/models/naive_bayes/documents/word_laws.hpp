// Counts of terms to the scores of the four laws of documents (SPEC 3.4).
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

/// n_k = sum_t m_t c_kt of each class.
[[nodiscard]] std::vector<double> class_amounts(const WordInput& input,
                                                std::span<const double> multipliers);
/// sum w ln p(D | C_k) over the training documents, without the multinomial coefficients.
[[nodiscard]] double word_likelihood(const WordInput& input, const WordScores& scores,
                                     std::span<const Bigram> bigrams);

}  // namespace logodds::models::naive_bayes
