#include "models/softmax/rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/kernels.hpp"
#include "logodds/error.hpp"

namespace logodds::models::softmax {

namespace {

constexpr std::uint32_t kLeftOut = std::numeric_limits<std::uint32_t>::max();

void point_to(Copied& to, std::size_t rows, std::size_t columns, bool sparse) {
  to.rows.rows = rows;
  to.rows.columns = columns;
  if (sparse) {
    to.rows.x = {};
    to.rows.sparse = {to.starts.data(), to.indices.data(), to.values.data()};
  } else {
    to.rows.x = {to.values.data(), rows, columns, columns};
  }
}

}  // namespace

Encoded encode_rows(const linear::Features& features, const RowBlock& rows, const Schema& schema,
                    double weight, const Context& context) {
  Encoded encoded{.rows = {.rows = rows.rows,
                           .columns = features.size(),
                           .classes = schema.labels.size(),
                           .labels = rows.labels,
                           .weights = rows.weights,
                           .weight = weight,
                           .threads = rows.rows > kBlockRows * 4 ? context.threads : 1},
                  .storage = {}};
  if (rows.is_sparse() && features.takes_sparse()) {
    encoded.rows.sparse = rows.sparse;
  } else {
    encoded.rows.x = features.encode(rows, encoded.storage);
  }
  return encoded;
}

void check_features(const FitRows& rows, const linear::Features& features) {
  if (features.plain() ||
      kernels::all_finite(rows.x.data, rows.rows, rows.columns, rows.x.stride)) {
    return;
  }
  for (std::size_t r = 0; r < rows.rows; ++r) {
    for (std::size_t i = 0; i < rows.columns; ++i) {
      if (std::isfinite(rows.x.data[r * rows.x.stride + i])) { continue; }
      throw Error(ErrorCode::input,
                  "the value of '" + features.names()[i] + "' in row " + std::to_string(r + 1) +
                      " is too large for a number; divide the column by a power of 10, or take a "
                      "smaller --basis");
    }
  }
}

void copy_columns(const FitRows& rows, const std::vector<std::size_t>& kept, Copied& to) {
  to.rows = rows;
  if (!rows.is_sparse()) {
    to.values.resize(rows.rows * kept.size());
    for (std::size_t r = 0; r < rows.rows; ++r) {
      for (std::size_t i = 0; i < kept.size(); ++i) {
        to.values[r * kept.size() + i] = rows.x.data[r * rows.x.stride + kept[i]];
      }
    }
    return point_to(to, rows.rows, kept.size(), false);
  }
  std::vector<std::uint32_t> place(rows.columns, kLeftOut);
  for (std::size_t i = 0; i < kept.size(); ++i) { place[kept[i]] = static_cast<std::uint32_t>(i); }
  to.starts.assign(1, 0);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    for (std::size_t i = rows.sparse.starts[r]; i < rows.sparse.starts[r + 1]; ++i) {
      if (place[rows.sparse.indices[i]] == kLeftOut) { continue; }
      to.indices.push_back(place[rows.sparse.indices[i]]);
      to.values.push_back(rows.sparse.values[i]);
    }
    to.starts.push_back(to.values.size());
  }
  point_to(to, rows.rows, kept.size(), true);
}

void copy_rows(const FitRows& rows, const std::vector<std::size_t>& kept, Copied& to) {
  to.rows = rows;
  to.starts.assign(1, 0);
  to.rows.weight = 0.0;
  for (const std::size_t r : kept) {
    if (rows.is_sparse()) {
      const std::size_t begin = rows.sparse.starts[r];
      const std::size_t end = rows.sparse.starts[r + 1];
      to.values.insert(to.values.end(), rows.sparse.values + begin, rows.sparse.values + end);
      to.indices.insert(to.indices.end(), rows.sparse.indices + begin, rows.sparse.indices + end);
      to.starts.push_back(to.values.size());
    } else {
      const double* const row = rows.x.data + r * rows.x.stride;
      to.values.insert(to.values.end(), row, row + rows.columns);
    }
    to.labels.push_back(rows.labels[r]);
    if (rows.weights != nullptr) { to.weights.push_back(rows.weights[r]); }
    to.rows.weight += rows.weight_of(r);
  }
  point_to(to, kept.size(), rows.columns, rows.is_sparse());
  to.rows.labels = to.labels.data();
  to.rows.weights = rows.weights == nullptr ? nullptr : to.weights.data();
}

}  // namespace logodds::models::softmax
