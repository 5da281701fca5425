// The terms and sums of a lane, in the order in which they are joined with those of others.
#include <algorithm>
#include <cstring>
#include <limits>

#include "logodds/error.hpp"
#include "stats/term_joining.hpp"

namespace logodds {

namespace {

std::uint64_t ordered_word(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return __builtin_bswap64(word);
}

RankedTerm ranked(const text::TermTable& table, const text::TermTable::Slot& slot,
                  std::size_t lane) {
  const bool is_long = slot.length > text::TermTable::kShort;
  const char* const bytes = table.bytes(slot).data();  // a short one has 16 in its slot
  return {ordered_word(bytes), ordered_word(bytes + sizeof(std::uint64_t)), slot.number(),
          static_cast<std::uint16_t>(lane),
          is_long ? RankedTerm::kLong : static_cast<std::uint16_t>(slot.length)};
}

/// Counts to places where each begins, and one behind the last.
void counts_to_starts(std::vector<std::uint32_t>& counts) {
  std::uint64_t next = 0;
  for (std::uint32_t& count : counts) {
    const std::uint32_t here = count;
    count = static_cast<std::uint32_t>(next);
    next += here;
  }
  if (next > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ErrorCode::numeric,
                "there are more than 4 billion counts of terms by class; bound the terms with "
                "--max-vocabulary or --hash-bits");
  }
}

}  // namespace

void TermCounts::Counting::Lane::collect(Counting& counting, std::size_t lane) {
  counting_ = &counting;
  bucket_sizes_.assign(RankedTerm::kBuckets, 0);
  const auto& table = counting.table_;
  terms_.resize(table.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < table.slots().size(); ++i) {
    auto& slot = counting.table_.slots()[i];
    if (slot.number_plus_1 == 0) { continue; }
    counting.give_up(slot);
    const RankedTerm term = ranked(table, slot, lane);
    if (term.length == RankedTerm::kLong) {
      long_terms_.push_back({slot.number(), static_cast<std::uint32_t>(i)});
    }
    ++bucket_sizes_[term.bucket()];
    terms_[count++] = term;
  }
  counting.slots_count_ = false;
  if (counting.sums_used_) { counting.add_records(); }
}

void TermCounts::Counting::Lane::arrange(std::span<const std::uint16_t> part_of,
                                         std::size_t parts) {
  part_starts_.assign(parts + 1, 0);
  for (std::size_t b = 0; b < bucket_sizes_.size(); ++b) {
    part_starts_[part_of[b]] += bucket_sizes_[b];
  }
  counts_to_starts(part_starts_);
  memory::LargeVector<RankedTerm> arranged(terms_.size());
  places_.resize(terms_.size());
  std::vector<std::uint32_t> next = part_starts_;
  for (RankedTerm term : terms_) {
    const std::uint32_t number = term.place;
    term.place = next[part_of[term.bucket()]]++;
    places_[number] = term.place;
    arranged[term.place] = term;
  }
  terms_.swap(arranged);
  for (LongTerm& term : long_terms_) { term.place = places_[term.place]; }
  std::ranges::sort(long_terms_, {}, &LongTerm::place);
  if (counting_->sums_used_) {
    group_sums();
  } else {
    group_records();
  }
}

std::string_view TermCounts::Counting::Lane::long_term(std::uint32_t place) const {
  const auto found = std::ranges::lower_bound(long_terms_, place, {}, &LongTerm::place);
  return counting_->table_.bytes(counting_->table_.slots()[found->slot]);
}

/// For the entries of every term, of which there are so many by place.
void TermCounts::Counting::Lane::make_room(std::vector<std::uint32_t> counts) {
  counts.push_back(0);
  counts_to_starts(counts);
  entries_.resize(counts.back());
  counts.pop_back();
  entry_starts_ = entry_ends_ = std::move(counts);
  documents_.assign(places_.size(), 0.0);
}

void TermCounts::Counting::Lane::group_sums() {
  std::vector<std::uint32_t> counts(places_.size(), 0);
  for (const auto& of_class : counting_->classes_) {
    of_class.each([&](std::uint32_t number, double) { ++counts[places_[number]]; });
  }
  make_room(std::move(counts));
  for (std::size_t k = 0; k < counting_->classes_.size(); ++k) {
    counting_->classes_[k].each([this, k](std::uint32_t number, double sum) {
      entries_[entry_ends_[places_[number]]++] = {static_cast<std::int32_t>(k), sum};
    });
  }
  for (std::size_t number = 0; number < counting_->term_documents_.size(); ++number) {
    documents_[places_[number]] = counting_->term_documents_[number];
  }
}

void TermCounts::Counting::Lane::group_records() {
  std::vector<std::uint32_t> counts(places_.size(), 0);
  for (const Record& record : counting_->records_) { ++counts[places_[record.number]]; }
  make_room(std::move(counts));
  for (const Record& record : counting_->records_) {
    const std::uint32_t place = places_[record.number];
    entries_[entry_ends_[place]++] = {counting_->label_of(record),
                                      static_cast<double>(record.amount())};
    documents_[place] += record.documents();
  }
  memory::LargeVector<Record>().swap(counting_->records_);  // room for what follows
  for (std::size_t place = 0; place < places_.size(); ++place) { order_entries(place); }
}

/// By their labels, each once.
void TermCounts::Counting::Lane::order_entries(std::size_t place) {
  const std::size_t begin = entry_starts_[place];
  const std::size_t size = entry_ends_[place] - begin;
  if (size < 2) { return; }
  const auto found = std::span(entries_).subspan(begin, size);
  if (!std::ranges::is_sorted(found, {}, &Entry::label)) {
    std::ranges::sort(found, {}, &Entry::label);
  }
  std::size_t last = 0;
  for (std::size_t i = 1; i < size; ++i) {
    if (found[i].label == found[last].label) {
      found[last].amount += found[i].amount;
    } else {
      found[++last] = found[i];
    }
  }
  entry_ends_[place] = static_cast<std::uint32_t>(begin + last + 1);
}

}  // namespace logodds
