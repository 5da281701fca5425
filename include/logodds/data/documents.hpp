// Documents as a source of row blocks: lines, folders, strings in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "logodds/data/source.hpp"

namespace logodds {

/// Names of the two columns of documents that come without a header.
inline constexpr std::string_view kTextColumn = "text";
inline constexpr std::string_view kLabelColumn = "label";

/// How the labels of rows that are read against a schema are taken, as of open_csv(): not at all;
/// each must be there and known to the schema; where they are there and known.
enum class LabelUse : std::uint8_t { unread, required, if_there };

/// A line is a label, a tab, and a document (further tabs belong to it); no header, no quotes.
/// `path` as of open_csv(): plain, .gz, .zst, or - for standard input. For training: labels are
/// discovered, blank lines are left out, a line without a tab is an error that names it.
[[nodiscard]] std::unique_ptr<BlockSource> open_lines(const std::string& path);
/// Against a schema whose only column is text, else Error(usage). Unless labels are required every
/// line, also a blank one, is a row; a line without a tab, or whose first field is neither empty
/// nor a label of the schema, is a document as a whole. `answer_at_once`: a block ends with what
/// has come, for someone who types.
[[nodiscard]] std::unique_ptr<BlockSource> open_lines(const std::string& path, const Schema& schema,
                                                      LabelUse labels, bool answer_at_once = false);
/// Rows to add to a model or to take away: labels are discovered, the text column is the schema's.
[[nodiscard]] std::unique_ptr<BlockSource> open_lines_extending(const std::string& path,
                                                                const Schema& schema);

/// A folder with one sub-folder a class and one file (plain, .gz, .zst) a document, both in the
/// order of their names' bytes; files whose names begin with a dot are left out. Against a schema
/// with labels unread, a folder of files without sub-folders will do.
[[nodiscard]] std::unique_ptr<BlockSource> open_folders(const std::string& path);
[[nodiscard]] std::unique_ptr<BlockSource> open_folders(const std::string& path,
                                                        const Schema& schema, LabelUse labels);
[[nodiscard]] std::unique_ptr<BlockSource> open_folders_extending(const std::string& path,
                                                                  const Schema& schema);

/// Documents in memory, which must outlive the source; a null data() is a missing one.
struct DocumentData {
  std::span<const std::string_view> documents;
  std::string name = std::string(kTextColumn);  ///< of the column
  std::string target{};
  /// Labels as integer codes into `label_names`, or, when these are empty, as integers that are
  /// themselves the labels. Null: the rows carry no labels.
  const std::int64_t* labels = nullptr;
  std::vector<std::string> label_names{};
  /// Null: every weight is 1.
  const double* weights = nullptr;
};
[[nodiscard]] std::unique_ptr<BlockSource> open_documents(DocumentData data);
/// Against a schema whose only column is text, else Error(usage); labels are not read.
[[nodiscard]] std::unique_ptr<BlockSource> open_documents(DocumentData data, const Schema& schema);

}  // namespace logodds
