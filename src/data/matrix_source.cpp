#include "logodds/data/matrix_source.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "data/row_labels.hpp"
#include "kernels/kernels.hpp"
#include "logodds/error.hpp"

namespace logodds {

namespace {

/// Row-major float64, row after row.
bool usable_in_place(const MatrixView& view) {
  constexpr auto kDouble = static_cast<std::ptrdiff_t>(sizeof(double));
  return view.scalar == Scalar::float64 && (view.column_stride == kDouble || view.columns == 1) &&
         view.row_stride >= kDouble * static_cast<std::ptrdiff_t>(view.columns) &&
         view.row_stride % kDouble == 0 &&
         reinterpret_cast<std::uintptr_t>(view.data) % alignof(double) == 0;
}

class MatrixSource final : public BlockSource {
 public:
  MatrixSource(MatrixData data, const Schema* schema)
      : data_(std::move(data)),
        bound_(schema != nullptr),
        in_place_(usable_in_place(data_.features) && data_.response == nullptr) {
    const MatrixView& features = data_.features;
    if (schema != nullptr) { check_fits(*schema); }
    for (std::size_t c = 0; c < features.columns; ++c) {
      columns_.push_back({.name = schema != nullptr     ? schema->columns[c].name
                                  : data_.names.empty() ? "x" + std::to_string(c + 1)
                                                        : data_.names[c]});
    }
    if (data_.response != nullptr) { columns_.push_back({.name = response_name()}); }
  }

  [[nodiscard]] std::string name() const override { return "array"; }
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
    if (next_row_ >= data_.features.rows) { return false; }
    announce_next(buffer);
    buffer.ordinal = next_row_ / kBlockRows;
    buffer.first_row = next_row_;
    buffer.rows = std::min(kBlockRows, data_.features.rows - next_row_);
    next_row_ += buffer.rows;
    return true;
  }

  void parse(RowBuffer& buffer) const override {
    place_features(buffer);
    buffer.row_numbers.clear();
    buffer.codes.clear();
    buffer.texts.clear();
    buffer.levels.clear();
    buffer.facts.assign(columns_.size(), ColumnFacts{});
    buffer.complete = check_finite(buffer);
    const auto weightless = read_weights(buffer, data_.weights);
    if (bound_) {
      copy_labels(buffer);
    } else {
      read_labels(buffer, data_.labels, data_.label_names, weightless);
    }
    buffer.drop_rows(weightless);
    if (!bound_) { note_facts(buffer); }
  }

 private:
  void check_fits(const Schema& schema) const {
    if (schema.columns.size() != data_.features.columns) {
      throw Error(ErrorCode::usage, "the array has " + std::to_string(data_.features.columns) +
                                        " columns, but the model was trained on " +
                                        std::to_string(schema.columns.size()));
    }
    for (const auto& column : schema.columns) {
      if (!column.number()) {
        throw Error(ErrorCode::usage, "column '" + column.name + "' holds " +
                                          (column.text() ? "documents" : "levels") +
                                          ", which an array of numbers cannot give; "
                                          "give a table with named columns");
      }
    }
  }

  /// "y", or with more of it as long as a feature is called so.
  [[nodiscard]] std::string response_name() const {
    std::string name = "y";
    while (std::ranges::find(columns_, name, &SourceColumn::name) != columns_.end()) {
      name += '_';
    }
    return name;
  }

  /// Tells the kernels which rows this thread will take next. Blocks go to the threads in turn, so
  /// that will be as far ahead as the present block is ahead of the thread's last one.
  void announce_next(const RowBuffer& last) const {
    const std::size_t step = last.rows > 0 ? next_row_ - last.first_row : kBlockRows;
    const std::size_t next = next_row_ + step;
    if (!in_place_ || next >= data_.features.rows) { return kernels::announce(nullptr, 0); }
    const auto stride = static_cast<std::size_t>(data_.features.row_stride) / sizeof(double);
    kernels::announce(static_cast<const double*>(data_.features.data) + next * stride,
                      std::min(kBlockRows, data_.features.rows - next) * stride);
  }

  /// Row-major float64 is used where it lies; anything else is converted, block by block.
  void place_features(RowBuffer& buffer) const {
    const MatrixView& view = data_.features;
    const auto* base = static_cast<const std::byte*>(view.data) +
                       static_cast<std::ptrdiff_t>(buffer.first_row) * view.row_stride;
    buffer.numeric_columns = columns_.size();
    buffer.lasting = in_place_;
    if (in_place_) {
      buffer.numeric_data = reinterpret_cast<const double*>(base);
      buffer.numeric_stride = static_cast<std::size_t>(view.row_stride) / sizeof(double);
      return;
    }
    buffer.numeric.resize(buffer.rows * columns_.size());
    if (view.scalar == Scalar::float64) {
      convert<double>(base, buffer);
    } else {
      convert<float>(base, buffer);
    }
    for (std::size_t r = 0; data_.response != nullptr && r < buffer.rows; ++r) {
      buffer.numeric[(r + 1) * columns_.size() - 1] = data_.response[buffer.first_row + r];
    }
    buffer.numeric_data = buffer.numeric.data();
    buffer.numeric_stride = columns_.size();
  }

  /// Tiles of rows, so that a column-major array is read along its columns.
  template <class T>
  void convert(const std::byte* base, RowBuffer& buffer) const {
    constexpr std::size_t kTile = 16;
    const MatrixView& view = data_.features;
    for (std::size_t begin = 0; begin < buffer.rows; begin += kTile) {
      const std::size_t end = std::min(begin + kTile, buffer.rows);
      for (std::size_t c = 0; c < view.columns; ++c) {
        const std::byte* column = base + static_cast<std::ptrdiff_t>(c) * view.column_stride;
        for (std::size_t r = begin; r < end; ++r) {
          T value;
          std::memcpy(&value, column + static_cast<std::ptrdiff_t>(r) * view.row_stride, sizeof(T));
          buffer.numeric[r * columns_.size() + c] = static_cast<double>(value);
        }
      }
    }
  }

  /// True when every value is there. Throws for an infinity and, unless they are allowed, for NaN.
  [[nodiscard]] bool check_finite(const RowBuffer& buffer) const {
    if (kernels::all_finite(buffer.numeric_data, buffer.rows, buffer.numeric_columns,
                            buffer.numeric_stride)) {
      return true;
    }
    for (std::size_t r = 0; r < buffer.rows; ++r) {
      for (std::size_t c = 0; c < buffer.numeric_columns; ++c) {
        const double value = buffer.numeric_data[r * buffer.numeric_stride + c];
        if (std::isfinite(value) || (std::isnan(value) && data_.allow_missing)) { continue; }
        throw Error(ErrorCode::input, place(buffer.first_row + r) + ", column '" +
                                          columns_[c].name + "': input X contains " +
                                          (std::isnan(value) ? "NaN" : "infinity") +
                                          "; remove the row or replace the value");
      }
    }
    return false;
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

  /// Stops looking at a column as soon as a value shows that it is simply real.
  void note_facts(RowBuffer& buffer) const {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      ColumnFacts& facts = buffer.facts[c];
      for (std::size_t r = 0; r < buffer.rows && facts.counts; ++r) {
        const double value = buffer.numeric_data[r * buffer.numeric_stride + c];
        if (!std::isnan(value)) { facts.add(value); }
      }
    }
  }

  MatrixData data_;
  bool bound_;
  bool in_place_;  ///< the features' memory serves as blocks
  std::vector<SourceColumn> columns_;
  std::size_t next_row_ = 0;
};

}  // namespace

MatrixView row_major(const double* data, std::size_t rows, std::size_t columns) {
  constexpr auto kDouble = static_cast<std::ptrdiff_t>(sizeof(double));
  return {.data = data,
          .scalar = Scalar::float64,
          .rows = rows,
          .columns = columns,
          .row_stride = kDouble * static_cast<std::ptrdiff_t>(columns),
          .column_stride = kDouble};
}

std::unique_ptr<BlockSource> open_matrix(MatrixData data) {
  return std::make_unique<MatrixSource>(std::move(data), nullptr);
}

std::unique_ptr<BlockSource> open_matrix(MatrixData data, const Schema& schema) {
  return std::make_unique<MatrixSource>(std::move(data), &schema);
}

}  // namespace logodds
