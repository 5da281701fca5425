// How often each class has each term, where every document counts whole.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "memory/large_array.hpp"
#include "stats/sparse_sums.hpp"

namespace logodds {

/// A row a term: the number of documents that have it, and a byte a class. Nearly all counts are
/// small, and what a document adds lands in one cache line whichever class it is of. What a byte
/// cannot hold is carried to sums of its own. A byte that has counted is never 0 again, so that the
/// bytes alone tell which classes have the term.
class WholeCounts {
 public:
  /// Whether so many terms of so many classes need about as little memory as sums of those that
  /// occur would.
  [[nodiscard]] static bool suits(std::size_t classes, std::size_t terms) {
    return classes <= kFewClasses || classes * std::max(terms, kChunkRows) <= kMostBytes;
  }
  /// Documents that a row can tell.
  static constexpr std::uint32_t kMostDocuments = 0x7FFFFFFFU;
  /// Four classes, a byte each, which is not 0 where the class has the term.
  using Four = std::uint32_t;
  class Row;

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t classes() const { return carried_.size(); }
  /// Room for so many classes; what was counted stays.
  void make_room(std::size_t classes);
  /// Class k gets the number labels[k] of `classes`, and none the same.
  void recode(std::span<const std::int32_t> labels, std::size_t classes);
  /// Rows up to this one.
  void reach(std::uint32_t row) {
    while (rows_ <= row) { add_chunk(); }
  }
  /// So many more occurrences, 1 to 255, in so many documents of a class; the row must have been
  /// reached.
  void add(std::uint32_t row, std::uint32_t label, std::uint32_t documents, std::uint32_t amount) {
    std::uint8_t* const begin = begin_of(row);
    set_head(begin, head(begin) + documents);
    const std::uint32_t sum = begin[kHead + label] + amount;
    begin[kHead + label] = static_cast<std::uint8_t>(sum);
    if (sum > kMost) { carry(row, label, sum); }
  }
  void prefetch(std::uint32_t row) const {
    if (row < rows_) { __builtin_prefetch(begin_of(row)); }
  }
  [[nodiscard]] Row row(std::uint32_t number) const;
  void clear();

 private:
  static constexpr std::size_t kFewClasses = 32;
  static constexpr std::size_t kMostBytes = std::size_t{8} << 20U;
  static constexpr std::size_t kHead = sizeof(Four);          ///< documents, and kCarried
  static constexpr std::uint32_t kCarried = ~kMostDocuments;  ///< some class has carried
  static constexpr std::uint32_t kMost = 0xFF;
  static constexpr unsigned kChunkShift = 12;  ///< rows of a chunk, as a power of 2
  static constexpr std::size_t kChunkRows = std::size_t{1} << kChunkShift;

  [[nodiscard]] static std::uint32_t head(const std::uint8_t* begin) {
    std::uint32_t value = 0;
    std::memcpy(&value, begin, sizeof(value));
    return value;
  }
  static void set_head(std::uint8_t* begin, std::uint32_t value) {
    std::memcpy(begin, &value, sizeof(value));
  }
  [[nodiscard]] const std::uint8_t* begin_of(std::uint32_t row) const {
    return chunks_[row >> kChunkShift].data() + (row & (kChunkRows - 1)) * stride_;
  }
  [[nodiscard]] std::uint8_t* begin_of(std::uint32_t row) {
    return chunks_[row >> kChunkShift].data() + (row & (kChunkRows - 1)) * stride_;
  }
  void add_chunk();
  void carry(std::uint32_t row, std::uint32_t label, std::uint32_t sum);
  /// Rows of `stride` bytes, of which move(from, to) sets what stands behind the head.
  template <class Move>
  void rewrite(std::size_t stride, const Move& move);

  std::vector<memory::LargeArray<std::uint8_t>> chunks_;
  std::size_t stride_ = kHead;  ///< bytes of a row
  std::size_t rows_ = 0;
  std::vector<KeyedSums<std::uint64_t>> carried_;  ///< by class and row
};

/// What was counted of a term.
class WholeCounts::Row {
 public:
  Row(const WholeCounts& counts, std::uint32_t number)
      : counts_(&counts), number_(number), begin_(counts.begin_of(number)) {}

  [[nodiscard]] std::uint32_t documents() const { return head(begin_) & ~kCarried; }
  /// 0 for classes that came later than the last make_room().
  [[nodiscard]] std::uint64_t count(std::size_t label) const {
    if (label >= counts_->classes()) { return 0; }
    const bool carried = (head(begin_) & kCarried) != 0;
    return begin_[kHead + label] + (carried ? counts_->carried_[label].of(number_) : 0);
  }
  /// Classes 4 i to 4 i + 3.
  [[nodiscard]] Four four(std::size_t i) const {
    Four bytes = 0;
    if (kHead + (i + 1) * sizeof(Four) > counts_->stride_) { return bytes; }
    std::memcpy(&bytes, begin_ + kHead + i * sizeof(Four), sizeof(Four));
    return bytes;
  }

 private:
  const WholeCounts* counts_;
  std::uint32_t number_;
  const std::uint8_t* begin_;
};

inline WholeCounts::Row WholeCounts::row(std::uint32_t number) const { return {*this, number}; }

/// use(label) for every class of the rows, in ascending order.
template <class Use>
void each_class(std::span<const WholeCounts::Row> rows, std::size_t classes, const Use& use) {
  constexpr std::size_t kFour = sizeof(WholeCounts::Four);
  static_assert(std::endian::native == std::endian::little, "bytes of a word in their order");
  for (std::size_t i = 0; i * kFour < classes; ++i) {
    WholeCounts::Four four = 0;
    for (const auto& row : rows) { four |= row.four(i); }
    while (four != 0) {
      const auto byte = static_cast<std::size_t>(std::countr_zero(four)) / 8;
      use(i * kFour + byte);
      four &= ~(WholeCounts::Four{0xFF} << 8 * byte);
    }
  }
}

}  // namespace logodds
