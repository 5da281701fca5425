// What the columns of a table are: names, kinds, levels, and the labels of the target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace logodds {

/// `real`, `count` and a 0/1 `binary` column are numbers; `categorical` and a `binary`
/// column of two words are coded: each value is the index of a level; a value of a `text` column is
/// a document.
enum class ColumnKind : std::uint8_t { real, binary, categorical, count, text, ignore };

[[nodiscard]] std::string_view to_string(ColumnKind kind);
/// Throws Error(usage) naming the known kinds when `name` is none of them.
[[nodiscard]] ColumnKind parse_column_kind(std::string_view name);

struct Column {
  std::string name;
  ColumnKind kind = ColumnKind::real;
  /// The values of a coded column in label order; empty for a column of numbers, and of text.
  std::vector<std::string> levels;

  [[nodiscard]] bool coded() const { return !levels.empty(); }
  [[nodiscard]] bool text() const { return kind == ColumnKind::text; }
  [[nodiscard]] bool number() const { return !coded() && !text(); }
  friend bool operator==(const Column&, const Column&) = default;
};

/// A coded column with other levels: of two it is binary, of more categorical.
[[nodiscard]] Column with_levels(const Column& column, std::vector<std::string> levels);

/// The fitted schema: travels with the model and tells how to read new rows.
struct Schema {
  std::vector<Column> columns;  ///< features, in the order of the training data
  std::string target;           ///< name of the label column; empty when labels came without one
  std::vector<std::string> labels;  ///< as written, in label order
  /// Name of the column that the training rows were weighted by, or empty; more rows are weighted
  /// by it, too. How rows were weighted says nothing about what they are, so it does not count in
  /// ==.
  std::string weights{};

  [[nodiscard]] std::size_t numeric_count() const;  ///< columns of numbers, in schema order
  [[nodiscard]] std::size_t coded_count() const;    ///< coded columns, in schema order
  [[nodiscard]] std::size_t text_count() const;     ///< columns of documents, in schema order
  friend bool operator==(const Schema& a, const Schema& b) {
    return a.columns == b.columns && a.target == b.target && a.labels == b.labels;
  }
};

/// The order of labels and levels: numbers by value, then strings by bytes. Values that are equal
/// as numbers ("1", "1.0") are ordered by bytes, so the order is total.
[[nodiscard]] bool label_less(std::string_view a, std::string_view b);

/// The value of a token that is one finite decimal number from end to end ("3", "-1.5e3"), else
/// nothing. A leading '+' is accepted; "inf", "nan" and hexadecimal are not numbers here.
[[nodiscard]] std::optional<double> parse_number(std::string_view token);

/// Shortest decimal text that reads back as the same double ("0.1", "1e+300", "17").
[[nodiscard]] std::string format_number(double value);

}  // namespace logodds
