// Arrow record batches (the C stream interface) as a source of row blocks, read in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "logodds/data/source.hpp"

struct ArrowArrayStream;  // of the Arrow C stream interface, in the global namespace

namespace logodds {

/// Record batches held together with the memory that their producer shares with us. Integers,
/// floats and booleans are columns of numbers; strings and dictionaries are coded, or strings that
/// look like documents are text; a null (and a NaN) is a missing value.
class ArrowTable {
 public:
  /// Takes every batch of `stream` and releases the stream. Throws Error(input) for a stream that
  /// fails, and for a column of another type, naming it.
  explicit ArrowTable(ArrowArrayStream& stream);
  ArrowTable(ArrowTable&&) noexcept;
  ArrowTable& operator=(ArrowTable&&) noexcept;
  ArrowTable(const ArrowTable&) = delete;
  ArrowTable& operator=(const ArrowTable&) = delete;
  ~ArrowTable();

  [[nodiscard]] std::size_t rows() const;
  [[nodiscard]] std::vector<std::string> names() const;

  struct Batches;  ///< in src/data/arrow_batches.hpp
  [[nodiscard]] const Batches& batches() const { return *batches_; }

 private:
  std::unique_ptr<Batches> batches_;
};

/// What the rows of a table carry besides their features.
struct ArrowLabels {
  /// Labels as integer codes into `names`, or, when `names` is empty, as integers that are
  /// themselves the labels: one a row, or none at all.
  std::span<const std::int64_t> labels{};
  std::vector<std::string> names{};
  /// One a row, or none at all: every weight is 1.
  std::span<const double> weights{};
  /// Kinds of columns by name, where the user gives them: a column of numbers may be categorical,
  /// its levels being the numbers as text, and one of strings text. Strings without a kind are text
  /// when their first block looks like documents, as of open_csv(), and a note says so.
  std::map<std::string, ColumnKind> kinds{};
};

/// What a null (or a NaN) is: a missing value, or an error that names its row and column.
enum class ArrowNulls : std::uint8_t { missing, error };

/// The table and the memory of the labels must outlive the source. Throws Error(input) when the
/// numbers of rows, labels and weights differ, or when a column cannot be of the kind it is given,
/// and Error(usage) for the kind of a column that is not there.
[[nodiscard]] std::unique_ptr<BlockSource> open_arrow(const ArrowTable& table, ArrowLabels labels,
                                                      ArrowNulls nulls);

/// The same rows read against a fitted schema, columns matched by name: other order is fine, extra
/// columns are ignored with a note, a missing one is an error. A value that a coded column of the
/// schema does not know is missing and counted; text in a column of numbers is an error.
[[nodiscard]] std::unique_ptr<BlockSource> open_arrow(const ArrowTable& table, const Schema& schema,
                                                      ArrowNulls nulls);

}  // namespace logodds
