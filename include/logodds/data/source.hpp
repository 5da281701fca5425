// Where rows come from: a CSV file, a matrix in memory, an Arrow stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "logodds/data/row_block.hpp"
#include "logodds/data/schema.hpp"

namespace logodds {

/// Among labels in the caller's memory, that of a row without one.
inline constexpr std::int64_t kNoLabel = std::numeric_limits<std::int64_t>::min();

/// A feature column as its source reads it while the schema is still being discovered.
struct SourceColumn {
  std::string name;
  bool coded = false;                      ///< read as levels; else as numbers
  std::optional<ColumnKind> given_kind{};  ///< named by the user, who is then taken at their word
  bool text = false;                       ///< read as documents, and so not coded
};

/// Hands out blocks of rows. take() is called by one thread at a time and only claims the next
/// block; parse() does the work and runs in many threads at once, each with its own buffer.
/// Rows of weight 0 are dropped in parse(): they change nothing, not even the schema.
class BlockSource {
 public:
  BlockSource() = default;
  BlockSource(const BlockSource&) = delete;
  BlockSource& operator=(const BlockSource&) = delete;
  virtual ~BlockSource() = default;

  [[nodiscard]] virtual std::string name() const = 0;  ///< for messages: a file name, "array", ...
  /// Features in order. When bound to a schema these are the schema's columns.
  [[nodiscard]] virtual const std::vector<SourceColumn>& columns() const = 0;
  [[nodiscard]] virtual std::string target() const = 0;  ///< name of the label column, or empty
  /// Name of the weight column, or empty.
  [[nodiscard]] virtual std::string weights() const { return {}; }

  /// Claims the next block (sets the position and raw material of `buffer`); false at the end.
  virtual bool take(RowBuffer& buffer) = 0;
  /// Fills the parsed part of `buffer`.
  virtual void parse(RowBuffer& buffer) const = 0;

  /// Starts again from the first row, reading the columns with these indices as levels, because a
  /// value in them turned out to be no number. False when the rows cannot be had again.
  virtual bool restart_with_coded(std::span<const std::size_t> columns) = 0;

  /// Asks for RowBlock::sparse from now on, before the first block is taken: the family takes
  /// sparse rows. True when this source has such rows; others go on as they are.
  virtual bool keep_sparse() { return false; }

  /// Asks for rows without a label as well, before the first block is taken: in their place
  /// RowBlock::labels holds kMissingCode. Else a source refuses them.
  virtual void keep_unlabeled() {}

  /// Share of the source that has been taken, 0 to 1, or -1 when unknown.
  [[nodiscard]] virtual double fraction_taken() const { return -1.0; }
  /// Where row `row` (from 0) stands, for messages: "data.csv, line 7" or "row 7".
  [[nodiscard]] virtual std::string place(std::size_t row) const = 0;
  /// Sentences for the user gathered while opening (extra columns ignored, delimiter taken, ...).
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
  /// False where it is certain that every row has weight 1.
  [[nodiscard]] virtual bool weighted() const { return true; }
};

/// Throws Error(input) that names the columns in which every value is missing, with the cure. When
/// no row is complete, this is the likely reason.
void check_values(const BlockSource& source, std::span<const ColumnFacts> facts);

/// Kinds, levels and labels from what all blocks said. `levels[c]` are the values of the c-th coded
/// column and `labels` those of the target, in any order; the schema holds them in label order.
/// Unless values are not needed, because the columns are known, each must have one.
[[nodiscard]] Schema infer_schema(const BlockSource& source, std::span<const ColumnFacts> facts,
                                  std::span<const std::vector<std::string>> levels,
                                  const std::vector<std::string>& labels,
                                  bool values_needed = true);

}  // namespace logodds
