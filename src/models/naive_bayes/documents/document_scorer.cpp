#include "models/naive_bayes/documents/document_scorer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/kernels.hpp"
#include "text/read_ahead.hpp"

namespace logodds::models::naive_bayes {

namespace {
/// Bytes from which on words are counted before they are added: millions of them one by one would
/// cost digits.
constexpr std::size_t kLongDocument = std::size_t{1} << 16U;
}  // namespace

void DocumentScorer::score(std::string_view document, Scratch& scratch) const {
  std::ranges::fill(scratch.scores, 0.0);
  if (scores_.excludes) { std::ranges::fill(scratch.impossible, 0.0); }
  scratch.known = 0;
  scratch.total = 0.0;
  scratch.least = 0.0;
  ++scratch.tally.documents;
  if (family_ == TextFamily::markov) {
    add_chain(document, scratch);
  } else if (plan_->amount == TermAmount::counts && !scores_.excludes &&
             document.size() <= kLongDocument) {
    add_terms(document, scratch);
  } else {
    add_distinct_terms(document, scratch);
  }
  if (scratch.known == 0) {
    ++scratch.tally.without_words;
    return;
  }
  for (std::size_t k = 0; k < classes_; ++k) {
    scratch.scores[k] +=
        scores_.slope[k] * scratch.total + (scores_.base.empty() ? 0.0 : scores_.base[k]);
  }
  if (scores_.excludes) { exclude_impossible(scratch); }
}

void DocumentScorer::add_rows(bool weighted, Scratch& scratch) const {
  constexpr std::size_t kAhead = 8;
  const auto& sparse = scratch.sparse;
  for (std::size_t i = 0; i < sparse.size(); ++i) {
    if (i + 2 * kAhead < sparse.size()) { scores_.deltas.prefetch_start(sparse[i + 2 * kAhead]); }
    if (i + kAhead < sparse.size()) { scores_.deltas.prefetch(sparse[i + kAhead]); }
    scores_.deltas.add(sparse[i], weighted ? scratch.sparse_factors[i] : 1.0,
                       scratch.scores.data());
  }
  kernels::add_rows(dense_.data(), dense_stride_, scratch.rows.data(),
                    weighted ? scratch.factors.data() : nullptr, scratch.rows.size(),
                    scratch.scores.data());
}

/// Collects the rows of terms that count 1 each; how many are unknown. Which terms have a row, or
/// are known, cannot be foreseen, so there is no branch: the next place is set in any case.
std::size_t DocumentScorer::add_keys(std::span<const text::TermTable::Key> keys,
                                     Scratch& scratch) const {
  std::size_t rows = scratch.rows.size();
  std::size_t sparse = scratch.sparse.size();
  scratch.rows.resize(rows + keys.size());
  scratch.sparse.resize(sparse + keys.size());
  const std::size_t before = rows + sparse;
  for (const auto& key : keys) {
    const auto& slot = table_.slot_of(key);
    const bool dense = slot.document != 0;
    const bool known = slot.number_plus_1 != 0;
    scratch.rows[rows] = slot.document - 1;
    scratch.sparse[sparse] = std::min(slot.number_plus_1 - 1, static_cast<std::uint32_t>(unmet_));
    rows += dense ? 1U : 0U;
    sparse += known && !dense ? 1U : 0U;
  }
  scratch.rows.resize(rows);
  scratch.sparse.resize(sparse);
  scratch.known += rows + sparse - before;
  return keys.size() - (rows + sparse - before);
}

void DocumentScorer::add_terms(std::string_view document, Scratch& scratch) const {
  const bool weighted = !scores_.multipliers.empty() || plan_->rules.unit == text::Unit::pairs;
  const bool hashed = plan_->rules.hash_bits > 0;
  std::size_t unknown = 0;
  scratch.rows.clear();
  scratch.factors.clear();
  scratch.sparse.clear();
  scratch.sparse_factors.clear();
  const auto put = [&](const text::TermTable::Slot* slot, std::size_t number) {
    const std::uint32_t row = slot == nullptr ? 0 : slot->document;
    if (row > 0) {
      scratch.rows.push_back(row - 1);
    } else {
      scratch.sparse.push_back(static_cast<std::uint32_t>(number));
    }
    return row > 0;
  };
  const auto use = [&](const text::TermTable::Slot* slot, double amount) {
    if (slot == nullptr && !hashed) {
      unknown += amount == 0.0 ? 0 : 1;
      return note_amount(amount, scratch);
    }
    const std::size_t number = number_of(slot);
    if (!weighted) {
      put(slot, number);
      ++scratch.known;
      return;
    }
    note_amount(amount, scratch);
    if (amount == 0.0) { return; }
    const double factor = amount * scores_.multiplier(number);
    scratch.total += factor;
    ++scratch.known;
    (put(slot, number) ? scratch.factors : scratch.sparse_factors).push_back(factor);
  };
  const bool plain = !weighted && !hashed;
  text::read_ahead(
      scratch.reader, document, table_,
      [&](std::span<const text::TermTable::Key> keys, const double* amounts) {
        if (plain) {
          unknown += add_keys(keys, scratch);
          return;
        }
        for (std::size_t i = 0; i < keys.size(); ++i) { use(table_.find(keys[i]), amounts[i]); }
      },
      [&](std::string_view term, double amount) { use(table_.find(term), amount); });
  if (!weighted) { scratch.total = static_cast<double>(scratch.known); }
  add_rows(weighted, scratch);
  scratch.tally.terms += scratch.known + unknown;
  scratch.tally.unknown_terms += unknown;
}

/// Of terms that count 1 each: their numbers, sorted, tell how often each occurs.
void DocumentScorer::collect_words(std::string_view document, Scratch& scratch) const {
  auto& numbers = scratch.sparse;
  numbers.clear();
  std::size_t terms = 0;
  const auto use = [&](const text::TermTable::Slot* slot) {
    ++terms;
    if (slot != nullptr) { numbers.push_back(slot->number()); }
  };
  text::read_ahead(
      scratch.reader, document, table_,
      [&](std::span<const text::TermTable::Key> keys, const double*) {
        for (const auto& key : keys) { use(table_.find(key)); }
      },
      [&](std::string_view term, double) { use(table_.find(term)); });
  std::ranges::sort(numbers);
  scratch.tally.terms += terms;
  scratch.tally.unknown_terms += terms - numbers.size();
  scratch.known = numbers.size();
  scratch.found.clear();
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[i]) { ++end; }
    scratch.found.push_back({numbers[i], static_cast<double>(end - i)});
    i = end;
  }
}

/// The terms of the vocabulary in the document, each once with its amount, ascending.
void DocumentScorer::collect(std::string_view document, Scratch& scratch) const {
  if (plan_->rules.hash_bits == 0 && plan_->rules.unit != text::Unit::pairs) {
    return collect_words(document, scratch);
  }
  auto& found = scratch.found;
  found.clear();
  if (plan_->rules.hash_bits > 0) { scratch.others.clear(); }
  std::size_t unknown = 0;
  scratch.reader.read(document, [&](std::string_view term, double amount) {
    note_amount(amount, scratch);
    if (amount == 0.0) { return; }
    if (const auto* const slot = table_.find(term)) {
      found.push_back({slot->number(), amount});
    } else if (plan_->rules.hash_bits > 0) {  // buckets without a row are still told apart
      found.push_back({table_.size() + scratch.others.insert(term).number(), amount});
    } else {
      ++unknown;
    }
  });
  scratch.tally.terms += found.size() + unknown;
  scratch.tally.unknown_terms += unknown;
  scratch.known = found.size();
  std::ranges::stable_sort(found, {}, &Found::term);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (kept > 0 && found[kept - 1].term == found[i].term) {
      found[kept - 1].amount += found[i].amount;
    } else {
      found[kept++] = found[i];
    }
  }
  found.resize(kept);
}

/// Over all terms of the document, those outside of the vocabulary too.
double DocumentScorer::norm(std::string_view document, Scratch& scratch) const {
  const TermAmount kind = plan_->amount;
  std::vector<double> amounts;
  scratch.others.clear();
  scratch.reader.read(document, [&](std::string_view term, double amount) {
    const auto number = scratch.others.insert(term).number();
    if (number == amounts.size()) { amounts.push_back(0.0); }
    amounts[number] += amount;
  });
  double sum = 0.0;
  for (const double amount : amounts) {
    sum += kind == TermAmount::l1 ? std::abs(amount) : amount * amount;
  }
  const double norm = kind == TermAmount::l1 ? sum : std::sqrt(sum);
  return norm > 0.0 ? norm : 1.0;
}

void DocumentScorer::add_distinct_terms(std::string_view document, Scratch& scratch) const {
  collect(document, scratch);
  const TermAmount kind = plan_->amount;
  const bool normed = kind == TermAmount::l1 || kind == TermAmount::l2;
  const double share = normed && scratch.known > 0 ? 1.0 / norm(document, scratch) : 1.0;
  for (const auto& [number, amount] : scratch.found) {
    const std::size_t term = std::min(number, unmet_);
    const double factor =
        (kind == TermAmount::presence ? 1.0 : amount * share) * scores_.multiplier(term);
    scratch.total += factor;
    if (!scores_.excludes) {
      scores_.deltas.add(term, factor, scratch.scores.data());
      continue;
    }
    const auto labels = scores_.deltas.labels(term);
    const auto values = scores_.deltas.values(term);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const auto k = static_cast<std::size_t>(labels[i]);
      scratch.impossible[k] -= std::isinf(values[i]) ? 2.0 : factor;  // as a term, and as required
      if (!std::isinf(values[i])) { scratch.scores[k] += factor * values[i]; }
    }
  }
  for (double& count : scratch.impossible) { count += scratch.total; }
}

/// The limit of smoothing that goes to 0: the classes with the fewest impossible occurrences of
/// terms are compared by the others.
void DocumentScorer::exclude_impossible(Scratch& scratch) const {
  auto& impossible = scratch.impossible;
  for (std::size_t k = 0; k < scores_.required.size(); ++k) {
    impossible[k] += scores_.required[k];
  }
  constexpr double kRounding = 1e-9;
  const double fewest = *std::ranges::min_element(impossible) + kRounding * (1.0 + scratch.total);
  for (std::size_t k = 0; k < impossible.size(); ++k) {
    if (impossible[k] > fewest) { scratch.scores[k] = -std::numeric_limits<double>::infinity(); }
  }
}

void DocumentScorer::add_chain(std::string_view document, Scratch& scratch) const {
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::size_t unknown = 0;
  std::size_t before = kNone;
  scratch.reader.read(document, [&](std::string_view term, double) {
    const std::size_t number = number_of(term);
    if (number == kUnknown) {
      ++unknown;
      before = kNone;
      return;
    }
    scores_.deltas.add(number, 1.0, scratch.scores.data());
    scratch.total += 1.0;
    ++scratch.known;
    if (before != kNone) {
      scores_.histories.add(before, 1.0, scratch.scores.data());
      const auto* const bigram = bigram_table_.find(scratch.bigram.of(scratch.previous, term));
      if (bigram != nullptr) { scores_.bigrams.add(bigram->number(), 1.0, scratch.scores.data()); }
    }
    before = number;
    scratch.previous.assign(term);
  });
  scratch.tally.terms += scratch.known + unknown;
  scratch.tally.unknown_terms += unknown;
}

}  // namespace logodds::models::naive_bayes
