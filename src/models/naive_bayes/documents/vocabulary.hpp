// Which of the counted terms a model scores by.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/naive_bayes/documents/text_wish.hpp"
#include "stats/term_counts.hpp"

namespace logodds::models::naive_bayes {

struct Vocabulary {
  std::vector<std::uint32_t> terms;  ///< places in the counts, ascending; no pairs of words
  double size = 0.0;                 ///< |V|, of which some may not have been met
};

/// Throws Error(usage) when the limits exclude each other.
[[nodiscard]] Vocabulary choose_terms(const TermCounts& counts, const TextWish& wish);

/// Over all classes.
[[nodiscard]] double amount_of(const TermCounts& counts, std::size_t term);

}  // namespace logodds::models::naive_bayes
