#include "models/linear/feature_rows.hpp"

#include <algorithm>

namespace logodds::models::linear {

namespace {

using Use = std::function<void(std::size_t, const FeatureRow&)>;

/// Entries that are stored although they are 0 are left out.
void each_sparse_row(const RowBlock& rows, const Use& use) {
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (std::size_t r = 0; r < rows.rows; ++r) {
    indices.clear();
    values.clear();
    for (std::size_t i = rows.sparse.starts[r]; i < rows.sparse.starts[r + 1]; ++i) {
      if (rows.sparse.values[i] == 0.0) { continue; }
      indices.push_back(rows.sparse.indices[i]);
      values.push_back(rows.sparse.values[i]);
    }
    use(r, {indices, values});
  }
}

void each_dense_row(const DesignRows& rows, std::size_t first, const Use& use) {
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (std::size_t r = 0; r < rows.rows; ++r) {
    indices.clear();
    values.clear();
    const double* const row = rows.data + r * rows.stride;
    for (std::size_t i = 0; i < rows.columns; ++i) {
      if (row[i] == 0.0) { continue; }
      indices.push_back(static_cast<std::uint32_t>(i));
      values.push_back(row[i]);
    }
    use(first + r, {indices, values});
  }
}

}  // namespace

void each_row(const RowBlock& rows, const Features& features, const Use& use) {
  if (rows.is_sparse() && features.takes_sparse()) {
    each_sparse_row(rows, use);
    return;
  }
  std::vector<double> scratch;
  std::vector<const std::int32_t*> codes(rows.codes.size());
  for (std::size_t first = 0; first < rows.rows; first += kBlockRows) {
    RowBlock part = rows;
    part.rows = std::min(kBlockRows, rows.rows - first);
    if (rows.is_sparse()) {
      part.sparse.starts += first;
    } else if (rows.numeric != nullptr) {
      part.numeric += first * rows.numeric_stride;
    }
    for (std::size_t c = 0; c < codes.size(); ++c) { codes[c] = rows.codes[c] + first; }
    part.codes = codes;
    each_dense_row(features.encode(part, scratch), first, use);
  }
}

}  // namespace logodds::models::linear
