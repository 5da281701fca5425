// A matrix in the caller's memory as a source of row blocks, without a copy of the whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "logodds/data/source.hpp"

namespace logodds {

enum class Scalar : std::uint8_t { float32, float64 };

/// Element (r, c) stands at data + r * row_stride + c * column_stride, strides counted in bytes, so
/// row-major, column-major and sliced arrays are all read in place.
struct MatrixView {
  const void* data = nullptr;
  Scalar scalar = Scalar::float64;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::ptrdiff_t row_stride = 0;
  std::ptrdiff_t column_stride = 0;
};

[[nodiscard]] MatrixView row_major(const double* data, std::size_t rows, std::size_t columns);

struct MatrixData {
  MatrixView features;
  /// Column names; empty: x1, x2, ...
  std::vector<std::string> names{};
  std::string target{};
  /// Labels as integer codes into `label_names`, or, when `label_names` is empty, as integers that
  /// are themselves the labels. Null: the rows carry no labels.
  const std::int64_t* labels = nullptr;
  std::vector<std::string> label_names{};
  /// Null: every weight is 1.
  const double* weights = nullptr;
  /// A further column of numbers after the features, one a row, or null; it is called `y`.
  const double* response = nullptr;
  /// NaN means missing; otherwise it is refused like an infinity, naming row and column.
  bool allow_missing = false;
};

/// The memory must outlive the source. Every column is a column of numbers.
[[nodiscard]] std::unique_ptr<BlockSource> open_matrix(MatrixData data);
/// The same rows read against a fitted schema: columns by position, labels as the schema's codes.
[[nodiscard]] std::unique_ptr<BlockSource> open_matrix(MatrixData data, const Schema& schema);

}  // namespace logodds
