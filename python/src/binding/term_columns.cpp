#include "term_columns.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "logodds/parallel/blocks.hpp"
#include "radix_sort.hpp"

namespace logodds::binding {
namespace {

/// The first 8 bytes as a number whose order is theirs.
std::uint64_t prefix_of(std::string_view term) {
  std::uint64_t word = 0;
  std::memcpy(&word, term.data(), std::min(term.size(), sizeof(word)));
  return __builtin_bswap64(word);
}

}  // namespace

void TermIndex::reserve(std::size_t terms) {
  growing_ = std::make_shared<text::TermTable>();
  growing_->reserve(terms);
  table_ = growing_;
  columns_.reserve(terms);
}

void TermIndex::add(std::string_view term, std::uint32_t column) {
  std::string padded(term);
  padded.resize(term.size() + text::kPadding);
  const auto& slot = growing_->insert({padded.data(), term.size()});
  if (slot.number() == columns_.size()) { columns_.emplace_back(); }
  columns_[slot.number()] = {.column = column};
}

std::vector<TermColumn> TermIndex::columns(const CountedChunk& chunk) const {
  std::vector<TermColumn> found(chunk.table.size());
  for (const auto& slot : chunk.table.slots()) {
    if (slot.number_plus_1 == 0) { continue; }
    const auto* const known = table_->find(chunk.table.bytes(slot));
    found[slot.number()] =
        known == nullptr ? TermColumn{.column = kNoColumn} : columns_[known->number()];
  }
  return found;
}

std::vector<TermColumn> hashed_columns(const CountedChunk& chunk, std::uint32_t features,
                                       bool alternate_sign) {
  std::vector<TermColumn> columns(chunk.table.size());
  for (const auto& slot : chunk.table.slots()) {
    if (slot.number_plus_1 == 0) { continue; }
    const std::int64_t hash = text::murmur_hash(chunk.table.bytes(slot));
    columns[slot.number()] = {
        .column = static_cast<std::uint32_t>((hash < 0 ? -hash : hash) % features),
        .sign = alternate_sign && hash < 0 ? -1 : 1};
  }
  return columns;
}

void TermCounts::add(CountedChunk& chunk) {
  Part part{.found = std::move(chunk.found), .terms = {}};
  part.terms.reserve(chunk.table.size());
  for (const auto* const slot : chunk.by_number()) {
    part.terms.push_back(table_->insert(chunk.table.bytes(*slot)).number());
  }
  document_counts_.resize(table_->size());
  for (const auto& count : part.found.counts) { ++document_counts_[part.terms[count.term]]; }
  documents_ += part.found.ends.size();
  chunk.found = {};
  parts_.push_back(std::move(part));
}

std::vector<std::uint32_t> TermCounts::in_order() const {
  std::vector<std::string_view> terms(table_->size());
  std::vector<Keyed> sorted(table_->size());
  for (const auto& slot : table_->slots()) {
    if (slot.number_plus_1 == 0) { continue; }
    terms[slot.number()] = table_->bytes(slot);
    sorted[slot.number()] = {prefix_of(terms[slot.number()]), slot.number()};
  }
  radix_sort(sorted);
  const auto bytes_less = [&](const Keyed& a, const Keyed& b) {
    return terms[a.value] < terms[b.value];
  };
  std::vector<std::uint32_t> order;
  order.reserve(sorted.size());
  for (auto begin = sorted.begin(); begin != sorted.end();) {
    const auto end = std::find_if(begin, sorted.end(),
                                  [&](const Keyed& term) { return term.key != begin->key; });
    std::sort(begin, end, bytes_less);
    for (; begin != end; ++begin) { order.push_back(begin->value); }
  }
  return order;
}

void TermCounts::set_columns(double low, double high) {
  columns_.assign(table_->size(), {.column = kNoColumn});
  width_ = 0;
  for (const std::uint32_t term : in_order()) {
    const double documents = document_counts_[term];
    if (documents < low || documents > high) { continue; }
    columns_[term].column = static_cast<std::uint32_t>(width_++);
  }
}

void TermCounts::keep_columns(std::span<const std::uint8_t> kept) {
  std::vector<std::uint32_t> places(kept.size(), kNoColumn);
  width_ = 0;
  for (std::size_t c = 0; c < kept.size(); ++c) {
    if (kept[c] != 0) { places[c] = static_cast<std::uint32_t>(width_++); }
  }
  for (auto& [column, sign] : columns_) {
    if (column != kNoColumn) { column = places[column]; }
  }
}

std::vector<std::int64_t> TermCounts::totals(bool binary) const {
  std::vector<std::int64_t> totals(width_);
  for (const auto& part : parts_) {
    for (const auto& count : part.found.counts) {
      const std::uint32_t column = columns_[part.terms[count.term]].column;
      if (column != kNoColumn) { totals[column] += binary ? 1 : count.count; }
    }
  }
  return totals;
}

std::vector<SparseRows> TermCounts::rows(int threads) const {
  std::vector<SparseRows> rows(parts_.size());
  parallel::run_lanes(threads, parts_.size(), [&](std::size_t p) {
    std::vector<TermColumn> columns;
    columns.reserve(parts_[p].terms.size());
    for (const std::uint32_t term : parts_[p].terms) { columns.push_back(columns_[term]); }
    rows[p] = sparse_rows(parts_[p].found, columns);
  });
  return rows;
}

}  // namespace logodds::binding
