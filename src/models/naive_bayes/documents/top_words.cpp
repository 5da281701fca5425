// The words that speak for a class.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/naive_bayes/documents/text_factor.hpp"

namespace logodds::models::naive_bayes {

namespace {

/// The largest log odds first; of equal ones the more frequent, then the first by bytes.
bool speaks_louder(const TopWord& a, const TopWord& b) {
  if (a.log_odds != b.log_odds) { return a.log_odds > b.log_odds; }
  if (a.count != b.count) { return a.count > b.count; }
  return a.word < b.word;
}

}  // namespace

std::vector<std::vector<TopWord>> TextFactor::top_words(std::size_t most) const {
  const bool bernoulli = wish_.family == TextFamily::bernoulli;
  const auto totals = bernoulli ? counts_.documents() : class_amounts(input(), {});
  const double all = std::accumulate(totals.begin(), totals.end(), 0.0);
  const double room = smoothing_ * (bernoulli ? 2.0 : vocabulary_.size);
  std::vector<std::vector<TopWord>> top(labels_.size());
  for (const auto t : vocabulary_.terms) {
    const double everywhere = amount_of(counts_, t);
    for (const auto& entry : counts_.entries(t)) {
      const auto k = static_cast<std::size_t>(entry.label);
      const double elsewhere = std::max(0.0, everywhere - entry.amount);
      const double odds = std::log((entry.amount + smoothing_) / (totals[k] + room)) -
                          std::log((elsewhere + smoothing_) / (all - totals[k] + room));
      auto& best = top[k];
      TopWord word{std::string(counts_.term(t)), entry.amount, elsewhere,
                   std::isnan(odds) ? 0.0 : odds};
      if (best.size() < most) {
        best.push_back(std::move(word));
        std::ranges::push_heap(best, speaks_louder);
      } else if (most > 0 && speaks_louder(word, best.front())) {
        std::ranges::pop_heap(best, speaks_louder);
        best.back() = std::move(word);
        std::ranges::push_heap(best, speaks_louder);
      }
    }
  }
  for (auto& best : top) { std::ranges::sort(best, speaks_louder); }
  return top;
}

}  // namespace logodds::models::naive_bayes
