#include "data/arrow_documents.hpp"

#include <algorithm>

#include "data/document_columns.hpp"

namespace logodds {

void read_documents(const ArrowTable::Batches& batches, std::size_t field, std::size_t first,
                    std::span<std::string_view> out) {
  for (const auto& part : segments(batches, first, out.size())) {
    const auto column = batches.column(part.batch, field, part.row);
    for (std::size_t r = 0; r < part.rows; ++r) { out[part.position + r] = column.document(r); }
  }
}

std::size_t rows_of_documents(const ArrowTable::Batches& batches,
                              const std::vector<std::size_t>& fields, std::size_t first,
                              std::size_t most_rows) {
  const std::size_t rows = std::min(most_rows, batches.rows - first);
  std::vector<std::size_t> bytes(rows, 0);
  std::vector<std::string_view> documents(rows);
  for (const std::size_t field : fields) {
    read_documents(batches, field, first, documents);
    for (std::size_t r = 0; r < rows; ++r) { bytes[r] += documents[r].size(); }
  }
  std::size_t total = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    total += bytes[r];
    if (total >= kBlockTextBytes) { return r + 1; }
  }
  return rows;
}

std::optional<double> words_of_documents(const ArrowTable::Batches& batches, std::size_t field,
                                         std::span<const double> weights) {
  std::vector<std::string_view> documents(rows_of_documents(batches, {field}, 0, kBlockRows));
  read_documents(batches, field, 0, documents);
  for (std::size_t r = 0; r < documents.size() && !weights.empty(); ++r) {
    if (weights[r] == 0) { documents[r] = {}; }
  }
  return looks_like_documents(documents);
}

}  // namespace logodds
