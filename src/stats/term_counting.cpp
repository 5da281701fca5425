#include "stats/term_counting.hpp"

#include <algorithm>
#include <cmath>

#include "logodds/models/row_problem.hpp"
#include "logodds/stats/held_rows.hpp"

namespace logodds {

TermCounts::Counting::Counting(std::shared_ptr<const TermPlan> plan)
    : plan_(std::move(plan)),
      reader_(plan_->rules),
      repeats_(plan_->amount == TermAmount::presence ? 0 : 1) {
  start();
}

TermCounts::Counting::Counting(const Counting& other)
    : plan_(other.plan_),
      reader_(plan_->rules),
      table_(other.table_),
      classes_(other.classes_),
      term_documents_(other.term_documents_),
      documents_(other.documents_),
      document_(other.document_),
      whole_(other.whole_),
      repeats_(other.repeats_),
      slots_whole_(other.slots_whole_),
      slot_labels_(other.slot_labels_),
      sums_used_(other.sums_used_),
      totals_(other.totals_) {}

/// A given vocabulary has the first numbers.
void TermCounts::Counting::start() {
  table_.reserve(plan_->vocabulary.size());
  text::PaddedTerm padded;
  for (const auto& term : plan_->vocabulary) { table_.insert(padded.of(term)); }
}

void TermCounts::Counting::next_document() {
  distinct_ = 0;
  if (!ignored_amounts_.empty()) {
    ignored_.clear();
    ignored_amounts_.clear();
  }
  if (++document_ <= WholeCounts::kMostDocuments) { return; }
  const bool whole = slots_whole_;
  settle();
  use_whole(whole);
  for (auto& slot : table_.slots()) { slot.document = 0; }
  document_ = 1;
}

text::TermTable::Slot* TermCounts::Counting::slot_of(std::string_view term) {
  if (plan_->vocabulary.empty()) { return &table_.insert(term); }
  return const_cast<text::TermTable::Slot*>(table_.find(term));
}

void TermCounts::Counting::read(std::string_view document) {
  const bool chosen = plan_->bigrams || !plan_->vocabulary.empty();
  if (chosen || plan_->rules.unit == text::Unit::pairs) {
    read_chosen(document);
  } else {
    read_words(document);
  }
}

void TermCounts::Counting::read_words(std::string_view document) {
  std::size_t terms = 0;
  text::read_ahead(
      reader_, document, table_,
      [&](std::span<const text::TermTable::Key> keys, const double*) {
        terms += keys.size();
        count(keys);
      },
      [&](std::string_view term, double) {
        ++terms;
        make_room(1);
        count(table_.insert(term), 1.0);
      });
  totals_.terms += static_cast<double>(terms);
}

/// Whatever is written to might be a member, so these are kept in registers.
void TermCounts::Counting::count(std::span<const text::TermTable::Key> keys) {
  make_room(keys.size());
  InDocument* const terms = in_document_.data();
  const std::uint32_t document = document_;
  std::uint32_t distinct = distinct_;
  for (const auto& key : keys) {
    auto& slot = table_.insert(key);
    const bool first = slot.document != document;
    terms[distinct] = {slot.number(), 0.0};
    slot.document = document;
    slot.count = first ? distinct : slot.count;
    terms[slot.count].amount += 1.0;
    distinct += first ? 1U : 0U;
  }
  distinct_ = distinct;
}

void TermCounts::Counting::read_chosen(std::string_view document) {
  std::size_t terms = 0;
  std::size_t ignored = 0;
  bool chained = false;
  reader_.read(document, [&](std::string_view term, double amount) {
    if (amount == 0.0) { return; }
    ++terms;
    auto* const slot = slot_of(term);
    make_room(2);
    if (slot != nullptr) {
      count(*slot, amount);
    } else {
      ++ignored;
      if (normed()) { ignore(term, amount); }
    }
    if (!plan_->bigrams) { return; }
    if (chained && slot != nullptr) { count(table_.insert(bigram_.of(previous_, term)), 1.0); }
    chained = slot != nullptr;
    previous_.assign(term);
  });
  totals_.terms += static_cast<double>(terms);
  totals_.terms_ignored += static_cast<double>(ignored);
}

void TermCounts::Counting::ignore(std::string_view term, double amount) {
  const std::size_t number = ignored_.insert(term).number();
  ignored_amounts_.resize(std::max(ignored_amounts_.size(), number + 1), 0.0);
  ignored_amounts_[number] += amount;
}

double TermCounts::Counting::norm() const {
  const bool l1 = plan_->amount == TermAmount::l1;
  double sum = 0.0;
  const auto add = [&](double amount) { sum += l1 ? amount : amount * amount; };
  for (const auto& term : in_document()) { add(term.amount); }
  for (const double amount : ignored_amounts_) { add(amount); }
  return l1 ? sum : std::sqrt(sum);
}

void TermCounts::Counting::normalize() {
  if (plan_->amount == TermAmount::presence) {
    for (auto& term : in_document()) { term.amount = 1.0; }
  }
  if (!normed()) { return; }
  const double divisor = norm();
  for (auto& term : in_document()) { term.amount /= divisor > 0.0 ? divisor : 1.0; }
}

namespace {
constexpr const char* kNegative =
    "is the count of a term, and counts are not negative; correct it, or leave the term out";
}

void TermCounts::Counting::add_to(std::size_t k, double weight) {
  constexpr std::size_t kAhead = 8;
  SparseSums& sums = classes_[k];
  const auto terms = in_document();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (i + kAhead < terms.size()) { sums.prefetch(terms[i + kAhead].number); }
    sums.add(terms[i].number, weight * terms[i].amount);
    term_documents_[terms[i].number] += weight;
  }
  documents_[k] += weight;
}

void TermCounts::Counting::add_document(const RowBlock& block, std::size_t r,
                                        std::string_view document, std::size_t classes,
                                        std::span<const double> shares) {
  sums_used_ = true;
  read(document);
  for (const auto& term : in_document()) {
    if (term.amount < 0.0) { throw RowProblem{r, "", term.amount, kNegative}; }
  }
  normalize();
  term_documents_.resize(table_.size(), 0.0);
  if (shares.empty()) { add_to(static_cast<std::size_t>(block.labels[r]), block.weight(r)); }
  for (std::size_t k = 0; k < classes && !shares.empty(); ++k) {
    const double share = shares[r * classes + k];
    if (counts(share, block.weight(r))) { add_to(k, share); }
  }
}

void TermCounts::Counting::add(const RowBlock& block, std::size_t position, std::size_t classes,
                               std::span<const double> shares) {
  if (!slot_labels_.empty()) { empty_slots(); }
  classes_.resize(std::max(classes_.size(), classes));
  documents_.resize(classes_.size(), 0.0);
  const std::string_view* const texts = block.texts[position];
  const bool whole = counts_whole(block, classes, shares);
  if (whole) { whole_.make_room(classes); }
  for (std::size_t r = 0; r < block.rows; ++r) {
    if (texts[r].data() == nullptr) { continue; }
    use_whole(whole && WholeCounts::suits(classes, table_.size()));
    next_document();
    if (slots_whole_) {
      count_whole(texts[r], static_cast<std::size_t>(block.labels[r]));
    } else {
      add_document(block, r, texts[r], classes, shares);
    }
    ++totals_.documents;
    if (plan_->most_terms > 0 && table_.size() > plan_->most_terms) { drop_rarest(); }
  }
  totals_.bad_characters = reader_.bad_characters();
  totals_.words_too_long = reader_.words_too_long();
}

bool TermCounts::Counting::counts_whole(const RowBlock& block, std::size_t classes,
                                        std::span<const double> shares) const {
  const bool whole = plan_->amount == TermAmount::counts || plan_->amount == TermAmount::presence;
  return whole && plan_->rules.unit != text::Unit::pairs && !plan_->bigrams &&
         plan_->vocabulary.empty() && shares.empty() && block.weights == nullptr &&
         classes <= std::size_t{1} << (32 - kLabelShift) &&
         WholeCounts::suits(classes, table_.size());
}

void TermCounts::Counting::use_whole(bool whole) {
  if (slots_whole_ == whole) { return; }
  if (slots_whole_) { empty_slots(); }
  slots_whole_ = whole;
  const std::uint32_t mark = whole && whole_.rows() > 0 ? kElsewhere : 0;
  for (auto& slot : table_.slots()) {
    slot.count = 0;
    slot.document = (slot.document & ~kElsewhere) | mark;
  }
}

void TermCounts::Counting::empty_slots() {
  for (auto& slot : table_.slots()) { give_up(slot); }
  slot_labels_.clear();
}

void TermCounts::Counting::give_up(text::TermTable::Slot& slot) {
  const std::uint32_t count = slot.count;
  if (count == 0) { return; }
  slot.count = 0;
  slot.document |= kElsewhere;
  whole_.reach(slot.number());
  whole_.add(slot.number(), static_cast<std::uint32_t>(label_of(count)),
             count >> kDocumentShift & kMostInSlot, count & kMostInSlot);
}

void TermCounts::Counting::settle() {
  use_whole(false);
  term_documents_.resize(table_.size(), 0.0);
  const std::size_t rows = std::min(whole_.rows(), table_.size());
  for (std::uint32_t row = 0; row < rows; ++row) {
    const auto counts = whole_.row(row);
    each_class({&counts, 1}, whole_.classes(), [&](std::size_t label) {
      classes_[label].add(row, static_cast<double>(counts.count(label)));
    });
    term_documents_[row] += counts.documents();
  }
  whole_.clear();
  sums_used_ = true;
}

void TermCounts::Counting::count_whole(std::span<const text::TermTable::Key> keys,
                                       std::uint32_t label) {
  for (const auto& key : keys) { count_whole(table_.insert(key), label); }
}

void TermCounts::Counting::count_whole(std::string_view document, std::size_t k) {
  const auto label = static_cast<std::uint32_t>(k);
  std::size_t terms = 0;
  text::read_ahead(
      reader_, document, table_,
      [&](std::span<const text::TermTable::Key> keys, const double*) {
        terms += keys.size();
        count_whole(keys, label);
      },
      [&](std::string_view term, double) {
        ++terms;
        count_whole(table_.insert(term), label);
      });
  totals_.terms += static_cast<double>(terms);
  documents_[k] += 1.0;
}

/// Of each term, over all classes.
std::vector<double> TermCounts::Counting::sums() const {
  std::vector<double> sums(table_.size(), 0.0);
  for (const auto& of_class : classes_) {
    of_class.each([&](std::uint32_t number, double sum) { sums[number] += sum; });
  }
  return sums;
}

/// At least every second term goes: all that are no more frequent than the median.
void TermCounts::Counting::drop_rarest() {
  settle();
  const auto all = sums();
  auto ranked = all;
  const auto middle = ranked.begin() + static_cast<std::ptrdiff_t>(ranked.size() / 2);
  std::nth_element(ranked.begin(), middle, ranked.end());
  const double most = *middle;
  const auto terms = table_.terms();
  const auto documents = std::move(term_documents_);
  term_documents_.clear();
  table_.clear();
  constexpr std::uint32_t kGone = 0xFFFFFFFF;
  std::vector<std::uint32_t> moved(terms.size(), kGone);
  text::PaddedTerm padded;
  for (std::size_t t = 0; t < terms.size(); ++t) {
    if (all[t] <= most) {
      ++totals_.terms_dropped;
      totals_.dropped_amount += all[t];
      continue;
    }
    moved[t] = table_.insert(padded.of(terms[t])).number();
    term_documents_.push_back(documents[t]);
  }
  for (auto& of_class : classes_) {
    SparseSums kept;
    of_class.each([&](std::uint32_t number, double sum) {
      if (moved[number] != kGone) { kept.add(moved[number], sum); }
    });
    of_class = std::move(kept);
  }
}

void TermCounts::Counting::recode(std::span<const std::int32_t> labels, std::size_t classes) {
  if (!WholeCounts::suits(classes, table_.size())) { settle(); }
  if (!slot_labels_.empty()) { empty_slots(); }
  std::vector<double> documents(classes, 0.0);
  std::vector<SparseSums> recoded(std::max(classes, classes_.size()));
  for (std::size_t k = 0; k < documents_.size(); ++k) {
    const auto to = static_cast<std::size_t>(labels[k]);
    documents[to] = documents_[k];
    recoded[to] = std::move(classes_[k]);
  }
  documents_ = std::move(documents);
  classes_ = std::move(recoded);
  if (slots_whole_) { slot_labels_.assign(labels.begin(), labels.end()); }
  whole_.recode(labels, classes);
}

}  // namespace logodds
