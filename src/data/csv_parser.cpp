#include "data/csv_parser.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>

#include "data/csv_index.hpp"
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
  for (const char* at = parse_indexed(); at != end_;) {
    if (!blank_lines_are_rows && at_line_end(at, end_)) {
      at = next_line(at, end_);
    } else {
      row_begin_ = at;
      at = parse_row();
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
  buffer_.texts.resize(plan_.text_count);
  for (auto& column : buffer_.texts) { column.resize(rows); }
  buffer_.text_copies.clear();
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
  known_words_.assign(plan_.coded_count * kKnownWords, {});
}

void BlockParser::finish() {
  buffer_.complete = buffer_.unseen_levels == 0 &&
                     std::ranges::all_of(buffer_.facts, [](const ColumnFacts& facts) {
                       return facts.missing == 0 && !facts.not_number;
                     });
  if (kept_ == seen_) { return; }
  buffer_.rows = kept_;
  buffer_.numeric.resize(kept_ * plan_.number_count);
  buffer_.numeric_data = buffer_.numeric.data();
  for (auto& column : buffer_.codes) { column.resize(kept_); }
  for (auto& column : buffer_.texts) { column.resize(kept_); }
  if (plan_.label_field) { buffer_.labels.resize(kept_); }
  buffer_.weights.resize(kept_);
}

// False for a row of weight 0.
bool BlockParser::begin_row() {
  if (seen_ == buffer_.rows) {  // cannot happen while the splitter and the fields agree
    throw Error(ErrorCode::input, place_of(0) + ": more rows than line ends; check the quotes");
  }
  ++seen_;
  if (plan_.weight_field) {
    const double weight = read_weight(row_begin_);
    if (weight == 0) {
      if (kept_ + 1 == seen_) {  // the first row that is dropped
        for (std::size_t r = 0; r < kept_; ++r) {
          buffer_.row_numbers.push_back(buffer_.first_row + r);
        }
      }
      return false;
    }
    buffer_.weights[kept_] = weight;
    if (kept_ + 1 != seen_) { buffer_.row_numbers.push_back(buffer_.first_row + seen_ - 1); }
  }
  numbers_ = buffer_.numeric.data() + kept_ * plan_.number_count;
  return true;
}

/// Parses rows as long as their separators are known and quick numbers stay inside the text.
const char* BlockParser::parse_indexed() {
  constexpr std::size_t kMostBytes = std::size_t{64} << 20U;  // else the index itself is large
  const std::string_view text = buffer_.text.substr(0, buffer_.text.rfind('\n') + 1);
  if (text.size() > kMostBytes) { return begin_; }
  const std::size_t fields = plan_.fields.size();
  const std::size_t count =
      index_separators(text, plan_.dialect.delimiter, buffer_.separators, plan_.dialect.quotes);
  std::size_t next = 0;
  for (row_begin_ = begin_; next + fields <= count;
       row_begin_ = begin_ + buffer_.separators[next - 1] + 1) {
    const std::uint32_t* const separators = buffer_.separators.data() + next;
    if (fields > 1 && at_line_end(row_begin_, end_)) {
      ++next;
      continue;
    }
    if (end_ - begin_ - separators[fields - 1] < kPlainReach) { break; }
    if (begin_row()) {
      parse_indexed_fields(separators);
      ++kept_;
    } else {
      (void)skip_row(row_begin_);
    }
    next += fields;
  }
  return row_begin_;
}

void BlockParser::parse_indexed_fields(const std::uint32_t* separators) {
  const std::size_t last = plan_.fields.size() - 1;
  const char delimiter = plan_.dialect.delimiter;
  const char* at = row_begin_;
  for (std::size_t i = 0; i <= last; ++i) {
    const FieldPlan& field = plan_.fields[i];
    const char* const stop = begin_ + separators[i];
    if (*stop != (i == last ? '\n' : delimiter)) { fail_ragged(); }
    double value = 0;
    if (field.quick && (short_decimal(at, stop, value) || plain_decimal(at, value) == stop) &&
        !plan_.missing.may_be(value)) {
      store(field, value);
    } else if (field.use == FieldUse::text) {
      use_document(checked_field(at, i), i);
    } else if (!use_known_word(at, stop, field)) {
      if (plain_word(at, stop) && !holds_escape(at, stop)) {
        use_plain_word(at, stop, i);
      } else if (any_number(at, field, i == last) == nullptr) {
        (void)any_field(at, i);
      }
    }
    at = stop + 1;
  }
}

namespace {

/// The bytes of a word of 1 to 8, zeros above them.
std::uint64_t word_of(const char* at, std::size_t length) {
  return detail::load_word(at) << (64 - 8 * length) >> (64 - 8 * length);
}

std::size_t place_of_word(std::uint64_t word) { return word * 0x9E3779B97F4A7C15U >> 58U; }

}  // namespace

bool BlockParser::holds_escape(const char* at, const char* stop) const {
  return plan_.dialect.escapes && std::find(at, stop, '\\') != stop;
}

bool BlockParser::use_known_word(const char* at, const char* stop, const FieldPlan& field) {
  const auto length = static_cast<std::size_t>(stop - at);
  if (field.use != FieldUse::level || length - 1 > 7) { return false; }
  const std::uint64_t word = word_of(at, length);
  const KnownWord& known = known_words_[field.slot * kKnownWords + place_of_word(word)];
  if (known.word != word || known.length != length) { return false; }
  buffer_.codes[field.slot][kept_] = known.code;
  return true;
}

void BlockParser::use_plain_word(const char* at, const char* stop, std::size_t index) {
  const FieldPlan& field = plan_.fields[index];
  const auto length = static_cast<std::size_t>(stop - at);
  use_field({at, length}, index);
  if (field.use != FieldUse::level || length - 1 > 7) { return; }
  const std::int32_t code = buffer_.codes[field.slot][kept_];
  if (code < 0) { return; }  // missing, or unseen: each is counted
  const std::uint64_t word = word_of(at, length);
  known_words_[field.slot * kKnownWords + place_of_word(word)] = {word, length, code};
}

const char* BlockParser::parse_row() {
  if (!begin_row()) { return skip_row(row_begin_); }
  const char* const next = parse_fields(row_begin_);
  ++kept_;
  return next;
}

const char* BlockParser::parse_fields(const char* at) {
  const std::size_t last = plan_.fields.size() - 1;
  for (std::size_t i = 0;; ++i) {
    const char* next = any_number(at, plan_.fields[i], i == last);
    if (next == nullptr) { next = any_field(at, i); }
    const bool line_end = at_line_end(next, end_);
    if (line_end != (i == last)) { fail_ragged(); }
    if (line_end) { return next_line(next, end_); }
    at = next + 1;
  }
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

/// The end of a number that needs no trimming and that a delimiter or line end follows, or null.
const char* BlockParser::any_number(const char* at, const FieldPlan& field, bool last) {
  if (!field.quick) { return nullptr; }
  double value = 0;
  const auto result = fast_float::from_chars(at, end_, value);
  if (result.ec != std::errc() || !std::isfinite(value) || plan_.missing.may_be(value)) {
    return nullptr;
  }
  const bool whole = last ? at_line_end(result.ptr, end_)
                          : result.ptr != end_ && *result.ptr == plan_.dialect.delimiter;
  if (!whole) { return nullptr; }
  store(field, value);
  return result.ptr;
}

const char* BlockParser::any_field(const char* at, std::size_t index) {
  const Field field = checked_field(at, index);
  if (plan_.fields[index].use == FieldUse::text) {
    use_document(field, index);
  } else {
    use_field(plain_text(field), index);
  }
  return field.next;
}

void BlockParser::use_field(std::string_view text, std::size_t index) {
  switch (plan_.fields[index].use) {
    case FieldUse::number:
      use_number(text, index);
      break;
    case FieldUse::level:
      use_level(text, index);
      break;
    case FieldUse::label:
      use_label(text, index);
      break;
    case FieldUse::text:    // see use_document()
    case FieldUse::weight:  // read before the row
    case FieldUse::skip:
      break;
  }
}

}  // namespace logodds::csv
