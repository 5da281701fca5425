// The terms and sums of a lane, as they are joined with those of others.
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

/// Counts to places where each begins, and one behind the last.
void counts_to_starts(memory::LargeVector<std::uint32_t>& counts) {
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

RankedTerm TermCounts::Counting::Lane::ranked(const text::TermTable::Slot& slot) const {
  const bool is_long = slot.length > text::TermTable::kShort;
  const char* const bytes = counting_->table_.bytes(slot).data();  // a short one has 16 in its slot
  const std::uint32_t count = counting_->slots_whole_ ? slot.count : 0;
  return {.first = ordered_word(bytes),
          .next = ordered_word(bytes + sizeof(std::uint64_t)),
          .number = slot.number(),
          .label = static_cast<std::uint32_t>(counting_->label_of(count)),
          .documents = static_cast<std::uint8_t>(count >> kDocumentShift),
          .amount = static_cast<std::uint8_t>(count),
          .elsewhere = slot.number() < counting_->whole_.rows() &&
                       (!counting_->slots_whole_ || (slot.document & kElsewhere) != 0),
          .lane = lane_,
          .length = is_long ? RankedTerm::kLong : static_cast<std::uint8_t>(slot.length)};
}

double TermCounts::Counting::Lane::documents_with(const RankedTerm& term) const {
  const auto& others = counting_->term_documents_;
  return (term.number < others.size() ? others[term.number] : 0.0) + term.documents +
         (term.elsewhere ? counting_->whole_.row(term.number).documents() : 0);
}

void TermCounts::Counting::Lane::survey(Counting& counting, std::size_t lane) {
  counting_ = &counting;
  lane_ = static_cast<std::uint8_t>(lane);
  bucket_sizes_.assign(RankedTerm::kBuckets, 0);
  for (const auto& slot : counting.table_.slots()) {
    if (slot.number_plus_1 == 0) { continue; }
    ++bucket_sizes_[ranked(slot).bucket()];
    if (slot.length > text::TermTable::kShort) {
      long_terms_.push_back({slot.number(), slot.length, slot.high});
    }
  }
  std::ranges::sort(long_terms_, {}, &LongTerm::number);
}

void TermCounts::Counting::Lane::collect(std::span<const std::uint16_t> part_of,
                                         std::vector<std::size_t> next,
                                         std::span<RankedTerm> terms) {
  for (const auto& slot : counting_->table_.slots()) {
    if (slot.number_plus_1 == 0) { continue; }
    const RankedTerm term = ranked(slot);
    terms[next[part_of[term.bucket()]]++] = term;
  }
  counting_->table_.release_slots();
  if (counting_->sums_used_) { group_sums(); }
}

std::string_view TermCounts::Counting::Lane::long_term(std::uint32_t number) const {
  const auto found = std::ranges::lower_bound(long_terms_, number, {}, &LongTerm::number);
  return counting_->table_.long_bytes(found->place, found->length);
}

/// Class by class, so that the entries of a term are in the order of their labels.
void TermCounts::Counting::Lane::group_sums() {
  const auto& classes = counting_->classes_;
  if (std::ranges::all_of(classes, [](const SparseSums& sums) { return sums.size() == 0; })) {
    return;
  }
  entry_starts_.assign(counting_->table_.size() + 2, 0);
  for (const auto& of_class : classes) {
    of_class.each([&](std::uint32_t number, double) { ++entry_starts_[number + 1]; });
  }
  // The start of a term stands one place behind its own until it has moved to its end.
  counts_to_starts(entry_starts_);
  entries_.resize(entry_starts_.back());
  for (std::size_t k = 0; k < classes.size(); ++k) {
    classes[k].each([this, k](std::uint32_t number, double sum) {
      entries_[entry_starts_[number + 1]++] = {static_cast<std::int32_t>(k), sum};
    });
  }
}

}  // namespace logodds
