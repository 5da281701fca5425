// Views of a buffer, and what is done with rows that lack a value.
#include "logodds/data/row_block.hpp"

#include <algorithm>
#include <cmath>

namespace logodds {
namespace {

template <class Value>
void keep_unflagged(std::vector<Value>& values, const std::vector<std::uint8_t>& flags) {
  if (values.empty()) { return; }
  std::size_t kept = 0;
  for (std::size_t r = 0; r < flags.size(); ++r) {
    if (flags[r] == 0) { values[kept++] = values[r]; }
  }
  values.resize(kept);
}

}  // namespace

void ColumnFacts::merge(const ColumnFacts& other) {
  missing += other.missing;
  any_value = any_value || other.any_value;
  zero_one = zero_one && other.zero_one;
  counts = counts && other.counts;
  if (other.not_number && (!not_number || other.not_number->row < not_number->row)) {
    not_number = other.not_number;
  }
}

void TextTally::add(const TextTally& other) {
  documents += other.documents;
  without_words += other.without_words;
  terms += other.terms;
  unknown_terms += other.unknown_terms;
  bad_characters += other.bad_characters;
}

RowBlock RowBuffer::view() {
  code_pointers_.clear();
  for (const auto& column : codes) { code_pointers_.push_back(column.data()); }
  text_pointers_.clear();
  for (const auto& column : texts) { text_pointers_.push_back(column.data()); }
  RowBlock block;
  block.ordinal = ordinal;
  block.first_row = first_row;
  block.rows = rows;
  block.numeric = numeric_data;
  block.numeric_columns = numeric_columns;
  block.numeric_stride = numeric_stride;
  if (is_sparse()) {
    block.sparse = {sparse_starts.data(), sparse_indices.data(), sparse_values.data()};
  }
  block.lasting = lasting;
  block.codes = code_pointers_;
  block.labels = labels.empty() ? nullptr : labels.data();
  block.weights = weights.empty() ? nullptr : weights.data();
  block.complete = complete;
  block.texts = text_pointers_;
  block.tally = &tally;
  block.row_numbers = row_numbers.empty() ? nullptr : row_numbers.data();
  return block;
}

bool RowBuffer::lacks_number(std::size_t row) const {
  const double* begin = numeric_data + row * numeric_stride;
  std::size_t count = numeric_columns;
  if (is_sparse()) {
    begin = sparse_values.data() + sparse_starts[row];
    count = sparse_starts[row + 1] - sparse_starts[row];
  }
  bool missing = false;
  for (std::size_t c = 0; c < count; ++c) { missing |= begin[c] != begin[c]; }
  return missing;
}

std::vector<std::uint8_t> RowBuffer::incomplete_rows() const {
  if (complete) { return {}; }
  std::vector<std::uint8_t> flags(rows, 0);
  bool any = false;
  for (std::size_t r = 0; r < rows; ++r) {
    bool missing = lacks_number(r);
    for (const auto& column : codes) { missing |= column[r] == kMissingCode; }
    for (const auto& column : texts) { missing |= column[r].data() == nullptr; }
    flags[r] = missing ? 1 : 0;
    any |= missing;
  }
  if (!any) { flags.clear(); }
  return flags;
}

void RowBuffer::take_unseen_as_missing() {
  if (unseen_levels == 0) { return; }
  for (auto& column : codes) {
    std::replace(column.begin(), column.end(), kUnseenCode, kMissingCode);
  }
}

void RowBuffer::drop_rows(const std::vector<std::uint8_t>& flags) {
  if (flags.empty()) { return; }
  if (row_numbers.empty()) {
    for (std::size_t r = 0; r < rows; ++r) { row_numbers.push_back(first_row + r); }
  }
  if (is_sparse()) {
    drop_sparse_rows(flags);
  } else {
    drop_dense_rows(flags);
  }
  for (auto& column : codes) { keep_unflagged(column, flags); }
  for (auto& column : texts) { keep_unflagged(column, flags); }
  keep_unflagged(labels, flags);
  keep_unflagged(weights, flags);
  keep_unflagged(row_numbers, flags);
  rows = static_cast<std::size_t>(std::ranges::count(flags, 0));
}

void RowBuffer::drop_dense_rows(const std::vector<std::uint8_t>& flags) {
  own_numeric();
  std::size_t kept = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    if (flags[r] != 0) { continue; }
    if (kept != r) {
      const auto from = numeric.begin() + static_cast<std::ptrdiff_t>(r * numeric_columns);
      std::copy_n(from, numeric_columns,
                  numeric.begin() + static_cast<std::ptrdiff_t>(kept * numeric_columns));
    }
    ++kept;
  }
}

void RowBuffer::drop_sparse_rows(const std::vector<std::uint8_t>& flags) {
  std::vector<std::size_t> starts{0};
  std::size_t end = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    if (flags[r] != 0) { continue; }
    for (std::size_t i = sparse_starts[r]; i < sparse_starts[r + 1]; ++i, ++end) {
      sparse_indices[end] = sparse_indices[i];
      sparse_values[end] = sparse_values[i];
    }
    starts.push_back(end);
  }
  sparse_starts = std::move(starts);
  sparse_indices.resize(end);
  sparse_values.resize(end);
}

void RowBuffer::fill_missing(const std::vector<std::uint8_t>& flags) {
  if (flags.empty()) { return; }
  if (!is_sparse()) { own_numeric(); }
  for (std::size_t r = 0; r < rows; ++r) {
    if (flags[r] == 0) { continue; }
    double* const begin = is_sparse() ? sparse_values.data() + sparse_starts[r]
                                      : numeric.data() + r * numeric_columns;
    double* const end =
        is_sparse() ? sparse_values.data() + sparse_starts[r + 1] : begin + numeric_columns;
    std::replace_if(begin, end, [](double value) { return std::isnan(value); }, 0.0);
    for (auto& column : codes) { column[r] = std::max(column[r], 0); }
  }
}

void RowBuffer::own_numeric() {
  if (numeric_data != numeric.data() || numeric_stride != numeric_columns) {
    std::vector<double> copy(rows * numeric_columns);
    for (std::size_t r = 0; r < rows; ++r) {
      std::copy_n(numeric_data + r * numeric_stride, numeric_columns,
                  copy.data() + r * numeric_columns);
    }
    numeric = std::move(copy);
    numeric_data = numeric.data();
    numeric_stride = numeric_columns;
    lasting = false;
  }
}

}  // namespace logodds
