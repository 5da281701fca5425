// Counts of terms to sparse rows with ascending columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace logodds::binding {

struct TermCount {
  std::uint32_t term = 0;
  std::uint32_t count = 0;
};

/// Counts of consecutive documents.
struct ChunkCounts {
  std::vector<TermCount> counts;  ///< document after document, by first occurrence in each
  std::vector<std::size_t> ends;  ///< of the documents in `counts`
};

/// Documents as sparse rows, columns ascending.
struct SparseRows {
  std::vector<std::uint32_t> columns;
  std::vector<std::int64_t> values;
  std::vector<std::size_t> ends;  ///< of the rows
};

/// Where a term counts: `column` may be kNoColumn, `sign` is 1 or -1.
struct TermColumn {
  std::uint32_t column = 0;
  std::int32_t sign = 1;
};
inline constexpr std::uint32_t kNoColumn = 0xFFFFFFFF;

/// Counts of terms of one column are added up.
[[nodiscard]] SparseRows sparse_rows(const ChunkCounts& found, std::span<const TermColumn> columns);

}  // namespace logodds::binding
