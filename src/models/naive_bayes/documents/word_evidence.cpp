// What single words say about a document.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "models/naive_bayes/documents/document_scorer.hpp"

namespace logodds::models::naive_bayes {

double DocumentScorer::difference(std::size_t term, std::int32_t first, std::int32_t second) const {
  const double slopes = scores_.slope[static_cast<std::size_t>(first)] -
                        scores_.slope[static_cast<std::size_t>(second)];
  double a = scores_.deltas.value(term, first);
  double b = scores_.deltas.value(term, second);
  if (scores_.excludes) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    a = scores_.deltas.has(term, first) ? (std::isinf(a) ? 0.0 : a) : -kInfinity;
    b = scores_.deltas.has(term, second) ? (std::isinf(b) ? 0.0 : b) : -kInfinity;
    if (a == b) { return scores_.multiplier(term) * slopes; }
  }
  return scores_.multiplier(term) * (slopes + a - b);
}

namespace {

/// What a term's occurrences in a document add, in the order of the first ones.
class Shares {
 public:
  /// `once`: however often the word occurs.
  void add(std::string_view word, double count, double contribution, bool once) {
    const auto [found, is_new] = places_.try_emplace(std::string(word), shares_.size());
    if (is_new) { shares_.push_back({.part = 0, .word = std::string(word)}); }
    shares_[found->second].count += count;
    if (is_new || !once) { shares_[found->second].contribution += contribution; }
  }
  [[nodiscard]] std::vector<WordShare>& all() { return shares_; }

 private:
  std::map<std::string, std::size_t, std::less<>> places_;
  std::vector<WordShare> shares_;
};

}  // namespace

std::vector<WordShare> DocumentScorer::words(std::string_view document, std::int32_t first,
                                             std::int32_t second) const {
  Scratch scratch = this->scratch();
  const TermAmount kind = plan_->amount;
  const bool once = kind == TermAmount::presence;
  const bool normed = kind == TermAmount::l1 || kind == TermAmount::l2;
  const double share = normed ? 1.0 / norm(document, scratch) : 1.0;
  Shares shares;
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::size_t before = kNone;
  std::string previous;
  scratch.reader.read(document, [&](std::string_view term, double amount) {
    if (amount == 0.0) { return; }
    const std::size_t number = number_of(term);
    if (number == kUnknown) {
      before = kNone;
      return;
    }
    double contribution = (once ? 1.0 : amount * share) * difference(number, first, second);
    if (family_ == TextFamily::markov) {
      if (before != kNone) {
        contribution += bigram_difference(before, previous, term, first, second);
      }
      before = number;
      previous.assign(term);
    }
    shares.add(term, amount, contribution, once);
  });
  auto& all = shares.all();
  if (!all.empty() && !scores_.base.empty()) { add_base(first, second, all); }
  return std::move(all);
}

/// The base of a Bernoulli law is that of a document without words: a word that is there takes its
/// own part of it along.
void DocumentScorer::add_base(std::int32_t first, std::int32_t second,
                              std::vector<WordShare>& shares) const {
  double base = scores_.base[static_cast<std::size_t>(first)] -
                scores_.base[static_cast<std::size_t>(second)];
  const bool bernoulli = family_ == TextFamily::bernoulli;
  if (bernoulli) {
    text::PaddedTerm padded;
    for (auto& share : shares) {
      const std::size_t term = number_of(padded.of(share.word));
      const double absent = log_absent(term, first) - log_absent(term, second);
      share.contribution += absent;
      base -= absent;
    }
  }
  shares.push_back({.part = 0,
                    .word = bernoulli ? "(absent words)" : "(no prior)",
                    .count = 0.0,
                    .contribution = base});
}

/// ln(1 - q) of a term, as far as it is part of the base: ln q - ln(1 - q) is slope + delta.
double DocumentScorer::log_absent(std::size_t term, std::int32_t label) const {
  if (scores_.excludes && !scores_.deltas.has(term, label)) { return 0.0; }
  const double delta = scores_.deltas.value(term, label);
  if (std::isinf(delta)) { return 0.0; }
  return -std::log1p(std::exp(scores_.slope[static_cast<std::size_t>(label)] + delta));
}

double DocumentScorer::bigram_difference(std::size_t before, std::string_view previous,
                                         std::string_view word, std::int32_t first,
                                         std::int32_t second) const {
  double sum = scores_.histories.value(before, first) - scores_.histories.value(before, second);
  text::PaddedTerm bigram;
  const auto* const slot = bigram_table_.find(bigram.of(previous, word));
  if (slot != nullptr) {
    sum += scores_.bigrams.value(slot->number(), first) -
           scores_.bigrams.value(slot->number(), second);
  }
  return sum;
}

namespace {

/// Terms may overlap (n-grams): each spreads what it adds evenly over its bytes.
std::vector<TextMark> without_overlap(const std::vector<TextMark>& terms) {
  std::vector<std::size_t> borders;
  for (const auto& term : terms) {
    borders.push_back(term.begin);
    borders.push_back(term.end);
  }
  std::ranges::sort(borders);
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
  std::vector<TextMark> marks;
  for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
    marks.push_back({0, borders[i], borders[i + 1], 0.0});
  }
  std::vector<bool> covered(marks.size(), false);
  for (const auto& term : terms) {
    const auto length = static_cast<double>(term.end - term.begin);
    auto at =
        static_cast<std::size_t>(std::ranges::lower_bound(borders, term.begin) - borders.begin());
    for (; at < marks.size() && marks[at].end <= term.end; ++at) {
      const auto part = static_cast<double>(marks[at].end - marks[at].begin);
      marks[at].contribution += term.contribution * part / length;
      covered[at] = true;
    }
  }
  std::vector<TextMark> kept;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (covered[i]) { kept.push_back(marks[i]); }
  }
  return kept;
}

}  // namespace

std::vector<TextMark> DocumentScorer::marks(std::string_view document, std::int32_t first,
                                            std::int32_t second) const {
  std::map<std::string, const WordShare*, std::less<>> by_word;
  const auto shares = words(document, first, second);
  for (const auto& share : shares) { by_word[share.word] = &share; }
  text::TermReader reader(plan_->rules);
  const auto places = reader.places(document);
  std::map<std::string, double, std::less<>> occurrences;
  for (const auto& place : places) { occurrences[place.term] += 1.0; }
  std::vector<TextMark> terms;
  for (const auto& place : places) {
    const auto found = by_word.find(place.term);
    if (found == by_word.end() || place.end <= place.begin) { continue; }
    const double each = found->second->contribution / occurrences[place.term];
    terms.push_back({0, place.begin, place.end, each});
  }
  return without_overlap(terms);
}

}  // namespace logodds::models::naive_bayes
