// Which column each term counts in: a vocabulary that grows, or one that is given.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "term_chunks.hpp"

namespace logodds::binding {

/// A given vocabulary, for lookups.
class TermIndex {
 public:
  TermIndex() : table_(std::make_shared<text::TermTable>()) {}
  /// `columns`: of the terms of the table by number.
  TermIndex(std::shared_ptr<const text::TermTable> table, std::vector<TermColumn> columns)
      : table_(std::move(table)), columns_(std::move(columns)) {}

  void reserve(std::size_t terms);
  void add(std::string_view term, std::uint32_t column);
  /// The columns of the terms of a chunk by their numbers there.
  [[nodiscard]] std::vector<TermColumn> columns(const CountedChunk& chunk) const;

 private:
  std::shared_ptr<const text::TermTable> table_;
  std::shared_ptr<text::TermTable> growing_;
  std::vector<TermColumn> columns_;
};

/// Columns by hash, as scikit-learn's FeatureHasher has them.
[[nodiscard]] std::vector<TermColumn> hashed_columns(const CountedChunk& chunk,
                                                     std::uint32_t features, bool alternate_sign);

/// A vocabulary that grows with the documents, and their counts.
class TermCounts {
 public:
  /// Takes the chunk's counts along; chunks in the order of the documents.
  void add(CountedChunk& chunk);

  /// Terms so far, in the order in which they first appeared.
  [[nodiscard]] const text::TermTable& table() const { return *table_; }
  [[nodiscard]] std::size_t documents() const { return documents_; }

  /// Gives the terms that are in at least `low` and at most `high` documents their columns, in the
  /// order of their bytes.
  void set_columns(double low, double high);
  /// Leaves out columns whose entry is 0.
  void keep_columns(std::span<const std::uint8_t> kept);
  [[nodiscard]] std::size_t width() const { return width_; }
  /// By number of the term.
  [[nodiscard]] const std::vector<TermColumn>& columns() const { return columns_; }
  /// How often each column's term occurs; `binary`: in how many documents.
  [[nodiscard]] std::vector<std::int64_t> totals(bool binary) const;
  [[nodiscard]] std::vector<SparseRows> rows(int threads) const;
  [[nodiscard]] TermIndex index() const { return {table_, columns_}; }

 private:
  struct Part {
    ChunkCounts found;
    std::vector<std::uint32_t> terms;  ///< numbers in the whole of the chunk's terms
  };
  [[nodiscard]] std::vector<std::uint32_t> in_order() const;

  std::shared_ptr<text::TermTable> table_ = std::make_shared<text::TermTable>();
  std::vector<std::uint32_t> document_counts_;  ///< of documents with a term
  std::vector<Part> parts_;
  std::size_t documents_ = 0;
  std::vector<TermColumn> columns_;
  std::size_t width_ = 0;
};

}  // namespace logodds::binding
