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

/// A term by its first bytes, as numbers that are ordered as the bytes are.
struct RankedTerm {
  std::uint64_t first;
  std::uint64_t next;
  std::uint32_t place;  ///< among the terms of its lane
  std::uint16_t lane;
  std::uint16_t length;  ///< kLong: more bytes than `first` and `next` hold

  static constexpr std::uint16_t kLong = text::TermTable::kShort + 1;
  /// Terms that begin alike: the first two bytes.
  static constexpr std::size_t kBuckets = std::size_t{1} << 16U;
  [[nodiscard]] std::size_t bucket() const { return static_cast<std::size_t>(first >> 48U); }
};

/// By their first bytes, terms that have the same in the order in which they stood; digit by digit.
/// `room`: as many elements.
void sort_by_first(std::span<RankedTerm> terms, std::span<RankedTerm> room);

/// What one lane has counted: its terms part by part, and in the same order the sums of each.
class TermCounts::Counting::Lane {
 public:
  /// Takes the terms out of the table.
  void collect(Counting& counting, std::size_t lane);
  /// Of the terms, by bucket.
  [[nodiscard]] const std::vector<std::uint32_t>& bucket_sizes() const { return bucket_sizes_; }
  /// Terms and sums in the order of the parts; `part_of`: by bucket.
  void arrange(std::span<const std::uint16_t> part_of, std::size_t parts);

  [[nodiscard]] std::span<const RankedTerm> terms(std::size_t part) const {
    if (counting_ == nullptr) { return {}; }
    return std::span(terms_).subspan(part_starts_[part],
                                     part_starts_[part + 1] - part_starts_[part]);
  }
  /// In ascending order of their labels.
  [[nodiscard]] std::span<const Entry> entries(std::uint32_t place) const {
    return std::span(entries_).subspan(entry_starts_[place],
                                       entry_ends_[place] - entry_starts_[place]);
  }
  [[nodiscard]] double documents_with(std::uint32_t place) const { return documents_[place]; }
  /// Of a term that is kLong.
  [[nodiscard]] std::string_view long_term(std::uint32_t place) const;

 private:
  struct LongTerm {
    std::uint32_t place = 0;
    std::uint32_t slot = 0;
  };
  void make_room(std::vector<std::uint32_t> counts);
  void group_sums();
  void group_records();
  void order_entries(std::size_t place);

  Counting* counting_ = nullptr;
  memory::LargeVector<RankedTerm> terms_;  ///< `place` is the number of the term until arrange()
  std::vector<LongTerm> long_terms_;       ///< the same
  std::vector<std::uint32_t> bucket_sizes_;
  std::vector<std::uint32_t> part_starts_;
  std::vector<std::uint32_t> places_;  ///< by number
  std::vector<std::uint32_t> entry_starts_;
  std::vector<std::uint32_t> entry_ends_;
  memory::LargeVector<Entry> entries_;
  std::vector<double> documents_;
};

/// The terms of one part, over all lanes.
class TermCounts::Counting::Part {
 public:
  Part(std::span<const Lane> lanes, std::shared_ptr<const TermPlan> plan)
      : lanes_(lanes), terms_(std::move(plan)) {}

  void join(std::size_t part);
  [[nodiscard]] const TermCounts& terms() const { return terms_; }

 private:
  struct Sum {
    double documents = 0.0;
    std::span<const Entry> entries;
  };
  [[nodiscard]] std::string_view bytes(const RankedTerm& term) const {
    return lanes_[term.lane].long_term(term.place);
  }
  [[nodiscard]] bool before(const RankedTerm& a, const RankedTerm& b) const;
  [[nodiscard]] bool same(const RankedTerm& a, const RankedTerm& b) const;
  void sort(std::size_t part);
  void add_term(std::span<const RankedTerm> found);
  Sum sum_of(std::span<const RankedTerm> found, std::size_t width, std::size_t node);

  std::span<const Lane> lanes_;
  TermCounts terms_;
  std::vector<RankedTerm> sorted_;
  std::array<std::vector<Entry>, parallel::kMostLanes> sums_;  ///< by node that has two halves
};

}  // namespace logodds
