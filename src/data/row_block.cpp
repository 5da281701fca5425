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
  block.codes = code_pointers_;
  block.labels = labels.empty() ? nullptr : labels.data();
  block.weights = weights.empty() ? nullptr : weights.data();
  block.complete = complete;
  block.texts = text_pointers_;
  block.tally = &tally;
  return block;
}

std::vector<std::uint8_t> RowBuffer::incomplete_rows() const {
  if (complete) { return {}; }
  std::vector<std::uint8_t> flags(rows, 0);
  bool any = false;
  for (std::size_t r = 0; r < rows; ++r) {
    const double* const row = numeric_data + r * numeric_stride;
    bool missing = false;
    for (std::size_t c = 0; c < numeric_columns; ++c) { missing |= row[c] != row[c]; }
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
  own_numeric();
  if (row_numbers.empty()) {
    for (std::size_t r = 0; r < rows; ++r) { row_numbers.push_back(first_row + r); }
  }
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
  for (auto& column : codes) { keep_unflagged(column, flags); }
  for (auto& column : texts) { keep_unflagged(column, flags); }
  keep_unflagged(labels, flags);
  keep_unflagged(weights, flags);
  keep_unflagged(row_numbers, flags);
  rows = kept;
}

void RowBuffer::fill_missing(const std::vector<std::uint8_t>& flags) {
  if (flags.empty()) { return; }
  own_numeric();
  for (std::size_t r = 0; r < rows; ++r) {
    if (flags[r] == 0) { continue; }
    double* const row = numeric.data() + r * numeric_columns;
    std::replace_if(
        row, row + numeric_columns, [](double value) { return std::isnan(value); }, 0.0);
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
  }
}

}  // namespace logodds
