#include "data/csv_parser.hpp"

#include <fast_float/fast_float.h>

#include <cmath>

#include "data/csv_number.hpp"
#include "logodds/error.hpp"

namespace logodds::csv {

BlockParser::BlockParser(const Plan& plan, RowBuffer& buffer, Mode mode)
    : plan_(plan),
      buffer_(buffer),
      mode_(mode),
      begin_(buffer.text.data()),
      end_(buffer.text.data() + buffer.text.size()),
      row_begin_(begin_) {}

void BlockParser::run() {
  prepare();
  const bool blank_lines_are_rows = plan_.fields.size() == 1;
  for (const char* at = begin_; at != end_;) {
    if (!blank_lines_are_rows && at_line_end(at, end_)) {
      at = next_line(at, end_);
    } else {
      row_begin_ = at;
      at = parse_row(at);
    }
  }
  finish();
}

void BlockParser::prepare() {
  const std::size_t rows = buffer_.rows;
  buffer_.numeric_columns = buffer_.numeric_stride = plan_.number_count;
  buffer_.numeric.resize(rows * plan_.number_count);
  buffer_.numeric_data = buffer_.numeric.data();
  buffer_.codes.resize(plan_.coded_count);
  for (auto& column : buffer_.codes) { column.resize(rows); }
  buffer_.labels.resize(plan_.label_field ? rows : 0);
  buffer_.weights.resize(plan_.weight_field ? rows : 0);
  buffer_.row_numbers.clear();
  buffer_.levels.resize(plan_.bound ? 0 : plan_.coded_count);
  for (auto& dictionary : buffer_.levels) { dictionary.clear(); }
  buffer_.label_values.clear();
  ColumnFacts fresh;
  fresh.zero_one = fresh.counts = !plan_.bound;  // nobody asks for the kinds of a bound table
  buffer_.facts.assign(plan_.columns.size(), fresh);
  buffer_.unseen_levels = 0;
}

void BlockParser::finish() {
  if (kept_ == seen_) { return; }
  buffer_.rows = kept_;
  buffer_.numeric.resize(kept_ * plan_.number_count);
  buffer_.numeric_data = buffer_.numeric.data();
  for (auto& column : buffer_.codes) { column.resize(kept_); }
  if (plan_.label_field) { buffer_.labels.resize(kept_); }
  buffer_.weights.resize(kept_);
}

const char* BlockParser::parse_row(const char* at) {
  if (seen_ == buffer_.rows) {  // cannot happen while the splitter and the fields agree
    throw Error(ErrorCode::input, place_of(0) + ": more rows than line ends; check the quotes");
  }
  ++seen_;
  if (plan_.weight_field) {
    const double weight = read_weight(at);
    if (weight == 0) {
      if (kept_ + 1 == seen_) {  // the first row that is dropped
        for (std::size_t r = 0; r < kept_; ++r) {
          buffer_.row_numbers.push_back(buffer_.first_row + r);
        }
      }
      return skip_row(at);
    }
    buffer_.weights[kept_] = weight;
  }
  if (kept_ + 1 != seen_) { buffer_.row_numbers.push_back(buffer_.first_row + seen_ - 1); }
  numbers_ = buffer_.numeric.data() + kept_ * plan_.number_count;
  at = parse_fields(at);
  ++kept_;
  return at;
}

const char* BlockParser::parse_fields(const char* at) {
  const std::size_t last = plan_.fields.size() - 1;
  const char delimiter = plan_.delimiter;
  for (std::size_t i = 0; i < last; ++i) {
    const FieldPlan& field = plan_.fields[i];
    const char* next = nullptr;
    if (field.use == FieldUse::number && !field.checked) {
      next = quick_number(at, field, delimiter);
      if (next == nullptr) { next = long_number(at, field, false); }
    }
    if (next == nullptr) { next = any_field(at, i); }
    if (next == end_ || *next != delimiter) { fail_ragged(); }
    at = next + 1;
  }
  const FieldPlan& field = plan_.fields[last];
  const char* next = nullptr;
  if (field.use == FieldUse::number && !field.checked) {
    next = quick_number(at, field, '\n');
    if (next == nullptr) { next = long_number(at, field, true); }
  }
  if (next == nullptr) { next = any_field(at, last); }
  if (!at_line_end(next, end_)) { fail_ragged(); }
  return next_line(next, end_);
}

const char* BlockParser::skip_row(const char* at) {
  for (std::size_t i = 0;; ++i) {
    at = checked_field(at, i).next;
    if (at_line_end(at, end_)) {
      if (i + 1 != plan_.fields.size()) { fail_ragged(); }
      return next_line(at, end_);
    }
    ++at;
    if (i + 1 == plan_.fields.size()) { fail_ragged(); }
  }
}

inline void BlockParser::store(const FieldPlan& field, double value) {
  numbers_[field.slot] = value;
  ColumnFacts& facts = buffer_.facts[field.column];
  if (facts.counts) {
    facts.any_value = true;
    facts.zero_one = facts.zero_one && (value == 0 || value == 1);
    facts.counts = value >= 0 && value == std::floor(value);
  }
}

/// The end of a plain number that `terminator` follows, or null.
inline const char* BlockParser::quick_number(const char* at, const FieldPlan& field,
                                             char terminator) {
  if (end_ - at < kPlainReach) { return nullptr; }
  double value = 0;
  const char* const next = plain_decimal(at, value);
  if (next == nullptr || *next != terminator || plan_.missing.may_be(value)) { return nullptr; }
  store(field, value);
  return next;
}

/// The same for every number that needs no trimming: long digits, exponents, the end of the text.
const char* BlockParser::long_number(const char* at, const FieldPlan& field, bool last) {
  double value = 0;
  const auto result = fast_float::from_chars(at, end_, value);
  if (result.ec != std::errc() || !std::isfinite(value) || plan_.missing.may_be(value)) {
    return nullptr;
  }
  const bool whole =
      last ? at_line_end(result.ptr, end_) : result.ptr != end_ && *result.ptr == plan_.delimiter;
  if (!whole) { return nullptr; }
  store(field, value);
  return result.ptr;
}

const char* BlockParser::any_field(const char* at, std::size_t index) {
  const Field field = checked_field(at, index);
  switch (plan_.fields[index].use) {
    case FieldUse::number:
      use_number(field.text, index);
      break;
    case FieldUse::level:
      use_level(field.text, index);
      break;
    case FieldUse::label:
      use_label(field.text, index);
      break;
    case FieldUse::weight:  // read before the row
    case FieldUse::skip:
      break;
  }
  return field.next;
}

}  // namespace logodds::csv
