// CSR matrices in the caller's memory as a source of row blocks.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

#include "data/csv_text.hpp"
#include "data/dense_columns.hpp"
#include "data/document_columns.hpp"
#include "data/plain_labels.hpp"
#include "data/row_labels.hpp"
#include "logodds/data/sparse.hpp"
#include "logodds/error.hpp"

namespace logodds {
namespace {

std::string name_of(const SparseData& data, std::size_t column) {
  return data.names.empty() ? "x" + std::to_string(column + 1) : data.names[column];
}

/// What both ways of reading the rows share.
class SparseSource : public BlockSource {
 public:
  [[nodiscard]] std::string name() const override { return "sparse matrix"; }
  [[nodiscard]] const std::vector<SourceColumn>& columns() const override { return columns_; }
  [[nodiscard]] std::string target() const override { return data_.target; }
  [[nodiscard]] std::string place(std::size_t row) const override {
    return "row " + std::to_string(row + 1);
  }
  [[nodiscard]] double fraction_taken() const override {
    return data_.features.rows == 0
               ? 1.0
               : static_cast<double>(next_row_) / static_cast<double>(data_.features.rows);
  }
  bool restart_with_coded(std::span<const std::size_t>) override { return false; }

  bool take(RowBuffer& buffer) override {
    const SparseView& view = data_.features;
    if (next_row_ >= view.rows) { return false; }
    buffer.ordinal = next_ordinal_++;
    buffer.first_row = next_row_;
    const std::int64_t begin = view.starts[next_row_];
    do {
      ++next_row_;
    } while (next_row_ < view.rows && next_row_ - buffer.first_row < most_rows_ &&
             view.starts[next_row_] - begin < kMostValues);
    buffer.rows = next_row_ - buffer.first_row;
    return true;
  }

 protected:
  SparseSource(SparseData data, bool bound) : data_(std::move(data)), bound_(bound) {}

  /// Rows of a block.
  void limit_rows(std::size_t most) { most_rows_ = most; }

  /// Calls use(column, value) for every stored value of a row.
  template <class Use>
  void for_each_value(std::size_t row, const Use& use) const {
    const SparseView& view = data_.features;
    const std::int64_t begin = view.starts[row];
    const std::int64_t end = view.starts[row + 1];
    if (begin < 0 || end < begin || end > view.starts[view.rows]) {
      throw Error(ErrorCode::input, place(row) +
                                        ": the matrix is damaged: its row ends do not "
                                        "ascend; build it anew");
    }
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      use(column_at(i, row), view.values[i]);
    }
  }

  /// Labels and weights; rows of weight 0 are dropped.
  void add_labels(RowBuffer& buffer) const {
    const auto weightless = read_weights(buffer, data_.weights);
    if (bound_) {
      copy_labels(buffer);
    } else {
      read_labels(buffer, data_.labels, data_.label_names, weightless);
    }
    buffer.drop_rows(weightless);
  }

  [[noreturn]] void fail_value(std::size_t row, std::size_t column, double value,
                               const std::string& sentence) const {
    throw Error(ErrorCode::input, place(row) + ", column '" + name_of(data_, column) +
                                      "': " + format_number(value) + " " + sentence);
  }

  [[nodiscard]] const SparseData& data() const { return data_; }
  void set_columns(std::vector<SourceColumn> columns) { columns_ = std::move(columns); }

 private:
  static constexpr std::int64_t kMostValues = std::int64_t{1} << 16U;

  [[nodiscard]] std::size_t column_at(std::size_t i, std::size_t row) const {
    const SparseView& view = data_.features;
    const std::int64_t column = view.wide_indices
                                    ? static_cast<const std::int64_t*>(view.indices)[i]
                                    : static_cast<const std::int32_t*>(view.indices)[i];
    if (column < 0 || static_cast<std::size_t>(column) >= view.columns) {
      throw Error(ErrorCode::input, place(row) + ": the matrix is damaged: column " +
                                        std::to_string(column) + " is outside of its " +
                                        std::to_string(view.columns) + " columns; build it anew");
    }
    return static_cast<std::size_t>(column);
  }

  /// With a bound schema the labels are its codes.
  void copy_labels(RowBuffer& buffer) const {
    buffer.label_values.clear();
    buffer.labels.clear();
    if (data_.labels == nullptr) { return; }
    for (std::size_t r = buffer.first_row; r < buffer.first_row + buffer.rows; ++r) {
      buffer.labels.push_back(static_cast<std::int32_t>(data_.labels[r]));
    }
  }

  SparseData data_;
  std::vector<SourceColumn> columns_;
  bool bound_;
  std::size_t most_rows_ = kBlockRows;
  std::size_t next_row_ = 0;
  std::size_t next_ordinal_ = 0;
};

/// Columns of numbers.
class NumberRows final : public SparseSource {
 public:
  NumberRows(SparseData rows, const Schema* schema)
      : SparseSource(std::move(rows), schema != nullptr) {
    limit_rows(dense_block_rows(data().features.columns));
    if (schema != nullptr) {
      check_fits(*schema);
      std::vector<SourceColumn> columns;
      for (const Column& column : schema->columns) { columns.push_back({.name = column.name}); }
      set_columns(std::move(columns));
    } else if (data().features.columns <= kMostDenseColumns) {
      name_columns();  // more only if they are not refused
    }
  }

  bool keep_sparse() override {
    check_sparse_columns(data().features.columns, name());
    if (columns().size() != data().features.columns) { name_columns(); }
    limit_rows(kBlockRows);
    sparse_ = true;
    return true;
  }

  bool take(RowBuffer& buffer) override {
    if (!sparse_) { check_dense_columns(data().features.columns, name()); }
    return SparseSource::take(buffer);
  }

  void parse(RowBuffer& buffer) const override {
    if (sparse_) {
      parse_sparse(buffer);
    } else {
      parse_dense(buffer);
    }
  }

 private:
  struct Entry {
    std::uint32_t column;
    double value;
  };

  void name_columns() {
    auto columns = numbered_columns(1, data().features.columns);
    for (std::size_t c = 0; c < data().names.size(); ++c) { columns[c].name = data().names[c]; }
    set_columns(std::move(columns));
  }

  void parse_sparse(RowBuffer& buffer) const {
    begin_sparse(buffer, columns().size());
    std::vector<Entry> entries;
    std::vector<std::uint64_t> order;
    std::vector<Entry> sorted;
    for (std::size_t r = 0; r < buffer.rows; ++r) {
      entries.clear();
      bool ascending = true;
      for_each_value(buffer.first_row + r, [&](std::size_t column, double value) {
        check(buffer.first_row + r, column, value);
        ascending = ascending && (entries.empty() || entries.back().column < column);
        entries.push_back({static_cast<std::uint32_t>(column), value});
        buffer.complete = buffer.complete && !std::isnan(value);
      });
      if (!ascending) { put_in_order(entries, order, sorted); }
      for (const Entry& entry : entries) {
        if (entry.value == 0) { continue; }
        buffer.sparse_indices.push_back(entry.column);
        buffer.sparse_values.push_back(entry.value);
      }
      end_sparse_row(buffer);
    }
    add_labels(buffer);
  }

  /// By column; values of a column are added up in the order in which they stand, as in a dense
  /// row. Columns and places are sorted as one number, which takes half the time of entries.
  static void put_in_order(std::vector<Entry>& entries, std::vector<std::uint64_t>& order,
                           std::vector<Entry>& sorted) {
    order.clear();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      order.push_back(std::uint64_t{entries[i].column} << 32U | i);
    }
    std::ranges::sort(order);
    sorted.clear();
    for (const std::uint64_t key : order) {
      const Entry& entry = entries[static_cast<std::uint32_t>(key)];
      if (!sorted.empty() && entry.column == sorted.back().column) {
        sorted.back().value += entry.value;
      } else {
        sorted.push_back(entry);
      }
    }
    entries.swap(sorted);
  }

  void parse_dense(RowBuffer& buffer) const {
    begin_dense(buffer, columns().size());
    double* numbers = buffer.numeric.data();
    for (std::size_t r = 0; r < buffer.rows; ++r, numbers += columns().size()) {
      for_each_value(buffer.first_row + r, [&](std::size_t column, double value) {
        check(buffer.first_row + r, column, value);
        numbers[column] += value;
        buffer.complete = buffer.complete && !std::isnan(value);
      });
    }
    add_labels(buffer);
    note_facts(buffer);
  }

  void check_fits(const Schema& schema) const {
    const bool numbers = std::ranges::all_of(schema.columns, &Column::number);
    if (schema.columns.size() == data().features.columns && numbers) { return; }
    throw Error(ErrorCode::usage,
                numbers ? "the matrix has " + std::to_string(data().features.columns) +
                              " columns, but the model was trained on " +
                              std::to_string(schema.columns.size())
                        : "the model has columns that hold levels or text, which a sparse matrix "
                          "of numbers cannot give; give a table with named columns");
  }

  void check(std::size_t row, std::size_t column, double value) const {
    if (std::isfinite(value) || (std::isnan(value) && data().allow_missing)) { return; }
    throw Error(ErrorCode::input, place(row) + ", column '" + columns()[column].name +
                                      "': input X contains " +
                                      (std::isnan(value) ? "NaN" : "infinity") +
                                      "; remove the row or replace the value");
  }

  /// Of the stored values only, because the others are 0.
  void note_facts(RowBuffer& buffer) const {
    for (std::size_t r = 0; r < buffer.rows; ++r) {
      const double* const row = buffer.numeric.data() + r * columns().size();
      for_each_value(buffer.row_number(r), [&](std::size_t column, double) {
        if (!std::isnan(row[column])) { buffer.facts[column].add(row[column]); }
      });
    }
  }

  bool sparse_ = false;
};

class PairRows final : public SparseSource {
 public:
  PairRows(SparseData rows, const Schema* schema)
      : SparseSource(std::move(rows), schema != nullptr) {
    if (schema != nullptr) { check_document_schema(*schema, "a sparse row is one document"); }
    check_names();
    set_columns(text_column(schema != nullptr ? schema->columns.front().name
                                              : std::string(kFeaturesColumn)));
  }

  void parse(RowBuffer& buffer) const override {
    begin_documents(buffer);
    std::vector<std::size_t> ends;
    for (std::size_t r = 0; r < buffer.rows; ++r) {
      for_each_value(buffer.first_row + r, [&](std::size_t column, double value) {
        append(buffer.first_row + r, column, value, buffer.text_copies);
      });
      ends.push_back(buffer.text_copies.size());
    }
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      buffer.texts.front().emplace_back(buffer.text_copies.data() + begin, end - begin);
      begin = end;
    }
    add_labels(buffer);
  }

 private:
  void check_names() const {
    for (const std::string& name : data().names) {
      if (!name.empty() && name.find_first_of(" \t\n\r\v\f") == std::string::npos) { continue; }
      throw Error(ErrorCode::usage,
                  "the column name " + csv::shown(name) +
                      " cannot be a term: it is empty or holds a white space; rename the column, "
                      "or leave the names out");
    }
  }

  void append(std::size_t row, std::size_t column, double value, std::string& text) const {
    if (value == 0) { return; }
    if (!(value > 0) || std::isinf(value)) {
      fail_value(row, column, value,
                 "is no amount, which is a finite number of at least 0; correct it, or take a "
                 "model of numbers, such as softmax");
    }
    char digits[32];
    const auto number = std::to_chars(std::begin(digits), std::end(digits), value);
    text += data().names.empty() ? std::to_string(column + 1) : data().names[column];
    text += ':';
    text.append(std::begin(digits), number.ptr);
    text += ' ';
  }
};

}  // namespace

std::unique_ptr<BlockSource> open_sparse(SparseData data) {
  return std::make_unique<NumberRows>(std::move(data), nullptr);
}

std::unique_ptr<BlockSource> open_sparse(SparseData data, const Schema& schema) {
  return std::make_unique<NumberRows>(std::move(data), &schema);
}

std::unique_ptr<BlockSource> open_sparse_pairs(SparseData data) {
  return std::make_unique<PairRows>(std::move(data), nullptr);
}

std::unique_ptr<BlockSource> open_sparse_pairs(SparseData data, const Schema& schema) {
  return std::make_unique<PairRows>(std::move(data), &schema);
}

}  // namespace logodds
