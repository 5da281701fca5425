// Some rows of a source in memory, and as a source of their own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "logodds/data/source.hpp"

namespace logodds::report {

/// Rows read against a schema: numbers row-major rows x numeric_columns, NaN where a value is
/// missing, codes and labels those of the schema.
class RowSample {
 public:
  explicit RowSample(const Schema& schema);

  /// Sparse rows are spread out.
  void add(const RowBlock& block, std::size_t row);
  /// Drops the second, fourth, ... row.
  void keep_every_second();

  [[nodiscard]] std::size_t rows() const { return labels_.size(); }
  [[nodiscard]] const Schema& schema() const { return *schema_; }
  [[nodiscard]] std::size_t numeric_columns() const { return numeric_columns_; }
  [[nodiscard]] const std::vector<double>& numbers() const { return numbers_; }
  [[nodiscard]] const std::vector<std::vector<std::int32_t>>& codes() const { return codes_; }
  [[nodiscard]] std::size_t text_columns() const { return texts_.size(); }
  /// A document; its data() is null where it is missing.
  [[nodiscard]] std::string_view document(std::size_t row, std::size_t column) const {
    return text_there_[column][row] != 0 ? std::string_view(texts_[column][row])
                                         : std::string_view{};
  }
  [[nodiscard]] const std::vector<std::int32_t>& labels() const { return labels_; }
  [[nodiscard]] double weight(std::size_t row) const { return weights_[row]; }
  /// A value for people: "12.5", "Biscoe", the beginning of a document, "missing".
  [[nodiscard]] std::string value_text(std::size_t row, std::size_t column) const;

  /// Whether these are the same rows to the last bit.
  [[nodiscard]] bool same_rows(const RowSample& other) const;
  /// The rows with their labels; the sample must outlive it.
  [[nodiscard]] std::unique_ptr<BlockSource> open() const;

 private:
  const Schema* schema_;
  std::size_t numeric_columns_;
  std::vector<double> numbers_;
  std::vector<std::vector<std::int32_t>> codes_;
  std::vector<std::vector<std::string>> texts_;
  std::vector<std::vector<std::uint8_t>> text_there_;  ///< 0 where the document is missing
  std::vector<std::int32_t> labels_;
  std::vector<double> weights_;
};

}  // namespace logodds::report
