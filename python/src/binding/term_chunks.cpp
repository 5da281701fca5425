#include "term_chunks.hpp"

#include <algorithm>

#include "logodds/error.hpp"
#include "logodds/parallel/blocks.hpp"

namespace logodds::binding {
namespace {

/// Chunks of this size have tables that stay in a core's cache.
constexpr std::size_t kChunkBytes = std::size_t{1} << 20U;
/// So that short documents do not make a chunk of too many.
constexpr std::size_t kBytesADocument = 64;
constexpr std::size_t kMostCounts = std::size_t{1} << 31U;

/// The documents from `begin` on that make up one chunk: at least one.
std::size_t chunk_end(std::span<const std::string_view> documents, std::size_t begin) {
  std::size_t bytes = 0;
  std::size_t end = begin;
  while (end < documents.size() && bytes < kChunkBytes) {
    bytes += documents[end].size() + kBytesADocument;
    ++end;
  }
  return end;
}

}  // namespace

void CountedChunk::count(const text::TermRules& rules) {
  table.clear();
  found.counts.clear();
  found.ends.clear();
  text::TermReader reader(rules);
  auto& counts = found.counts;
  std::uint32_t document = 0;
  for (const std::string_view bytes : documents) {
    ++document;
    reader.read(bytes, [&](std::string_view term, double) {
      auto& slot = table.insert(term);
      if (slot.document == document) {
        ++counts[slot.count].count;
        return;
      }
      slot.document = document;
      slot.count = static_cast<std::uint32_t>(counts.size());
      counts.push_back({.term = slot.number(), .count = 1});
    });
    if (counts.size() > kMostCounts) {
      throw Error(ErrorCode::input, "a document has too many terms; make ngram_range smaller");
    }
    found.ends.push_back(counts.size());
  }
  words_too_long = reader.words_too_long();
}

std::vector<const text::TermTable::Slot*> CountedChunk::by_number() const {
  std::vector<const text::TermTable::Slot*> slots(table.size());
  for (const auto& slot : table.slots()) {
    if (slot.number_plus_1 != 0) { slots[slot.number()] = &slot; }
  }
  return slots;
}

std::size_t count_chunks(std::span<const std::string_view> documents, const text::TermRules& rules,
                         int threads, const std::function<void(CountedChunk&)>& work,
                         const std::function<void(CountedChunk&)>& commit) {
  std::size_t taken = 0;
  std::size_t words_too_long = 0;
  std::size_t bytes = documents.size() * kBytesADocument;
  for (const auto document : documents) { bytes += document.size(); }
  parallel::run_blocks<CountedChunk>(
      parallel::useful_threads(threads, bytes / kChunkBytes + 1), 1,
      [&](CountedChunk& chunk) {
        const std::size_t begin = taken;
        taken = chunk_end(documents, begin);
        chunk.documents = documents.subspan(begin, taken - begin);
        return taken > begin;
      },
      [&](CountedChunk& chunk) {
        chunk.count(rules);
        work(chunk);
      },
      [&](CountedChunk& chunk, std::size_t) {
        commit(chunk);
        words_too_long += chunk.words_too_long;
      });
  return words_too_long;
}

}  // namespace logodds::binding
