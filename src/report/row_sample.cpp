#include "report/row_sample.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "logodds/data/positions.hpp"
#include "logodds/draw/scale.hpp"
#include "logodds/text/utf8.hpp"

namespace logodds::report {

namespace {

SourceColumn source_column(const Column& column) {
  return {.name = column.name,
          .coded = column.coded(),
          .given_kind = column.kind,
          .text = column.text()};
}

class SampleSource final : public BlockSource {
 public:
  explicit SampleSource(const RowSample& sample) : sample_(sample) {
    for (const Column& column : sample.schema().columns) {
      columns_.push_back(source_column(column));
    }
  }

  [[nodiscard]] std::string name() const override { return "a sample of the rows"; }
  [[nodiscard]] const std::vector<SourceColumn>& columns() const override { return columns_; }
  [[nodiscard]] std::string target() const override { return sample_.schema().target; }
  [[nodiscard]] std::string place(std::size_t row) const override {
    return "row " + std::to_string(row + 1) + " of a sample";
  }
  bool restart_with_coded(std::span<const std::size_t>) override { return false; }

  bool take(RowBuffer& buffer) override {
    if (next_ >= sample_.rows()) { return false; }
    buffer.ordinal = ordinal_++;
    buffer.first_row = next_;
    buffer.rows = std::min(kBlockRows, sample_.rows() - next_);
    next_ += buffer.rows;
    return true;
  }

  void parse(RowBuffer& buffer) const override {
    buffer.numeric_columns = buffer.numeric_stride = sample_.numeric_columns();
    buffer.numeric_data = sample_.numbers().data() + buffer.first_row * sample_.numeric_columns();
    buffer.lasting = true;
    buffer.complete = false;
    buffer.unseen_levels = 0;
    buffer.row_numbers.clear();
    const auto begin = static_cast<std::ptrdiff_t>(buffer.first_row);
    const auto end = begin + static_cast<std::ptrdiff_t>(buffer.rows);
    buffer.labels.assign(sample_.labels().begin() + begin, sample_.labels().begin() + end);
    buffer.codes.resize(sample_.codes().size());
    for (std::size_t c = 0; c < buffer.codes.size(); ++c) {
      buffer.codes[c].assign(sample_.codes()[c].begin() + begin, sample_.codes()[c].begin() + end);
    }
    buffer.texts.resize(sample_.text_columns());
    for (std::size_t c = 0; c < buffer.texts.size(); ++c) {
      buffer.texts[c].clear();
      for (std::size_t r = 0; r < buffer.rows; ++r) {
        buffer.texts[c].push_back(sample_.document(buffer.first_row + r, c));
      }
    }
    buffer.weights.clear();
    for (std::size_t r = 0; r < buffer.rows; ++r) {
      buffer.weights.push_back(sample_.weight(buffer.first_row + r));
    }
  }

 private:
  const RowSample& sample_;
  std::vector<SourceColumn> columns_;
  std::size_t next_ = 0;
  std::size_t ordinal_ = 0;
};

}  // namespace

RowSample::RowSample(const Schema& schema)
    : schema_(&schema),
      numeric_columns_(schema.numeric_count()),
      codes_(schema.coded_count()),
      texts_(schema.text_count()),
      text_there_(schema.text_count()) {}

void RowSample::add(const RowBlock& block, std::size_t row) {
  if (block.is_sparse()) {
    const std::size_t first = numbers_.size();
    numbers_.resize(first + numeric_columns_, 0.0);
    for (std::size_t i = block.sparse.starts[row]; i < block.sparse.starts[row + 1]; ++i) {
      numbers_[first + block.sparse.indices[i]] = block.sparse.values[i];
    }
  } else {
    const double* const values = block.numeric + row * block.numeric_stride;
    numbers_.insert(numbers_.end(), values, values + numeric_columns_);
  }
  for (std::size_t c = 0; c < codes_.size(); ++c) { codes_[c].push_back(block.codes[c][row]); }
  for (std::size_t c = 0; c < texts_.size(); ++c) {
    const std::string_view document = block.texts[c][row];
    texts_[c].emplace_back(document);
    text_there_[c].push_back(document.data() == nullptr ? 0 : 1);
  }
  labels_.push_back(block.labels == nullptr ? kMissingCode : block.labels[row]);
  weights_.push_back(block.weight(row));
}

void RowSample::keep_every_second() {
  const auto thin = [](auto& values, std::size_t width) {
    const std::size_t rows = width == 0 ? 0 : values.size() / width;
    for (std::size_t r = 1; 2 * r < rows; ++r) {
      for (std::size_t c = 0; c < width; ++c) {
        values[r * width + c] = std::move(values[2 * r * width + c]);
      }
    }
    values.resize((rows + 1) / 2 * width);
  };
  thin(numbers_, numeric_columns_);
  for (auto& column : codes_) { thin(column, 1); }
  for (auto& column : texts_) { thin(column, 1); }
  for (auto& column : text_there_) { thin(column, 1); }
  thin(labels_, 1);
  thin(weights_, 1);
}

std::string RowSample::value_text(std::size_t row, std::size_t column) const {
  constexpr std::size_t kLongest = 160;
  constexpr int kDigits = 6;
  const std::size_t at = positions_of(*schema_)[column];
  const Column& wanted = schema_->columns[column];
  if (wanted.text()) {
    return text_there_[at][row] != 0 ? text::beginning(texts_[at][row], kLongest) : "missing";
  }
  if (wanted.coded()) {
    const std::int32_t code = codes_[at][row];
    if (code == kUnseenCode) { return "not seen in training"; }
    return code < 0 ? "missing"
                    : text::beginning(wanted.levels[static_cast<std::size_t>(code)], kLongest);
  }
  const double value = numbers_[row * numeric_columns_ + at];
  return std::isnan(value) ? "missing" : draw::short_text(value, kDigits);
}

bool RowSample::same_rows(const RowSample& other) const {
  const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  return labels_ == other.labels_ && codes_ == other.codes_ && texts_ == other.texts_ &&
         text_there_ == other.text_there_ && weights_ == other.weights_ &&
         std::ranges::equal(numbers_, other.numbers_, {}, bits, bits);  // NaN is equal to NaN
}

std::unique_ptr<BlockSource> RowSample::open() const {
  return std::make_unique<SampleSource>(*this);
}

}  // namespace logodds::report
