// How often each term occurs in each of many documents, chunk by chunk.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "sparse_rows.hpp"
#include "text/term_reader.hpp"
#include "text/term_table.hpp"

namespace logodds::binding {

/// A chunk whose terms are numbered as they first appear in it.
struct CountedChunk {
  std::span<const std::string_view> documents{};
  text::TermTable table{};
  ChunkCounts found{};
  std::size_t words_too_long = 0;
  SparseRows rows{};  ///< free for the user

  void count(const text::TermRules& rules);
  /// The slots of the terms by number.
  [[nodiscard]] std::vector<const text::TermTable::Slot*> by_number() const;
};

/// Cuts the documents into chunks of some bytes and counts them in parallel. work(chunk) runs in
/// parallel, commit(chunk) after it, one chunk at a time in the order of the documents. Returns the
/// number of words that were left out for being too long.
std::size_t count_chunks(std::span<const std::string_view> documents, const text::TermRules& rules,
                         int threads, const std::function<void(CountedChunk&)>& work,
                         const std::function<void(CountedChunk&)>& commit);

}  // namespace logodds::binding
