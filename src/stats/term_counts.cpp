#include "stats/term_counts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "logodds/error.hpp"
#include "logodds/modelfile/container.hpp"
#include "stats/level_counts.hpp"
#include "stats/term_counting.hpp"
#include "stats/term_joining.hpp"

namespace logodds {

void TermTotals::add(const TermTotals& other) {
  documents += other.documents;
  terms += other.terms;
  terms_ignored += other.terms_ignored;
  terms_dropped += other.terms_dropped;
  dropped_amount += other.dropped_amount;
  bad_characters += other.bad_characters;
  words_too_long += other.words_too_long;
}

TermCounts::TermCounts() : plan_(std::make_shared<const TermPlan>()) {}
TermCounts::TermCounts(std::shared_ptr<const TermPlan> plan) : plan_(std::move(plan)) {}
TermCounts::TermCounts(TermCounts&&) noexcept = default;
TermCounts& TermCounts::operator=(TermCounts&&) noexcept = default;
TermCounts::~TermCounts() = default;

TermCounts::TermCounts(const TermCounts& other)
    : plan_(other.plan_),
      counting_(other.counting_ ? std::make_unique<Counting>(*other.counting_) : nullptr),
      bytes_(other.bytes_),
      ends_(other.ends_),
      term_documents_(other.term_documents_),
      entries_(other.entries_),
      entry_ends_(other.entry_ends_),
      documents_(other.documents_),
      totals_(other.totals_) {}

TermCounts& TermCounts::operator=(const TermCounts& other) {
  TermCounts copy(other);
  *this = std::move(copy);
  return *this;
}

double TermCounts::all_documents() const {
  return std::accumulate(documents_.begin(), documents_.end(), 0.0);
}

void TermCounts::add(const RowBlock& block, std::size_t position, std::size_t classes) {
  if (!counting_) { counting_ = std::make_unique<Counting>(plan_); }
  counting_->add(block, position, classes, {});
}

void TermCounts::add_shares(const RowBlock& block, std::size_t position, std::size_t classes,
                            std::span<const double> shares) {
  if (!counting_) { counting_ = std::make_unique<Counting>(plan_); }
  counting_->add(block, position, classes, shares);
}

void TermCounts::finish() {
  TermCounts* const self = this;
  join({&self, 1}, 1);
}

void TermCounts::join(std::span<TermCounts* const> lanes, int threads) {
  std::vector<std::unique_ptr<Counting>> owned;
  std::vector<Counting*> countings;
  for (TermCounts* const lane : lanes) {
    owned.push_back(std::move(lane->counting_));
    countings.push_back(owned.back().get());
  }
  if (std::ranges::all_of(countings, [](const Counting* lane) { return lane == nullptr; })) {
    return;
  }
  TermCounts added = Counting::joined(countings, threads);
  TermCounts& all = *lanes.front();
  if (all.ends_.empty() && all.all_documents() == 0.0) {
    all = std::move(added);
  } else {
    all.merge(added);
  }
}

void TermCounts::append(std::string_view term, double documents, std::span<const Entry> entries) {
  bytes_.insert(bytes_.end(), term.begin(), term.end());
  ends_.push_back(bytes_.size());
  term_documents_.push_back(documents);
  entries_.insert(entries_.end(), entries.begin(), entries.end());
  entry_ends_.push_back(entries_.size());
}

void TermCounts::reserve(std::size_t terms, std::size_t bytes, std::size_t entries) {
  bytes_.reserve(bytes);
  ends_.reserve(terms);
  term_documents_.reserve(terms);
  entries_.reserve(entries);
  entry_ends_.reserve(terms);
}

void TermCounts::swap_terms(TermCounts& other) {
  bytes_.swap(other.bytes_);
  ends_.swap(other.ends_);
  term_documents_.swap(other.term_documents_);
  entries_.swap(other.entries_);
  entry_ends_.swap(other.entry_ends_);
}

namespace {

using Entry = TermCounts::Entry;

}  // namespace

void TermCounts::merge(const TermCounts& other) {
  totals_.add(other.totals_);
  documents_.resize(std::max(documents_.size(), other.documents_.size()), 0.0);
  for (std::size_t k = 0; k < other.documents_.size(); ++k) {
    documents_[k] += other.documents_[k];
  }
  if (other.size() == 0) { return; }
  TermCounts sum(plan_);
  sum.reserve(size() + other.size(), bytes_.size() + other.bytes_.size(),
              entries_.size() + other.entries_.size());
  std::vector<Entry> both;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < size() && j < other.size()) {
    const int order = term(i).compare(other.term(j));
    if (order < 0) {
      sum.append(*this, i);
    } else if (order > 0) {
      sum.append(other, j);
    } else {
      add_entries(entries(i), other.entries(j), both);
      sum.append(term(i), documents_with(i) + other.documents_with(j), both);
    }
    i += order <= 0 ? 1 : 0;
    j += order >= 0 ? 1 : 0;
  }
  for (; i < size(); ++i) { sum.append(*this, i); }
  for (; j < other.size(); ++j) { sum.append(other, j); }
  swap_terms(sum);
}

namespace {

[[noreturn]] void refuse(const std::string& column, std::string_view term) {
  throw Error(ErrorCode::input, "column '" + column +
                                    "': the documents that are left cannot have '" +
                                    std::string(term) +
                                    "' as often as the model has it; forget only rows that it was "
                                    "trained on");
}

/// Whole numbers leave exactly what they should, however small it is beside them.
double amount_without(double before, double gone, const std::string& place) {
  const bool whole = before == std::floor(before) && gone == std::floor(gone);
  return whole && gone <= before ? before - gone : weight_without(before, gone, place);
}

/// What is left of `a` without `b`.
void take_entries(std::span<const Entry> a, std::span<const Entry> b, const Schema& schema,
                  const std::string& place, std::vector<Entry>& rest) {
  rest.assign(a.begin(), a.end());
  for (const Entry& gone : b) {
    const auto found = std::ranges::find(rest, gone.label, &Entry::label);
    const double before = found == rest.end() ? 0.0 : found->amount;
    const double left = amount_without(
        before, gone.amount,
        "class '" + schema.labels[static_cast<std::size_t>(gone.label)] + "', " + place);
    if (found == rest.end()) { continue; }
    found->amount = left;
    if (left == 0.0) { rest.erase(found); }
  }
}

}  // namespace

void TermCounts::unmerge(const TermCounts& other, const Schema& schema, const std::string& column) {
  try {
    take_away(other, schema, column);
  } catch (const Error&) {
    if (plan_->most_terms == 0) { throw; }
    throw Error(ErrorCode::usage,
                "column '" + column +
                    "': under --max-vocabulary rare terms were dropped while rows "
                    "were read, so these cannot be forgotten; train again without "
                    "them, or without --max-vocabulary");
  }
}

void TermCounts::take_away(const TermCounts& other, const Schema& schema,
                           const std::string& column) {
  totals_.add(other.totals_);
  for (std::size_t k = 0; k < other.documents_.size(); ++k) {
    documents_[k] = weight_without(documents_[k], other.documents_[k],
                                   "class '" + schema.labels[k] + "', column '" + column + "'");
  }
  TermCounts rest(plan_);
  std::vector<Entry> left;
  std::size_t j = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const bool gone = j < other.size() && other.term(j) == term(i);
    if (!gone) {
      rest.append(*this, i);
      continue;
    }
    const std::string place = "column '" + column + "', '" + std::string(term(i)) + "'";
    take_entries(entries(i), other.entries(j), schema, place, left);
    const double documents = weight_without(documents_with(i), other.documents_with(j++), place);
    if ((documents > 0.0) == left.empty()) { refuse(column, term(i)); }
    if (documents > 0.0) { rest.append(term(i), documents, left); }
  }
  if (j < other.size()) { refuse(column, other.term(j)); }
  swap_terms(rest);
}

void TermCounts::rename_labels(std::span<const std::int32_t> labels) {
  for (Entry& entry : entries_) { entry.label = labels[static_cast<std::size_t>(entry.label)]; }
  std::size_t begin = 0;
  for (const std::size_t end : entry_ends_) {
    if (end > begin + 1) {
      std::ranges::sort(std::span(entries_).subspan(begin, end - begin), {}, &Entry::label);
    }
    begin = end;
  }
}

void TermCounts::recode(std::span<const std::int32_t> labels, std::size_t classes) {
  const bool all_kept = std::ranges::all_of(labels, [](std::int32_t label) { return label >= 0; });
  if (counting_ && !all_kept) { finish(); }
  if (counting_) { counting_->recode(labels, classes); }
  std::vector<double> documents(classes, 0.0);
  for (std::size_t k = 0; k < documents_.size(); ++k) {
    if (labels[k] >= 0) { documents[static_cast<std::size_t>(labels[k])] += documents_[k]; }
  }
  documents_ = std::move(documents);
  bool same = true;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    same = same && labels[k] == static_cast<std::int32_t>(k);
  }
  if (same) { return; }
  if (all_kept) { return rename_labels(labels); }
  TermCounts recoded(plan_);
  std::vector<Entry> moved;
  for (std::size_t t = 0; t < size(); ++t) {
    moved.clear();
    for (Entry entry : entries(t)) {
      entry.label = labels[static_cast<std::size_t>(entry.label)];
      if (entry.label >= 0) { moved.push_back(entry); }
    }
    std::ranges::sort(moved, {}, &Entry::label);
    if (!moved.empty()) { recoded.append(term(t), documents_with(t), moved); }
  }
  swap_terms(recoded);
}

}  // namespace logodds
