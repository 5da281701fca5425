// A block of consecutive rows: what every statistic adds and every discriminant scores.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "logodds/data/dictionary.hpp"

namespace logodds {

inline constexpr std::int32_t kMissingCode = -1;
/// A level that the schema which the rows are read against does not know. Only a model that
/// takes_unseen_levels() is handed this; to others the value is missing.
inline constexpr std::int32_t kUnseenCode = -2;

/// Rows in a block. Fixed, so that block boundaries depend on the data alone and every number of
/// threads gives the same bits; 1024 rows of 32 doubles are 256 KiB, which stays in a core's cache.
inline constexpr std::size_t kBlockRows = 1024;

/// What was met in the documents of a block while they were scored.
struct TextTally {
  std::size_t documents = 0;
  std::size_t without_words = 0;   ///< documents without any term of the vocabulary
  std::size_t terms = 0;           ///< words, or what else a model counts
  std::size_t unknown_terms = 0;   ///< of these, not in the vocabulary
  std::size_t bad_characters = 0;  ///< invalid UTF-8, read as U+FFFD

  void add(const TextTally& other);
};

/// Rows by what is not 0: row r holds values[i] in column indices[i], for i from starts[r] up to
/// starts[r + 1], indices ascending and each only once. `starts` has rows + 1 elements, of which
/// the first need not be 0.
struct SparseRows {
  const std::size_t* starts = nullptr;
  const std::uint32_t* indices = nullptr;
  const double* values = nullptr;
};

/// A view. Layout first: `numeric` is row-major, `rows` x `numeric_columns`, with row r beginning
/// at numeric + r * numeric_stride; a missing number is NaN. `codes[c][r]` is the level of row r in
/// coded column c, or kMissingCode. `texts[c][r]` is the document of row r in text column c; one
/// whose data() is null is missing, one of no bytes is empty.
struct RowBlock {
  std::size_t ordinal = 0;    ///< position of this block among the blocks of its source
  std::size_t first_row = 0;  ///< number of the first row in its source, from 0
  std::size_t rows = 0;
  const double* numeric = nullptr;
  std::size_t numeric_columns = 0;
  std::size_t numeric_stride = 0;
  /// With starts: the columns of numbers are here and `numeric` is null. Only a family that takes
  /// sparse rows is handed such a block.
  SparseRows sparse{};
  std::span<const std::int32_t* const> codes;
  const std::int32_t* labels = nullptr;  ///< null when the rows carry no labels
  const double* weights = nullptr;       ///< null when every weight is 1
  bool complete = false;                 ///< known to lack no value (false: nobody has looked)
  /// `numeric` (or `sparse`) stays where it is until the fit or the scoring is over, so that a
  /// statistic may keep the address instead of a copy.
  bool lasting = false;
  std::span<const std::string_view* const> texts{};
  TextTally* tally = nullptr;  ///< log_scores() and log_joint() add to it, unless it is null
  /// Of each row its number in the source, from 0; null when that is first_row + r.
  const std::size_t* row_numbers = nullptr;

  [[nodiscard]] bool is_sparse() const { return sparse.starts != nullptr; }
  [[nodiscard]] double weight(std::size_t row) const {
    return weights == nullptr ? 1.0 : weights[row];
  }
};

/// What a block's values say about the kind of one column; facts of blocks are merged.
struct ColumnFacts {
  std::size_t missing = 0;
  bool any_value = false;
  bool zero_one = true;  ///< every number seen is 0 or 1
  bool counts = true;    ///< every number seen is a non-negative integer
  /// The first value that is no number in a column read as numbers: its row (from 0) and text.
  struct NotNumber {
    std::size_t row;
    std::string value;
  };
  std::optional<NotNumber> not_number;

  /// Takes note of a number. A column that is known to be neither stays so, which saves the work.
  void add(double value) {
    if (!counts) { return; }
    any_value = true;
    zero_one = zero_one && (value == 0 || value == 1);
    counts = value >= 0 && value == std::floor(value);
  }
  void merge(const ColumnFacts& other);
};

/// The storage behind a RowBlock, filled by a source in two steps (take, parse) and reused.
class RowBuffer {
 public:
  // Position, set by take().
  std::size_t ordinal = 0;
  std::size_t first_row = 0;
  std::size_t rows = 0;
  // Raw material between take() and parse(), for sources that read text.
  std::string text_storage;
  std::string_view text;
  std::size_t first_line = 0;
  std::vector<std::uint32_t> separators;  ///< working memory of a parser: offsets in `text`

  // Parsed rows. `numeric_data` points into `numeric`, or straight into the caller's memory.
  std::vector<double> numeric;
  const double* numeric_data = nullptr;
  std::size_t numeric_columns = 0;
  std::size_t numeric_stride = 0;
  /// The same rows sparse, from a source that was told to keep them so; `numeric_data` is then
  /// null.
  std::vector<std::size_t> sparse_starts;
  std::vector<std::uint32_t> sparse_indices;
  std::vector<double> sparse_values;
  bool lasting = false;                          ///< see RowBlock::lasting
  std::vector<std::vector<std::int32_t>> codes;  ///< one vector a coded column
  std::vector<std::int32_t> labels;              ///< empty when unlabelled
  std::vector<double> weights;                   ///< empty when every weight is 1
  /// One vector a text column. The bytes are in `text`, in `text_copies` or the caller's memory.
  std::vector<std::vector<std::string_view>> texts;
  std::string text_copies;  ///< documents that had to be rewritten (doubled quotes, escapes)
  bool complete = false;    ///< the source has seen that no value is missing
  /// For each row the number of the row in the source, from 0; empty when that is first_row + r.
  std::vector<std::size_t> row_numbers;

  // What the codes of this block mean (a source that discovers levels and labels); with a bound
  // schema the codes are the schema's and these stay empty.
  std::vector<Dictionary> levels;
  Dictionary label_values;
  std::vector<ColumnFacts> facts;  ///< one a source column; none of sparse rows, which tell it all
  std::size_t unseen_levels = 0;   ///< values of coded columns that a bound schema does not know
  TextTally tally;                 ///< see RowBlock::tally; view() points to it

  /// The rows as a view; valid until the buffer changes.
  [[nodiscard]] RowBlock view();
  [[nodiscard]] bool is_sparse() const { return !sparse_starts.empty(); }

  /// The number of row `r` of this block in the source, from 0.
  [[nodiscard]] std::size_t row_number(std::size_t r) const {
    return row_numbers.empty() ? first_row + r : row_numbers[r];
  }

  /// Rows with a missing feature: one flag a row, empty when there are none.
  [[nodiscard]] std::vector<std::uint8_t> incomplete_rows() const;
  /// kUnseenCode becomes kMissingCode.
  void take_unseen_as_missing();
  /// Keeps the rows whose flag is 0.
  void drop_rows(const std::vector<std::uint8_t>& flags);
  /// Puts 0 / level 0 where a flagged row lacks a value, so that it can be scored and ignored.
  void fill_missing(const std::vector<std::uint8_t>& flags);

 private:
  void own_numeric();
  void drop_sparse_rows(const std::vector<std::uint8_t>& flags);
  void drop_dense_rows(const std::vector<std::uint8_t>& flags);
  [[nodiscard]] bool lacks_number(std::size_t row) const;
  std::vector<const std::int32_t*> code_pointers_;
  std::vector<const std::string_view*> text_pointers_;
};

}  // namespace logodds
