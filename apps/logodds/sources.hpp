// From --format and the flags of reading to rows: the one place where subcommands open data.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "arguments.hpp"
#include "logodds/data/documents.hpp"
#include "logodds/logodds.hpp"

namespace logodds::app {

enum class Format : std::uint8_t { csv, tsv, lines, folders, svmlight };

/// What --format says.
struct FormatChoice {
  Format input = Format::csv;
  bool html = false;  ///< predict --explain writes a page
};

/// "csv|tsv|..." with '|' between them.
[[nodiscard]] std::string format_names(std::string_view between);

/// Throws Error(usage) for a format that is none, or that the subcommand does not take.
[[nodiscard]] FormatChoice format_choice(const Arguments& arguments);

/// Rows have named columns, so one of them has to be the label.
[[nodiscard]] bool has_columns(Format format);

/// How the flags say that a table of this format is read.
[[nodiscard]] CsvOptions table_options(const Arguments& arguments, Format format);

/// Throws Error(usage) for flags that do not go with the format, and for a folder without one;
/// `path` is the data.
void check_format_flags(const Arguments& arguments, const std::string& path);

/// The options of the family that the format asks for, added to those that the user wrote.
[[nodiscard]] std::map<std::string, std::string> with_format_options(
    const Arguments& arguments, const FamilyRecord& family,
    std::map<std::string, std::string> options);

/// `path` is standard input, and that is a terminal.
[[nodiscard]] bool typed_in(const std::string& path);

/// Rows to train on.
[[nodiscard]] std::unique_ptr<BlockSource> open_training(const Arguments& arguments,
                                                         const FamilyRecord& family,
                                                         const std::string& path);
/// Rows read against the schema of a model.
[[nodiscard]] std::unique_ptr<BlockSource> open_bound(const Arguments& arguments,
                                                      const Classifier& model,
                                                      const std::string& path, LabelUse labels);
/// A CSV file of rows for a clustering to start from, read against the schema of its data.
[[nodiscard]] std::unique_ptr<BlockSource> open_centers(const Arguments& arguments,
                                                        const Schema& schema,
                                                        const std::string& path);
/// Rows, labelled if the model has labels, to add to it or to take away.
[[nodiscard]] std::unique_ptr<BlockSource> open_extending(const Arguments& arguments,
                                                          const Model& model,
                                                          const std::string& path);

}  // namespace logodds::app
