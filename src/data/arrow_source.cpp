#include "logodds/data/arrow_source.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "data/arrow_batches.hpp"
#include "data/arrow_documents.hpp"
#include "data/arrow_plan.hpp"
#include "data/row_labels.hpp"
#include "logodds/error.hpp"

namespace logodds {
namespace {

/// Stands in a buffer, for a moment, for a value that the bound schema does not know.
constexpr std::int32_t kUnseenLevel = -3;

template <class Value>
const Value* start_of(std::span<const Value> values) {
  return values.empty() ? nullptr : values.data();
}

class ArrowSource final : public BlockSource {
 public:
  ArrowSource(const ArrowTable& table, ArrowLabels labels, ArrowNulls nulls);
  ArrowSource(const ArrowTable& table, const Schema& schema, ArrowNulls nulls);

  [[nodiscard]] std::string name() const override { return "table"; }
  [[nodiscard]] const std::vector<SourceColumn>& columns() const override { return plan_.columns; }
  [[nodiscard]] std::string target() const override { return {}; }
  [[nodiscard]] bool weighted() const override { return !labels_.weights.empty(); }
  bool take(RowBuffer& buffer) override;
  void parse(RowBuffer& buffer) const override;
  /// Types are known from the start, so no column is ever found to be something else.
  bool restart_with_coded(std::span<const std::size_t>) override { return false; }
  [[nodiscard]] double fraction_taken() const override;
  [[nodiscard]] std::string place(std::size_t row) const override {
    return "row " + std::to_string(row + 1);
  }
  [[nodiscard]] std::vector<std::string> notes() const override { return plan_.notes; }

 private:
  void check_length(std::size_t length, const char* what) const;
  void size_parts(RowBuffer& buffer) const;
  void parse_numbers(RowBuffer& buffer, std::size_t column, std::size_t position,
                     const std::vector<std::uint8_t>& drop) const;
  void parse_codes(RowBuffer& buffer, std::size_t column, std::size_t position,
                   const std::vector<std::uint8_t>& drop) const;
  void parse_documents(RowBuffer& buffer, std::size_t column, std::size_t position,
                       const std::vector<std::uint8_t>& drop) const;
  [[noreturn]] void refuse(std::size_t row, std::size_t column, const std::string& problem) const;
  void refuse_null(const RowBuffer& buffer, std::size_t row, std::size_t column,
                   std::int32_t code) const;
  [[nodiscard]] std::int32_t known_level(std::size_t column, std::string_view text) const;

  const ArrowTable::Batches& batches_;
  ArrowLabels labels_;
  ArrowNulls nulls_;
  bool bound_;
  arrow::Plan plan_;
  std::size_t next_row_ = 0;
  std::size_t next_block_ = 0;
};

ArrowSource::ArrowSource(const ArrowTable& table, ArrowLabels labels, ArrowNulls nulls)
    : batches_(table.batches()), labels_(std::move(labels)), nulls_(nulls), bound_(false) {
  if (!labels_.labels.empty()) { check_length(labels_.labels.size(), "labels"); }
  if (!labels_.weights.empty()) { check_length(labels_.weights.size(), "weights"); }
  plan_ = arrow::plan_table(batches_, labels_);
}

ArrowSource::ArrowSource(const ArrowTable& table, const Schema& schema, ArrowNulls nulls)
    : batches_(table.batches()),
      nulls_(nulls),
      bound_(true),
      plan_(arrow::plan_bound(batches_, schema)) {}

void ArrowSource::check_length(std::size_t length, const char* what) const {
  if (length == batches_.rows) { return; }
  throw Error(ErrorCode::input, "the table has " + std::to_string(batches_.rows) + " rows but " +
                                    std::to_string(length) + " " + what +
                                    "; give one for each row");
}

bool ArrowSource::take(RowBuffer& buffer) {
  if (next_row_ == batches_.rows) { return false; }
  buffer.ordinal = next_block_++;
  buffer.first_row = next_row_;
  buffer.rows = plan_.documents.empty()
                    ? std::min(kBlockRows, batches_.rows - next_row_)
                    : rows_of_documents(batches_, plan_.documents, next_row_, kBlockRows);
  next_row_ += buffer.rows;
  return true;
}

double ArrowSource::fraction_taken() const {
  return batches_.rows == 0 ? 1.0
                            : static_cast<double>(next_row_) / static_cast<double>(batches_.rows);
}

void ArrowSource::parse(RowBuffer& buffer) const {
  const auto drop = read_weights(buffer, start_of(labels_.weights));
  buffer.row_numbers.clear();
  buffer.unseen_levels = 0;
  ColumnFacts fresh;
  fresh.zero_one = fresh.counts = !bound_;  // nobody asks for the kinds of a bound table
  buffer.facts.assign(plan_.columns.size(), fresh);
  size_parts(buffer);
  std::size_t numeric_position = 0;
  std::size_t coded_position = 0;
  std::size_t text_position = 0;
  for (std::size_t f = 0; f < plan_.fields.size(); ++f) {
    if (plan_.columns[f].text) {
      parse_documents(buffer, f, text_position++, drop);
    } else if (plan_.columns[f].coded) {
      parse_codes(buffer, f, coded_position++, drop);
    } else {
      parse_numbers(buffer, f, numeric_position++, drop);
    }
  }
  read_labels(buffer, start_of(labels_.labels), labels_.names, drop);
  buffer.drop_rows(drop);
}

void ArrowSource::size_parts(RowBuffer& buffer) const {
  const auto coded =
      static_cast<std::size_t>(std::ranges::count(plan_.columns, true, &SourceColumn::coded));
  buffer.numeric_columns = buffer.numeric_stride =
      plan_.columns.size() - coded - plan_.documents.size();
  buffer.numeric.resize(buffer.rows * buffer.numeric_columns);
  buffer.numeric_data = buffer.numeric.data();
  buffer.codes.resize(coded);
  buffer.levels.assign(bound_ ? 0 : coded, {});
  buffer.texts.resize(plan_.documents.size());
}

void ArrowSource::parse_documents(RowBuffer& buffer, std::size_t column, std::size_t position,
                                  const std::vector<std::uint8_t>& drop) const {
  auto& documents = buffer.texts[position];
  documents.resize(buffer.rows);
  read_documents(batches_, plan_.fields[column], buffer.first_row, documents);
  ColumnFacts& facts = buffer.facts[column];
  for (std::size_t r = 0; r < buffer.rows; ++r) {
    if (!drop.empty() && drop[r] != 0) { continue; }
    if (documents[r].data() != nullptr) {
      facts.any_value = true;
      continue;
    }
    refuse_null(buffer, r, column, kMissingCode);
    ++facts.missing;
  }
}

void ArrowSource::parse_numbers(RowBuffer& buffer, std::size_t column, std::size_t position,
                                const std::vector<std::uint8_t>& drop) const {
  const std::size_t stride = buffer.numeric_stride;
  double* const out = buffer.numeric.data() + position;
  for (const auto& part : segments(batches_, buffer.first_row, buffer.rows)) {
    batches_.column(part.batch, plan_.fields[column], part.row)
        .numbers(part.rows, out + part.position * stride, stride);
  }
  ColumnFacts& facts = buffer.facts[column];
  for (std::size_t r = 0; r < buffer.rows; ++r) {
    if (!drop.empty() && drop[r] != 0) { continue; }
    const double value = out[r * stride];
    if (std::isnan(value)) {
      refuse_null(buffer, r, column, kMissingCode);
      ++facts.missing;
      continue;
    }
    if (std::isinf(value)) { refuse(buffer.first_row + r, column, "the value is infinity (inf)"); }
    facts.add(value);
  }
}

void ArrowSource::parse_codes(RowBuffer& buffer, std::size_t column, std::size_t position,
                              const std::vector<std::uint8_t>& drop) const {
  auto& codes = buffer.codes[position];
  codes.assign(buffer.rows, kMissingCode);
  const auto code_of = [&](std::string_view text) {
    return bound_ ? known_level(column, text) : buffer.levels[position].code(text);
  };
  for (const auto& part : segments(batches_, buffer.first_row, buffer.rows)) {
    batches_.column(part.batch, plan_.fields[column], part.row)
        .codes(part.rows, code_of, codes.data() + part.position);
  }
  ColumnFacts& facts = buffer.facts[column];
  for (std::size_t r = 0; r < buffer.rows; ++r) {
    if (!drop.empty() && drop[r] != 0) { continue; }
    if (codes[r] >= 0) {
      facts.any_value = true;
      continue;
    }
    refuse_null(buffer, r, column, codes[r]);
    const bool unseen = codes[r] == kUnseenLevel;
    buffer.unseen_levels += unseen ? 1U : 0U;
    facts.missing += unseen ? 0U : 1U;
    codes[r] = unseen ? kUnseenCode : kMissingCode;
  }
}

/// Files write booleans as True and False, or as true and false.
std::int32_t ArrowSource::known_level(std::size_t column, std::string_view text) const {
  std::int32_t code = plan_.levels[column].find(text);
  if (code < 0 && batches_.fields[plan_.fields[column]].type == arrow::Type::boolean) {
    code = plan_.levels[column].find(text == "True" ? "true" : "false");
  }
  return code < 0 ? kUnseenLevel : code;
}

void ArrowSource::refuse(std::size_t row, std::size_t column, const std::string& problem) const {
  throw Error(ErrorCode::input, place(row) + ", column '" + plan_.columns[column].name +
                                    "': " + problem +
                                    ", which this model cannot use; fill it in, or leave out the "
                                    "row or the column");
}

void ArrowSource::refuse_null(const RowBuffer& buffer, std::size_t row, std::size_t column,
                              std::int32_t code) const {
  if (nulls_ == ArrowNulls::missing) { return; }
  refuse(buffer.first_row + row, column,
         code == kUnseenLevel ? "the value did not occur in training"
                              : "the value is missing (null or NaN)");
}

}  // namespace

std::unique_ptr<BlockSource> open_arrow(const ArrowTable& table, ArrowLabels labels,
                                        ArrowNulls nulls) {
  return std::make_unique<ArrowSource>(table, std::move(labels), nulls);
}

std::unique_ptr<BlockSource> open_arrow(const ArrowTable& table, const Schema& schema,
                                        ArrowNulls nulls) {
  return std::make_unique<ArrowSource>(table, schema, nulls);
}

}  // namespace logodds
