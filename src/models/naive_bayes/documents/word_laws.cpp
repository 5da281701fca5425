#include "models/naive_bayes/documents/word_laws.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "logodds/error.hpp"

namespace logodds::models::naive_bayes {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::size_t index(std::int32_t label) { return static_cast<std::size_t>(label); }

/// ln((amount + least) / least)
double log_above(double amount, double least) {
  const double ratio = amount / least;
  return std::isfinite(ratio) ? std::log1p(ratio) : std::log(amount) - std::log(least);
}

/// log_above() of counts, of which most are small whole numbers.
class LogsAbove {
 public:
  explicit LogsAbove(double least) : least_(least) {
    for (std::size_t n = 0; n < small_.size(); ++n) {
      small_[n] = log_above(static_cast<double>(n), least);
    }
  }
  [[nodiscard]] double operator()(double amount) const {
    const auto n = amount < static_cast<double>(small_.size()) ? static_cast<std::size_t>(amount)
                                                               : small_.size();
    return n < small_.size() && static_cast<double>(n) == amount ? small_[n]
                                                                 : log_above(amount, least_);
  }

 private:
  double least_;
  std::array<double, 64> small_{};
};

/// idf_t = ln((1 + N) / (1 + df_t)) + 1
std::vector<double> inverse_frequencies(const WordInput& input) {
  std::vector<double> weights;
  const double all = 1.0 + input.counts.all_documents();
  for (const auto t : input.vocabulary.terms) {
    weights.push_back(std::log(all / (1.0 + input.counts.documents_with(t))) + 1.0);
  }
  weights.push_back(std::log(all) + 1.0);  // of a term that no document has
  return weights;
}

/// n_k, computed unless it is known.
std::vector<double> amounts_of(const WordInput& input, std::span<const double> multipliers) {
  if (!multipliers.empty() || input.class_amounts.empty()) {
    return class_amounts(input, multipliers);
  }
  return {input.class_amounts.begin(), input.class_amounts.end()};
}

/// p(t | C_k) = (c_kt + alpha) / (n_k + alpha |V|)
void start_multinomial(const WordInput& input, WordScores& scores) {
  const double alpha = input.smoothing;
  scores.excludes = alpha == 0.0;
  for (const double amount : amounts_of(input, scores.multipliers)) {
    const double total = amount + alpha * input.vocabulary.size;
    scores.slope.push_back((alpha > 0.0 ? std::log(alpha) : 0.0) -
                           (total > 0.0 ? std::log(total) : 0.0));
  }
}

void fill_multinomial(const WordInput& input, std::size_t first, std::size_t last,
                      std::size_t place, WordScores& scores) {
  const double alpha = input.smoothing;
  const LogsAbove logs(alpha > 0.0 ? alpha : 1.0);
  for (std::size_t i = first; i < last; ++i) {
    for (const auto& entry : input.counts.entries(input.vocabulary.terms[i])) {
      const double amount = entry.amount * scores.multiplier(i);
      if (!(amount > 0.0)) { continue; }
      scores.deltas.set(place++, entry.label, alpha > 0.0 ? logs(amount) : std::log(amount));
    }
    if (i + 1 < last) { scores.deltas.set_row_end(i, place); }
  }
}

/// q_tk = (n_kt + alpha) / (N_k + 2 alpha): a document without words has the base score
/// sum_t ln(1 - q_tk), a word that is there adds ln q_tk - ln(1 - q_tk).
void estimate_bernoulli(const WordInput& input, WordScores& scores) {
  const double alpha = input.smoothing;
  const auto& documents = input.counts.documents();
  scores.excludes = alpha == 0.0;
  if (scores.excludes) { scores.required.assign(input.classes, 0.0); }
  for (const double n : documents) {
    scores.slope.push_back(alpha > 0.0 ? std::log(alpha / (n + alpha)) : 0.0);
    scores.base.push_back(
        alpha > 0.0 ? input.vocabulary.size * std::log((n + alpha) / (n + 2.0 * alpha)) : 0.0);
  }
  for (const auto t : input.vocabulary.terms) {
    for (const auto& entry : input.counts.entries(t)) {
      const std::size_t k = index(entry.label);
      const double with = entry.amount;
      const double without = std::max(0.0, documents[k] - with);
      if (alpha > 0.0) {
        scores.base[k] += std::log((without + alpha) / (documents[k] + alpha));
        scores.deltas.put(entry.label,
                          std::log((with + alpha) / (without + alpha)) - scores.slope[k]);
      } else if (without > 0.0) {
        scores.base[k] += std::log(without / documents[k]);
        scores.deltas.put(entry.label, std::log(with / without));
      } else {
        scores.required[k] += 1.0;
        scores.deltas.put(entry.label, kInfinity);
      }
    }
    scores.deltas.end_row();
  }
}

/// The words of all other classes speak against them: score = -sum_t x_t ln p(t | not C_k). The
/// same ln(C_t + alpha) in every class is left out.
void start_complement(const WordInput& input, WordScores& scores) {
  const auto amounts = amounts_of(input, scores.multipliers);
  const double all = std::accumulate(amounts.begin(), amounts.end(), 0.0);
  for (const double own : amounts) {
    scores.slope.push_back(
        std::log(std::max(0.0, all - own) + input.smoothing * input.vocabulary.size));
  }
}

void fill_complement(const WordInput& input, std::size_t first, std::size_t last, std::size_t place,
                     WordScores& scores) {
  const double alpha = input.smoothing;
  for (std::size_t i = first; i < last; ++i) {
    const std::size_t t = input.vocabulary.terms[i];
    const double total = amount_of(input.counts, t) * scores.multiplier(i);
    for (const auto& entry : input.counts.entries(t)) {
      const double others = std::max(0.0, total - entry.amount * scores.multiplier(i));
      scores.deltas.set(place++, entry.label, std::log((total + alpha) / (others + alpha)));
    }
    if (i + 1 < last) { scores.deltas.set_row_end(i, place); }
  }
}

/// All rows, and the empty one behind them.
void fill_all_deltas(const WordInput& input, WordScores& scores) {
  const std::size_t terms = input.vocabulary.terms.size();
  std::size_t values = 0;
  for (std::size_t i = 0; i < terms; ++i) { values += delta_count(input, scores, i); }
  scores.deltas.resize(terms + 1, values);
  if (terms > 0) { scores.deltas.set_row_end(terms - 1, values); }
  scores.deltas.set_row_end(terms, values);
  fill_deltas(input, 0, terms, 0, scores);
}

/// Words are weighed without the priors, which the product adds.
void add_priors(const WordInput& input, WordScores& scores) {
  for (const double log_prior : input.unweighed_priors) { scores.base.push_back(-log_prior); }
}

/// ln p_k(w) of a word of the multinomial part.
double log_share(const WordScores& scores, std::size_t word, std::int32_t label) {
  return scores.slope[index(label)] + scores.deltas.value(word, label);
}

/// p_k(w | v) = (c_k(vw) + beta p_k(w)) / (c_k(v.) + beta), as p_k(w) times what the bigram adds.
void estimate_markov(const WordInput& input, std::span<const Bigram> bigrams, WordScores& scores) {
  const double beta = input.wish.backoff;
  fill_all_deltas(input, scores);
  std::vector<std::vector<std::pair<std::int32_t, double>>> followed(input.vocabulary.terms.size());
  for (const auto& bigram : bigrams) {
    for (const auto& entry : input.counts.entries(bigram.place)) {
      const double share = beta * std::exp(log_share(scores, bigram.second, entry.label));
      scores.bigrams.put(entry.label, log_above(entry.amount, share));
      auto& of_first = followed[bigram.first];
      const auto found =
          std::ranges::find(of_first, entry.label, &std::pair<std::int32_t, double>::first);
      if (found == of_first.end()) {
        of_first.emplace_back(entry.label, entry.amount);
      } else {
        found->second += entry.amount;
      }
    }
    scores.bigrams.end_row();
  }
  for (auto& of_word : followed) {
    std::ranges::sort(of_word);
    for (const auto& [label, amount] : of_word) {
      scores.histories.put(label, -log_above(amount, beta));
    }
    scores.histories.end_row();
  }
}

/// n_k of counts that are whole numbers, whose sums are the same in any order: four at a time,
/// because a sum has to wait for the one before in the same place. Empty where some are none.
std::vector<double> whole_amounts(std::span<const TermCounts::Entry> entries, std::size_t classes) {
  constexpr std::size_t kTogether = 4;
  constexpr double kMost = 9007199254740992.0;  // 2^53
  constexpr double kMostOfOne = 2147483648.0;
  std::vector<double> sums(kTogether * classes, 0.0);
  bool whole = true;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const double amount = entries[i].amount;
    whole = whole && amount < kMostOfOne &&
            amount == static_cast<double>(static_cast<std::int32_t>(amount));
    sums[i % kTogether * classes + index(entries[i].label)] += amount;
  }
  if (!whole) { return {}; }
  std::vector<double> amounts(classes, 0.0);
  for (std::size_t k = 0; k < classes; ++k) {
    for (std::size_t j = 0; j < kTogether; ++j) { amounts[k] += sums[j * classes + k]; }
    if (amounts[k] >= kMost) { return {}; }
  }
  return amounts;
}

}  // namespace

std::vector<double> class_amounts(const WordInput& input, std::span<const double> multipliers) {
  if (multipliers.empty() && input.vocabulary.terms.size() == input.counts.size()) {
    auto whole = whole_amounts(input.counts.all_entries(), input.classes);
    if (!whole.empty()) { return whole; }
  }
  std::vector<double> amounts(input.classes, 0.0);
  for (std::size_t i = 0; i < input.vocabulary.terms.size(); ++i) {
    const double multiplier = multipliers.empty() ? 1.0 : multipliers[i];
    for (const auto& entry : input.counts.entries(input.vocabulary.terms[i])) {
      amounts[index(entry.label)] += multiplier * entry.amount;
    }
  }
  return amounts;
}

std::vector<Bigram> known_bigrams(const WordInput& input) {
  std::vector<Bigram> bigrams;
  if (!input.counts.plan().bigrams) { return bigrams; }
  const auto& terms = input.vocabulary.terms;
  const auto number = [&](std::string_view word) {
    const auto found = std::ranges::lower_bound(
        terms, word, {}, [&](std::size_t t) { return input.counts.term(t); });
    const bool there = found != terms.end() && input.counts.term(*found) == word;
    return there ? static_cast<std::size_t>(found - terms.begin()) : terms.size();
  };
  for (std::size_t t = 0; t < input.counts.size(); ++t) {
    const auto term = input.counts.term(t);
    const std::size_t space = term.find(' ');
    if (space == std::string_view::npos) { continue; }
    const std::size_t first = number(term.substr(0, space));
    const std::size_t second = number(term.substr(space + 1));
    if (first < terms.size() && second < terms.size()) { bigrams.push_back({t, first, second}); }
  }
  return bigrams;
}

void check_law(const WordInput& input) {
  for (const double amount : amounts_of(input, {})) {
    if (std::isfinite(amount)) { continue; }
    throw Error(ErrorCode::numeric, "column '" + input.column +
                                        "': the counts of terms, times the weights of the rows, "
                                        "overflow; give smaller weights or counts");
  }
  if (!std::isfinite(input.smoothing * input.vocabulary.size)) {
    throw Error(ErrorCode::usage, "column '" + input.column + "': smoothing " +
                                      format_number(input.smoothing) + " times " +
                                      format_number(input.vocabulary.size) +
                                      " terms overflows; give less");
  }
  if (input.smoothing > 0.0) { return; }
  const std::string place = "column '" + input.column + "': --family ";
  if (input.wish.family == TextFamily::complement) {
    throw Error(ErrorCode::usage, place +
                                      "complement needs smoothing above 0, because a word that "
                                      "only one class has would decide alone");
  }
  if (input.wish.family == TextFamily::markov) {
    throw Error(ErrorCode::usage, place +
                                      "markov backs off to words alone, which needs smoothing "
                                      "above 0");
  }
}

bool has_deltas_apart(TextFamily family) {
  return family == TextFamily::multinomial || family == TextFamily::complement;
}

std::size_t delta_count(const WordInput& input, const WordScores& scores, std::size_t i) {
  const auto entries = input.counts.entries(input.vocabulary.terms[i]);
  if (input.wish.family == TextFamily::complement) { return entries.size(); }
  std::size_t count = 0;
  for (const auto& entry : entries) {
    count += entry.amount * scores.multiplier(i) > 0.0 ? 1U : 0U;
  }
  return count;
}

void fill_deltas(const WordInput& input, std::size_t first, std::size_t last, std::size_t place,
                 WordScores& scores) {
  (input.wish.family == TextFamily::complement ? fill_complement : fill_multinomial)(
      input, first, last, place, scores);
}

WordScores estimate_without_deltas(const WordInput& input) {
  WordScores scores;
  if (input.wish.tf_idf) { scores.multipliers = inverse_frequencies(input); }
  switch (input.wish.family) {
    case TextFamily::multinomial:
    case TextFamily::markov:
      start_multinomial(input, scores);
      break;
    case TextFamily::complement:
      start_complement(input, scores);
      break;
    case TextFamily::bernoulli:
      break;
  }
  if (has_deltas_apart(input.wish.family)) { add_priors(input, scores); }
  return scores;
}

WordScores estimate_words(const WordInput& input, std::span<const Bigram> bigrams) {
  WordScores scores = estimate_without_deltas(input);
  if (has_deltas_apart(input.wish.family)) {
    fill_all_deltas(input, scores);
    return scores;
  }
  if (input.wish.family == TextFamily::bernoulli) {
    estimate_bernoulli(input, scores);
    scores.deltas.end_row();
  } else {
    estimate_markov(input, bigrams, scores);
  }
  scores.histories.end_row();
  add_priors(input, scores);
  return scores;
}

double word_likelihood(const WordInput& input, const WordScores& scores,
                       std::span<const Bigram> bigrams) {
  double sum = 0.0;
  for (std::size_t k = 0; k < scores.base.size(); ++k) {
    sum += input.counts.documents()[k] * scores.base[k];
  }
  for (std::size_t i = 0; i < input.vocabulary.terms.size(); ++i) {
    const auto values = scores.deltas.values(i);
    std::size_t at = 0;
    for (const auto& entry : input.counts.entries(input.vocabulary.terms[i])) {
      if (!(entry.amount > 0.0)) { continue; }
      const double delta = values[at++];
      if (std::isinf(delta)) { continue; }  // certain
      sum += entry.amount * scores.multiplier(i) * (scores.slope[index(entry.label)] + delta);
    }
  }
  for (std::size_t i = 0; i < bigrams.size(); ++i) {
    const auto values = scores.bigrams.values(i);
    std::size_t at = 0;
    for (const auto& entry : input.counts.entries(bigrams[i].place)) {
      sum += entry.amount * (values[at++] + scores.histories.value(bigrams[i].first, entry.label));
    }
  }
  return sum;
}

}  // namespace logodds::models::naive_bayes
