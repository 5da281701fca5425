#include "models/naive_bayes/documents/vocabulary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "logodds/error.hpp"

namespace logodds::models::naive_bayes {

double amount_of(const TermCounts& counts, std::size_t term) {
  double amount = 0.0;
  for (const auto& entry : counts.entries(term)) { amount += entry.amount; }
  return amount;
}

namespace {

/// The most frequent; of equally frequent ones the first.
void keep_most_frequent(const TermCounts& counts, std::size_t most,
                        std::vector<std::uint32_t>& terms) {
  if (most == 0 || terms.size() <= most) { return; }
  std::vector<std::pair<double, std::uint32_t>> ranked;
  for (const auto t : terms) { ranked.emplace_back(-amount_of(counts, t), t); }
  std::ranges::nth_element(ranked, ranked.begin() + static_cast<std::ptrdiff_t>(most));
  terms.clear();
  for (std::size_t i = 0; i < most; ++i) { terms.push_back(ranked[i].second); }
  std::ranges::sort(terms);
}

}  // namespace

Vocabulary choose_terms(const TermCounts& counts, const TextWish& wish) {
  // One document is the least that has a term, whatever its weight.
  const bool any = !wish.min_documents.share && wish.min_documents.value <= 1.0;
  const double least = any ? 0.0 : wish.min_documents.documents(counts.all_documents());
  const bool all = wish.max_documents.share && wish.max_documents.value >= 1.0;
  const double most = all ? std::numeric_limits<double>::infinity()
                          : wish.max_documents.documents(counts.all_documents());
  if (most < least) {
    throw Error(ErrorCode::usage, "--max-df leaves terms of at most " + format_number(most) +
                                      " documents and --min-df those of at least " +
                                      format_number(least) + ", so none; give other limits");
  }
  const TermPlan& plan = counts.plan();
  const bool given = !plan.vocabulary.empty();
  Vocabulary vocabulary;
  vocabulary.terms.reserve(counts.size());
  for (std::size_t t = 0; t < counts.size(); ++t) {
    if (plan.bigrams && counts.term(t).find(' ') != std::string_view::npos) { continue; }
    const double documents = counts.documents_with(t);
    constexpr double kRounding = 1e-9;  // of sums of weights, which come in any order
    const bool fits =
        documents >= least * (1.0 - kRounding) && documents <= most * (1.0 + kRounding);
    if (given || fits) { vocabulary.terms.push_back(static_cast<std::uint32_t>(t)); }
  }
  keep_most_frequent(counts, wish.max_vocabulary, vocabulary.terms);
  vocabulary.size = static_cast<double>(vocabulary.terms.size());
  if (given) { vocabulary.size = static_cast<double>(plan.vocabulary.size()); }
  if (plan.rules.hash_bits > 0) {
    vocabulary.size = std::ldexp(1.0, static_cast<int>(plan.rules.hash_bits));
  }
  return vocabulary;
}

}  // namespace logodds::models::naive_bayes
