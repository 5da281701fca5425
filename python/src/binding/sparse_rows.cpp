#include "sparse_rows.hpp"

#include <bit>

#include "radix_sort.hpp"

namespace logodds::binding {
namespace {

/// The columns of some terms in ascending order, each once, and the place of each term's column.
struct Ranks {
  std::vector<std::uint32_t> columns;
  std::vector<std::uint32_t> places;  ///< by term; kNoColumn where it has no column
};

Ranks ranked(std::span<const TermColumn> terms) {
  std::vector<Keyed> sorted;
  sorted.reserve(terms.size());
  for (std::uint32_t t = 0; t < terms.size(); ++t) {
    if (terms[t].column != kNoColumn) { sorted.push_back({.key = terms[t].column, .value = t}); }
  }
  radix_sort(sorted);
  Ranks ranks;
  ranks.places.assign(terms.size(), kNoColumn);
  for (const auto& [key, term] : sorted) {
    const auto column = static_cast<std::uint32_t>(key);
    if (ranks.columns.empty() || ranks.columns.back() != column) {
      ranks.columns.push_back(column);
    }
    ranks.places[term] = static_cast<std::uint32_t>(ranks.columns.size() - 1);
  }
  return ranks;
}

/// Calls use(place) for every bit that is set, in ascending order, and clears it.
template <class Use>
void drain(std::vector<std::uint64_t>& bits, const Use& use) {
  for (std::size_t w = 0; w < bits.size(); ++w) {
    for (; bits[w] != 0; bits[w] &= bits[w] - 1) {
      use(64 * w + static_cast<std::size_t>(std::countr_zero(bits[w])));
    }
  }
}

/// One row at a time: sums by place, and two levels of bits that tell where there are any, so that
/// a row is put in order by walking over bits and not by sorting.
class RowSums {
 public:
  explicit RowSums(std::size_t places)
      : sums_(places), bits_(places / 64 + 1), groups_(bits_.size() / 64 + 1) {}

  void add(std::uint32_t place, std::int64_t value) {
    const std::uint64_t bit = std::uint64_t{1} << (place % 64);
    std::uint64_t& word = bits_[place / 64];
    sums_[place] = (word & bit) != 0 ? sums_[place] + value : value;
    word |= bit;
    groups_[place / 4096] |= std::uint64_t{1} << (place / 64 % 64);
  }
  /// Calls use(place, sum) in ascending order, and starts anew.
  template <class Use>
  void take(const Use& use) {
    drain(groups_, [&](std::size_t w) {
      for (; bits_[w] != 0; bits_[w] &= bits_[w] - 1) {
        const std::size_t place = 64 * w + static_cast<std::size_t>(std::countr_zero(bits_[w]));
        use(place, sums_[place]);
      }
    });
  }

 private:
  std::vector<std::int64_t> sums_;
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> groups_;
};

}  // namespace

SparseRows sparse_rows(const ChunkCounts& found, std::span<const TermColumn> columns) {
  const Ranks ranks = ranked(columns);
  RowSums sums(ranks.columns.size());
  SparseRows rows;
  rows.columns.reserve(found.counts.size());
  rows.values.reserve(found.counts.size());
  rows.ends.reserve(found.ends.size());
  std::size_t at = 0;
  for (const std::size_t end : found.ends) {
    for (; at < end; ++at) {
      const auto [term, count] = found.counts[at];
      if (ranks.places[term] == kNoColumn) { continue; }
      sums.add(ranks.places[term], std::int64_t{columns[term].sign} * count);
    }
    sums.take([&](std::size_t place, std::int64_t sum) {
      rows.columns.push_back(ranks.columns[place]);
      rows.values.push_back(sum);
    });
    rows.ends.push_back(rows.columns.size());
  }
  return rows;
}

}  // namespace logodds::binding
