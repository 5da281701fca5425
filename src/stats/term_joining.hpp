// Steps of TermCounts::Counting::joined().
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "logodds/parallel/blocks.hpp"
#include "memory/large_array.hpp"
#include "stats/term_counting.hpp"
#include "text/term_table.hpp"

namespace logodds {

/// A term of a lane by its first bytes, as numbers that are ordered as the bytes are.
struct RankedTerm {
  std::uint64_t first;
  std::uint64_t next;
  std::uint32_t number;    ///< among the terms of its lane
  std::uint32_t label;     ///< what its slot has counted: the class,
  std::uint8_t documents;  ///< the documents,
  std::uint8_t amount;     ///< the occurrences in them
  bool elsewhere;          ///< whole counts may have more
  std::uint8_t lane;
  std::uint8_t length;  ///< kLong: more bytes than `first` and `next` hold

  static_assert(parallel::kMostLanes <= 0xFF);
  static constexpr std::uint8_t kLong = text::TermTable::kShort + 1;
  /// Terms that begin alike: the first byte and most of the second.
  static constexpr unsigned kBucketBits = 14;
  static constexpr std::size_t kBuckets = std::size_t{1} << kBucketBits;
  [[nodiscard]] std::size_t bucket() const {
    return static_cast<std::size_t>(first >> (64 - kBucketBits));
  }
};

/// By their first bytes, terms that have the same in the order in which they stood; digit by digit.
/// `room`: as many elements.
void sort_by_first(std::span<RankedTerm> terms, std::span<RankedTerm> room);

/// `sum` becomes a + b, all three in the order of their labels.
void add_entries(std::span<const TermCounts::Entry> a, std::span<const TermCounts::Entry> b,
                 std::vector<TermCounts::Entry>& sum);

/// What one lane has counted.
class TermCounts::Counting::Lane {
 public:
  /// How many terms begin how.
  void survey(Counting& counting, std::size_t lane);
  /// Of the terms, by bucket; empty: there are none.
  [[nodiscard]] const std::vector<std::uint32_t>& bucket_sizes() const { return bucket_sizes_; }
  /// Takes the terms out of the table, whose memory is then free for what follows, to `terms`.
  /// `part_of`: by bucket; `next`: where the next one of a part goes.
  void collect(std::span<const std::uint16_t> part_of, std::vector<std::size_t> next,
               std::span<RankedTerm> terms);
  [[nodiscard]] const WholeCounts& whole() const { return counting_->whole_; }
  [[nodiscard]] bool has_sums() const { return !entry_starts_.empty(); }
  /// The sums that were not counted whole, in ascending order of their labels.
  [[nodiscard]] std::span<const Entry> entries(std::uint32_t number) const {
    return std::span(entries_).subspan(entry_starts_[number],
                                       entry_starts_[number + 1] - entry_starts_[number]);
  }
  [[nodiscard]] double documents_with(const RankedTerm& term) const;
  /// Of a term that is kLong.
  [[nodiscard]] std::string_view long_term(std::uint32_t number) const;

 private:
  struct LongTerm {
    std::uint32_t number = 0;
    std::uint32_t length = 0;
    std::uint64_t place = 0;
  };
  [[nodiscard]] RankedTerm ranked(const text::TermTable::Slot& slot) const;
  void group_sums();

  Counting* counting_ = nullptr;
  std::uint8_t lane_ = 0;
  std::vector<LongTerm> long_terms_;  ///< by number
  std::vector<std::uint32_t> bucket_sizes_;
  memory::LargeVector<std::uint32_t> entry_starts_;  ///< by number, and one behind the last
  memory::LargeVector<Entry> entries_;
};

/// Terms that begin alike, over all lanes.
class TermCounts::Counting::Part {
 public:
  Part(std::span<const Lane> lanes, std::span<RankedTerm> terms, std::size_t classes)
      : lanes_(lanes), terms_(terms), classes_(classes) {}

  /// Brings the terms in order.
  void sort();
  /// What they come to; to be called once they are in order.
  [[nodiscard]] Before measure();
  /// Puts them into the result, behind what stands before them.
  void put(TermCounts& result, const Before& before);

 private:
  [[nodiscard]] std::string_view bytes(const RankedTerm& term) const {
    return lanes_[term.lane].long_term(term.number);
  }
  [[nodiscard]] bool before(const RankedTerm& a, const RankedTerm& b) const;
  [[nodiscard]] bool same(const RankedTerm& a, const RankedTerm& b) const;
  /// use(the lanes' terms that are one term), in order.
  template <class Use>
  void each_term(const Use& use) const;
  /// All that the lanes have of a term, in ascending order of the labels; until the next call.
  std::span<const Entry> entries_of(std::span<const RankedTerm> found);
  /// What was counted whole, to `whole_`.
  void add_whole(std::span<const RankedTerm> found);
  std::span<const Entry> sum_of(std::span<const RankedTerm> found, std::size_t width,
                                std::size_t node);

  std::span<const Lane> lanes_;
  std::span<RankedTerm> terms_;
  std::size_t classes_;
  std::vector<WholeCounts::Row> rows_;
  std::vector<Entry> whole_;
  std::vector<Entry> both_;
  std::array<std::vector<Entry>, parallel::kMostLanes> halves_;  ///< by node that has two of them
};

}  // namespace logodds
