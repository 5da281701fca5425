// CSV and TSV files, plain, .gz or .zst, or standard input, as a source of row blocks.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "logodds/data/source.hpp"

namespace logodds {

struct CsvOptions {
  /// Label column by name or 1-based number; empty: the rows carry no labels.
  std::string target{};
  /// Weight column by name or 1-based number; empty: every weight is 1.
  std::string weights{};
  /// Columns to take besides target and weights, by name or 1-based number, and their order; empty:
  /// all.
  std::vector<std::string> columns{};
  /// Columns to leave out, by name or 1-based number.
  std::vector<std::string> ignore{};
  /// Kinds fixed by the user, by column name or 1-based number.
  std::map<std::string, ColumnKind> kinds{};
  /// Tokens that mean 'missing', besides the empty field, NA, NaN (any case) and `?`.
  std::vector<std::string> missing_tokens{};
  /// Field separator; 0: tab for .tsv names, else the one of , ; tab | most frequent in the first
  /// line outside quotes (comma when none occurs), and a note says so when it is not the comma.
  char delimiter = 0;
  /// False: the first line is data and columns are named x1, x2, ... by position.
  bool header = true;
  /// False: a quote is a character like others, and fields are separated by tabs unless
  /// `delimiter` says otherwise.
  bool quotes = true;
  /// In a field \\ \t \n \r \0 stand for one character each; other backslashes are themselves.
  bool escapes = false;
};

/// Opens a file (or `-`: standard input) for training: kinds, levels and labels are discovered.
/// A column of words whose first block looks like documents (5 words or more on average, three
/// quarters of the values different) is read as text, and a note says so.
/// Throws Error(io | input | usage).
[[nodiscard]] std::unique_ptr<BlockSource> open_csv(const std::string& path,
                                                    const CsvOptions& options);

/// Opens a file whose columns are matched by name to `schema` (by position when there is no
/// header): other order is fine, extra columns are ignored with a note, a missing one is an error.
/// Codes are the schema's; a level or number it does not know is missing (counted in
/// RowBuffer::unseen_levels), text in a column of numbers is an error. Labels are read when
/// `with_labels`; a label that the schema does not know is then an error naming its line.
[[nodiscard]] std::unique_ptr<BlockSource> open_csv(const std::string& path,
                                                    const CsvOptions& options, const Schema& schema,
                                                    bool with_labels);

/// The same for rows that need no labels but may have them: they are read when the file has the
/// label column, and one that is missing or that the schema does not know is kMissingCode.
[[nodiscard]] std::unique_ptr<BlockSource> open_csv_labels_if_there(const std::string& path,
                                                                    const CsvOptions& options,
                                                                    const Schema& schema);

/// Opens a file of rows to add to a model or to take away. Its columns are matched to `schema` as
/// above, and read as the schema has them: a coded column as levels, a text column as documents,
/// the others as numbers (words in them are an error). Labels, in the column `options.target` or
/// else the schema's, and levels are discovered, so new ones may join; a schema without labels has
/// none to read.
[[nodiscard]] std::unique_ptr<BlockSource> open_csv_extending(const std::string& path,
                                                              const CsvOptions& options,
                                                              const Schema& schema);

}  // namespace logodds
