// The rest of BlockParser: what the text of a field means, and what is wrong with it.
#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/csv_parser.hpp"
#include "data/csv_text.hpp"
#include "data/row_labels.hpp"
#include "logodds/error.hpp"

namespace logodds::csv {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// "inf", "-Infinity", and decimals beyond the range of a double.
bool infinite_number(std::string_view token) {
  if (token.starts_with('+')) { token.remove_prefix(1); }
  double value = 0;
  const char* const end = token.data() + token.size();
  const auto result = fast_float::from_chars(token.data(), end, value);
  return result.ptr == end && std::isinf(value);
}

bool decimal_comma(std::string_view token) {
  const std::size_t comma = token.find(',');
  if (comma == std::string_view::npos) { return false; }
  std::string pointed(token);
  pointed[comma] = '.';
  return parse_number(pointed).has_value();
}

}  // namespace

Field BlockParser::checked_field(const char* at, std::size_t index) const {
  const Field field = read_field(at, end_, plan_.dialect);
  if (field.fault == FieldFault::none) { return field; }
  const std::string column =
      index < plan_.names.size() ? ", column '" + plan_.names[index] + "'" : "";
  throw Error(ErrorCode::input, plan_.file + ", line " + std::to_string(line_of(at)) + column +
                                    ": " + fault_sentence(field.fault, plan_.dialect.delimiter));
}

std::string_view BlockParser::plain_text(const Field& field) {
  if (!needs_rewriting(field, plan_.dialect)) { return field.text; }
  scratch_.clear();
  append_rewritten(field, plan_.dialect, scratch_);
  return scratch_;
}

void BlockParser::use_document(Field field, std::size_t index) {
  const FieldPlan& plan = plan_.fields[index];
  field.text = field.untrimmed;
  if (needs_rewriting(field, plan_.dialect)) {
    std::string& copies = buffer_.text_copies;
    // Copies never need more than the block's text, so that none moves once it is made. Room for 64
    // is room on the heap, which stays where it is when the buffer is moved.
    copies.reserve(std::max<std::size_t>(buffer_.text.size(), 64));
    const std::size_t begin = copies.size();
    append_rewritten(field, plan_.dialect, copies);
    field.text = std::string_view(copies).substr(begin);
  }
  buffer_.texts[plan.slot][kept_] = field.text;
  buffer_.facts[plan.column].any_value = true;
}

void BlockParser::use_number(std::string_view token, std::size_t index) {
  const FieldPlan& field = plan_.fields[index];
  token = trimmed(token, '\0');  // quoted numbers may have spaces too
  if (plan_.missing.contains(token)) {
    numbers_[field.slot] = kMissing;
    ++buffer_.facts[field.column].missing;
  } else if (const auto value = parse_number(token)) {
    store_checked(field, *value, token, index);
  } else if (!infinite_number(token)) {
    use_no_number(token, index);
  } else if (mode_ == Mode::full) {
    fail_value(token, index,
               "is not a finite number; remove the row, or make it a missing value with "
               "--missing-tokens");
  }
}

void BlockParser::use_no_number(std::string_view token, std::size_t index) {
  const FieldPlan& field = plan_.fields[index];
  const auto given = plan_.columns[field.column].given_kind;
  if (plan_.columns_given || given == ColumnKind::real || given == ColumnKind::count) {
    fail_not_number(token, index);
  }
  numbers_[field.slot] = kMissing;
  ColumnFacts& facts = buffer_.facts[field.column];
  if (!facts.not_number) {
    const std::string text = shown(token);  // without its quotes
    facts.not_number =
        ColumnFacts::NotNumber{buffer_.first_row + seen_ - 1, text.substr(1, text.size() - 2)};
  }
}

void BlockParser::store_checked(const FieldPlan& field, double value, std::string_view token,
                                std::size_t index) {
  const auto given = field.quick ? std::nullopt : plan_.columns[field.column].given_kind;
  if (given == ColumnKind::count && (value < 0 || value != std::floor(value))) {
    fail_value(token, index,
               "is not a count (0, 1, 2, ...); correct it, or use --kinds " + plan_.names[index] +
                   "=real");
  }
  if (given == ColumnKind::binary && value != 0 && value != 1) {
    use_no_number(token, index);  // two other numbers are two levels
    return;
  }
  store(field, value);
}

void BlockParser::use_level(std::string_view token, std::size_t index) {
  const FieldPlan& field = plan_.fields[index];
  std::int32_t& code = buffer_.codes[field.slot][kept_];
  ColumnFacts& facts = buffer_.facts[field.column];
  code = kMissingCode;
  if (plan_.missing.contains(token)) {
    ++facts.missing;
    return;
  }
  facts.any_value = true;
  if (plan_.bound) {
    code = plan_.level_codes[field.slot].find(token);
    if (code == kMissingCode) {
      code = kUnseenCode;
      ++buffer_.unseen_levels;
    }
  } else {
    code = discover(buffer_.levels[field.slot], token, index);
  }
}

void BlockParser::use_label(std::string_view token, std::size_t index) {
  constexpr std::size_t kMostNames = 10;
  std::int32_t& label = buffer_.labels[kept_];
  if (plan_.missing.contains(token)) {
    label = kMissingCode;
    if (plan_.lenient_labels || mode_ == Mode::probing) { return; }
    throw Error(ErrorCode::input, place_of(index) +
                                      ": the row has no label; remove the row or fill it in" +
                                      std::string(plan_.bound ? "" : kUseUnlabeled));
  }
  if (!plan_.bound) {
    label = discover(buffer_.label_values, token, index);
    return;
  }
  label = plan_.label_codes.find(token);
  if (label < 0 && !plan_.lenient_labels) {
    fail_value(token, index,
               "is not one of the classes of the model (" +
                   name_list(plan_.label_codes.values(), kMostNames) +
                   "); correct it or remove the row");
  }
}

std::int32_t BlockParser::discover(Dictionary& dictionary, std::string_view value,
                                   std::size_t index) {
  const std::size_t known = dictionary.size();
  const std::int32_t code = dictionary.code(value);
  if (dictionary.size() != known) {
    const std::string sentence = encoding_sentence(value);
    if (!sentence.empty()) { fail_value(value, index, sentence); }
  }
  return code;
}

double BlockParser::read_weight(const char* at) {
  const std::size_t index = *plan_.weight_field;
  for (std::size_t i = 0; i < index; ++i) {
    at = checked_field(at, i).next;
    if (at_line_end(at, end_)) { fail_ragged(); }
    ++at;
  }
  const auto token = trimmed(plain_text(checked_field(at, index)), '\0');
  if (plan_.missing.contains(token)) {
    throw Error(ErrorCode::input, place_of(index) +
                                      ": the row has no weight; fill it in, or write 0 to leave "
                                      "the row out");
  }
  const auto weight = parse_number(token);
  if (!weight || *weight < 0) {
    fail_value(token, index,
               "is not a weight; write a number that is 0 or more, or remove the row");
  }
  return *weight;
}

std::size_t BlockParser::line_of(const char* at) const {
  return buffer_.first_line + static_cast<std::size_t>(std::count(begin_, at, '\n'));
}

std::string BlockParser::place_of(std::size_t index) const {
  return plan_.file + ", line " + std::to_string(line_of(row_begin_)) + ", column '" +
         plan_.names[index] + "'";
}

void BlockParser::fail_value(std::string_view value, std::size_t index,
                             const std::string& sentence) const {
  throw Error(ErrorCode::input, place_of(index) + ": " + shown(value) + " " + sentence);
}

void BlockParser::fail_not_number(std::string_view token, std::size_t index) const {
  const std::string problem = "is not a number; ";
  if (decimal_comma(token)) {
    fail_value(token, index, problem + "write decimals with a point instead of a comma");
  }
  if (plan_.columns_given) {
    fail_value(token, index,
               problem + "the model was trained on numbers there, so correct it or leave it empty");
  }
  fail_value(token, index,
             problem +
                 "correct it, make it a missing value with --missing-tokens, or use "
                 "--kinds " +
                 plan_.names[index] + "=categorical");
}

void BlockParser::fail_ragged() {
  std::size_t fields = 0;
  const char* at = row_begin_;
  for (;; ++at) {
    at = checked_field(at, fields).next;
    ++fields;
    if (at_line_end(at, end_)) { break; }
  }
  const std::string first = plan_.named ? "the header has " : "the first line has ";
  throw Error(ErrorCode::input,
              plan_.file + ", line " + std::to_string(line_of(row_begin_)) + ": " +
                  std::to_string(fields) + (fields == 1 ? " field, but " : " fields, but ") +
                  first + std::to_string(plan_.fields.size()) +
                  "; add or remove fields, or quote a field that contains the delimiter");
}

}  // namespace logodds::csv
