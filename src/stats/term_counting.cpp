#include "stats/term_counting.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "logodds/models/row_problem.hpp"
#include "logodds/stats/held_rows.hpp"

namespace logodds {

TermCounts::Counting::Counting(std::shared_ptr<const TermPlan> plan)
    : plan_(std::move(plan)), reader_(plan_->rules) {
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
  if (++document_ != 0) { return; }
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

void TermCounts::Counting::add(const RowBlock& block, std::size_t position, std::size_t classes,
                               std::span<const double> shares) {
  classes_.resize(std::max(classes_.size(), classes));
  documents_.resize(classes_.size(), 0.0);
  const std::string_view* const texts = block.texts[position];
  for (std::size_t r = 0; r < block.rows; ++r) {
    if (texts[r].data() == nullptr) { continue; }
    next_document();
    read(texts[r]);
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
    ++totals_.documents;
    if (plan_->most_terms > 0 && table_.size() > plan_->most_terms) { drop_rarest(); }
  }
  totals_.bad_characters = reader_.bad_characters();
  totals_.words_too_long = reader_.words_too_long();
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

namespace {

/// A term by its first bytes, as numbers that are ordered as the bytes are.
struct Ranked {
  std::uint64_t first = 0;
  std::uint64_t next = 0;
  std::uint32_t slot = 0;
  std::uint32_t number = 0;
};

std::uint64_t ordered_word(std::string_view bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data(), std::min<std::size_t>(bytes.size(), 8));
  return __builtin_bswap64(word);
}

Ranked ranked(const text::TermTable& table, std::size_t slot) {
  const auto bytes = table.bytes(table.slots()[slot]);
  return {ordered_word(bytes), bytes.size() > 8 ? ordered_word(bytes.substr(8)) : 0,
          static_cast<std::uint32_t>(slot), table.slots()[slot].number()};
}

/// By the first two bytes into buckets, then within each.
std::vector<Ranked> in_order(const text::TermTable& table) {
  const auto& slots = table.slots();
  const auto bucket = [](const text::TermTable::Slot& slot, std::string_view bytes) {
    const auto first = static_cast<unsigned char>(bytes.empty() ? 0 : bytes[0]);
    const auto next = static_cast<unsigned char>(slot.length > 1 ? bytes[1] : 0);
    return std::size_t{first} << 8U | next;
  };
  std::vector<std::uint32_t> ends((std::size_t{1} << 16U) + 1, 0);
  for (const auto& slot : slots) {
    if (slot.number_plus_1 != 0) { ++ends[bucket(slot, table.bytes(slot)) + 1]; }
  }
  for (std::size_t b = 1; b < ends.size(); ++b) { ends[b] += ends[b - 1]; }
  std::vector<Ranked> sorted(table.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].number_plus_1 == 0) { continue; }
    sorted[ends[bucket(slots[i], table.bytes(slots[i]))]++] = ranked(table, i);
  }
  const auto before = [&](const Ranked& a, const Ranked& b) {
    if (a.first != b.first) { return a.first < b.first; }
    if (a.next != b.next) { return a.next < b.next; }
    return table.bytes(slots[a.slot]) < table.bytes(slots[b.slot]);
  };
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    if (end > begin + 1) {
      std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(begin),
                sorted.begin() + static_cast<std::ptrdiff_t>(end), before);
    }
    begin = end;
  }
  return sorted;
}

}  // namespace

TermCounts TermCounts::Counting::sorted() const {
  const auto ranked = in_order(table_);
  std::vector<std::uint32_t> place(table_.size());
  for (std::size_t t = 0; t < ranked.size(); ++t) {
    place[ranked[t].number] = static_cast<std::uint32_t>(t);
  }
  std::vector<std::size_t> filled(table_.size() + 1, 0);
  for (const auto& of_class : classes_) {
    of_class.each([&](std::uint32_t number, double) { ++filled[place[number] + 1]; });
  }
  TermCounts result(plan_);
  constexpr std::size_t kUsualLength = 8;
  result.reserve(table_.size(), kUsualLength * table_.size(), 0);
  for (std::size_t t = 0; t < ranked.size(); ++t) {
    constexpr std::size_t kAhead = 16;
    __builtin_prefetch(&table_.slots()[ranked[std::min(t + kAhead, ranked.size() - 1)].slot]);
    const bool present = filled[t + 1] > 0;  // of a given vocabulary many are not
    filled[t + 1] += filled[t];
    if (!present) { continue; }
    result.bytes_ += table_.bytes(table_.slots()[ranked[t].slot]);
    result.ends_.push_back(result.bytes_.size());
    result.term_documents_.push_back(term_documents_[ranked[t].number]);
    result.entry_ends_.push_back(filled[t + 1]);
  }
  result.entries_.resize(filled.back());
  for (std::size_t k = 0; k < classes_.size(); ++k) {
    classes_[k].each([&](std::uint32_t number, double sum) {
      result.entries_[filled[place[number]]++] = {static_cast<std::int32_t>(k), sum};
    });
  }
  result.documents_ = documents_;
  result.totals_ = totals_;
  return result;
}

}  // namespace logodds
