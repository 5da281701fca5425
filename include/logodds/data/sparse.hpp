// Sparse rows as a source of row blocks: svmlight files, and CSR matrices in memory. They are read
// as columns of numbers, which stay sparse for a model that takes them so (keep_sparse()) and are
// made dense block by block for others, or as documents of pairs INDEX:VALUE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "logodds/data/documents.hpp"
#include "logodds/data/source.hpp"

namespace logodds {

/// Name of the text column of sparse rows that are read as documents.
inline constexpr std::string_view kFeaturesColumn = "features";

/// More columns of numbers than this are refused when the first block is taken, unless the rows
/// stay sparse.
inline constexpr std::size_t kMostDenseColumns = 1'000'000;
/// More are refused by keep_sparse().
inline constexpr std::size_t kMostSparseColumns = std::size_t{1} << 31U;

// A line of an svmlight file is `LABEL INDEX:VALUE INDEX:VALUE ... # COMMENT`, indices ascending
// from 1 (or from 0); values that are not written are 0, `qid:N` is left out, and so are blank
// lines and comments. `path` as of open_csv(). A label is text; a '+' before it is dropped.

/// Columns x1, x2, ... up to the largest index of the file (from x0 if the index 0 occurs), which
/// is found by a first pass: Error(input) for a pipe that is too long to be read twice.
[[nodiscard]] std::unique_ptr<BlockSource> open_svmlight(const std::string& path);
/// Against a schema whose columns are numbers named in this way, else Error(usage). An index that
/// none of them has is an error naming its line. Labels as of open_lines(); without one a line
/// begins with its first pair, unless labels are required.
[[nodiscard]] std::unique_ptr<BlockSource> open_svmlight(const std::string& path,
                                                         const Schema& schema, LabelUse labels);
[[nodiscard]] std::unique_ptr<BlockSource> open_svmlight_extending(const std::string& path,
                                                                   const Schema& schema);

/// The same rows as documents of pairs, in one text column. A value below 0 is an error naming its
/// line: an amount cannot be.
[[nodiscard]] std::unique_ptr<BlockSource> open_svmlight_pairs(const std::string& path);
/// Against a schema whose only column is text, else Error(usage).
[[nodiscard]] std::unique_ptr<BlockSource> open_svmlight_pairs(const std::string& path,
                                                               const Schema& schema,
                                                               LabelUse labels);
[[nodiscard]] std::unique_ptr<BlockSource> open_svmlight_pairs_extending(const std::string& path,
                                                                         const Schema& schema);

/// Compressed sparse rows, as SciPy has them: row r holds values[i] in column indices[i] (from 0)
/// for i from starts[r] up to starts[r + 1]; `starts` has rows + 1 elements, and values and indices
/// have starts[rows]. Indices need not ascend; those that repeat are added up.
struct SparseView {
  std::size_t rows = 0;
  std::size_t columns = 0;
  const double* values = nullptr;
  const void* indices = nullptr;  ///< std::int32_t, or std::int64_t if they are wide
  bool wide_indices = false;
  const std::int64_t* starts = nullptr;
};

/// As MatrixData; the memory must outlive the source.
struct SparseData {
  SparseView features;
  /// Column names; empty: x1, x2, ..., and in pairs 1, 2, ... as in svmlight files.
  std::vector<std::string> names{};
  std::string target{};
  /// Labels as integer codes into `label_names`, or, when these are empty, as integers that are
  /// themselves the labels. Null: the rows carry no labels.
  const std::int64_t* labels = nullptr;
  std::vector<std::string> label_names{};
  /// Null: every weight is 1.
  const double* weights = nullptr;
  /// NaN means missing; otherwise it is refused like an infinity. In pairs it always is refused.
  bool allow_missing = false;
};

/// Columns of numbers. Throws Error(input) while reading for an index outside of the columns.
[[nodiscard]] std::unique_ptr<BlockSource> open_sparse(SparseData data);
/// The same rows read against a fitted schema: columns by position, labels as the schema's codes.
[[nodiscard]] std::unique_ptr<BlockSource> open_sparse(SparseData data, const Schema& schema);

/// Documents of pairs NAME:VALUE, zeros left out. Throws Error(usage) for a name with a white space
/// in it, and Error(input) while reading for a value below 0.
[[nodiscard]] std::unique_ptr<BlockSource> open_sparse_pairs(SparseData data);
/// Against a schema whose only column is text, else Error(usage).
[[nodiscard]] std::unique_ptr<BlockSource> open_sparse_pairs(SparseData data, const Schema& schema);

}  // namespace logodds
