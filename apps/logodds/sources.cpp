#include "sources.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <ranges>
#include <utility>

#include "logodds/data/sparse.hpp"
#include "logodds/registry/options.hpp"
#include "reading.hpp"

namespace logodds::app {

namespace {

constexpr std::array<std::pair<std::string_view, Format>, 5> kFormats = {{
    {"csv", Format::csv},
    {"tsv", Format::tsv},
    {"lines", Format::lines},
    {"folders", Format::folders},
    {"svmlight", Format::svmlight},
}};
constexpr std::string_view kPage = "html";

std::string_view name_of(Format format) {
  return std::ranges::find(kFormats, format, &std::pair<std::string_view, Format>::second)->first;
}

Format parse_format(const std::string& name) {
  const auto* const found =
      std::ranges::find(kFormats, name, &std::pair<std::string_view, Format>::first);
  if (found != kFormats.end()) { return found->second; }
  std::vector<std::string> names;
  for (const auto& format : kFormats) { names.emplace_back(format.first); }
  throw Error(ErrorCode::usage,
              fmt::format("option --format: there is no format '{}'; take {}{}", name,
                          fmt::join(names, ", "), did_you_mean(name, names)));
}

void check_page(const Arguments& arguments) {
  if (arguments.command() == kPredict && arguments.has("explain")) { return; }
  throw Error(ErrorCode::usage,
              arguments.command() == kPredict
                  ? "--format html marks the words that decided; give --explain as well"
                  : "--format html belongs to 'logodds predict --explain'");
}

/// Models that read text have an option for what a document is cut into.
bool reads_documents(const FamilyRecord& family) {
  return find_option(family, "tokens") != nullptr;
}

void check_reads_documents(Format format, const FamilyRecord& family) {
  if (reads_documents(family)) { return; }
  std::vector<std::string> able;
  for (const FamilyRecord& other : families()) {
    if (reads_documents(other)) { able.push_back("--model " + other.name); }
  }
  throw Error(ErrorCode::usage,
              fmt::format("--format {} gives documents, which model {} does not read; take {}",
                          name_of(format), family.name, fmt::join(able, " or ")));
}

/// The rows of the model are documents of pairs, as svmlight rows are to some families.
bool takes_pairs(const Model& model) {
  const Schema& schema = model.schema();
  if (schema.columns.size() != 1 || !schema.columns.front().text()) { return false; }
  if (!model.options().has("tokens") || model.options().text("tokens") == "pairs") { return true; }
  throw Error(ErrorCode::usage,
              "--format svmlight gives terms that are already counted, but the model counts the "
              "words of documents; give documents, or train a model from svmlight rows");
}

/// Labels are in the column that --target names, or else in the model's.
CsvOptions labelled_options(const Arguments& arguments, Format format, const Schema& schema) {
  CsvOptions options = table_options(arguments, format);
  if (options.target.empty()) { options.target = schema.target; }
  if (options.target.empty()) {
    throw Error(ErrorCode::usage, fmt::format("{} does not name its label column; name it with "
                                              "--target COLUMN",
                                              arguments.positional(0)));
  }
  return options;
}

void refuse_flag(std::string_view flag, Format format) {
  const std::string_view name = name_of(format);
  if (flag == "target") {
    throw Error(ErrorCode::usage,
                fmt::format("--format {} has its labels {}, so there is no column for --target to "
                            "name; leave --target out",
                            name,
                            format == Format::folders ? "in the names of the folders"
                                                      : "at the beginning of the lines"));
  }
  throw Error(ErrorCode::usage,
              fmt::format("--{} is about the columns of a table, and --format {} has no such "
                          "columns; leave one of the two out",
                          flag, name));
}

}  // namespace

std::string format_names(std::string_view between) {
  return fmt::format("{}", fmt::join(std::views::keys(kFormats), between));
}

bool typed_in(const std::string& path) { return path == "-" && ::isatty(STDIN_FILENO) == 1; }

FormatChoice format_choice(const Arguments& arguments) {
  FormatChoice choice;
  bool named = false;
  for (const std::string& item : split_list("format", arguments.text("format"))) {
    const bool page = item == kPage;
    if (page ? choice.html : named) {
      throw Error(ErrorCode::usage,
                  fmt::format("option --format: '{}' names more than one; give one format of the "
                              "data{}",
                              arguments.text("format"),
                              arguments.command() == kPredict ? ", and html once" : ""));
    }
    if (page) {
      check_page(arguments);
      choice.html = true;
    } else {
      choice.input = parse_format(item);
      named = true;
    }
  }
  return choice;
}

CsvOptions table_options(const Arguments& arguments, Format format) {
  CsvOptions options = csv_options(arguments);
  if (format == Format::tsv) {
    options.delimiter = '\t';
    options.quotes = false;
    options.escapes = true;
  }
  return options;
}

bool has_columns(Format format) { return format == Format::csv || format == Format::tsv; }

void check_format_flags(const Arguments& arguments, const std::string& path) {
  const Format format = format_choice(arguments).input;
  std::error_code ignored;
  if (!arguments.has("format") && std::filesystem::is_directory(path, ignored)) {
    throw Error(ErrorCode::usage,
                fmt::format("{} is a folder; name a file in it, or give --format folders if it "
                            "holds documents, one sub-folder a class",
                            path));
  }
  if (format == Format::tsv && arguments.has("delimiter")) {
    throw Error(
        ErrorCode::usage,
        "--format tsv has tabs between its fields, so --delimiter has nothing to say; leave "
        "one of the two out");
  }
  if (has_columns(format)) { return; }
  for (const std::string_view flag : {"target", "weights", "columns", "ignore", "kinds",
                                      "missing-tokens", "delimiter", "no-header"}) {
    if (arguments.has(flag)) { refuse_flag(flag, format); }
  }
}

std::map<std::string, std::string> with_format_options(const Arguments& arguments,
                                                       const FamilyRecord& family,
                                                       std::map<std::string, std::string> options) {
  const Format format = format_choice(arguments).input;
  if (format == Format::lines || format == Format::folders) {
    check_reads_documents(format, family);
  }
  if (format != Format::svmlight || !reads_documents(family)) { return options; }
  const auto [tokens, added] = options.emplace("tokens", "pairs");
  if (tokens->second != "pairs") {
    throw Error(
        ErrorCode::usage,
        fmt::format("--format svmlight gives terms that are already counted, so --tokens {} "
                    "cannot be; leave it out",
                    tokens->second));
  }
  return options;
}

std::unique_ptr<BlockSource> open_training(const Arguments& arguments, const FamilyRecord& family,
                                           const std::string& path) {
  const Format format = format_choice(arguments).input;
  switch (format) {
    case Format::lines:
      return open_lines(path);
    case Format::folders:
      return open_folders(path);
    case Format::svmlight:
      return reads_documents(family) ? open_svmlight_pairs(path) : open_svmlight(path);
    case Format::csv:
    case Format::tsv:
      break;
  }
  return open_csv(path, table_options(arguments, format));
}

std::unique_ptr<BlockSource> open_bound(const Arguments& arguments, const Classifier& model,
                                        const std::string& path, LabelUse labels) {
  const Format format = format_choice(arguments).input;
  const Schema& schema = model.schema();
  switch (format) {
    case Format::lines:
      return open_lines(path, schema, labels, typed_in(path));
    case Format::folders:
      return open_folders(path, schema, labels);
    case Format::svmlight:
      return takes_pairs(model) ? open_svmlight_pairs(path, schema, labels)
                                : open_svmlight(path, schema, labels);
    case Format::csv:
    case Format::tsv:
      break;
  }
  if (labels == LabelUse::if_there) {
    return open_csv_labels_if_there(path, table_options(arguments, format), schema);
  }
  if (labels == LabelUse::unread) {
    return open_csv(path, table_options(arguments, format), schema, false);
  }
  return open_csv(path, labelled_options(arguments, format, schema), schema, true);
}

std::unique_ptr<BlockSource> open_centers(const Arguments& arguments, const Schema& schema,
                                          const std::string& path) {
  CsvOptions options = table_options(arguments, Format::csv);
  return open_csv(path,
                  {.missing_tokens = std::move(options.missing_tokens),
                   .delimiter = options.delimiter,
                   .header = options.header},
                  schema, false);
}

std::unique_ptr<BlockSource> open_extending(const Arguments& arguments, const Model& model,
                                            const std::string& path) {
  const Format format = format_choice(arguments).input;
  const Schema& schema = model.schema();
  switch (format) {
    case Format::lines:
      return open_lines_extending(path, schema);
    case Format::folders:
      return open_folders_extending(path, schema);
    case Format::svmlight:
      return takes_pairs(model) ? open_svmlight_pairs_extending(path, schema)
                                : open_svmlight_extending(path, schema);
    case Format::csv:
    case Format::tsv:
      break;
  }
  CsvOptions options = table_options(arguments, format);
  if (options.weights.empty()) { options.weights = schema.weights; }
  return open_csv_extending(path, options, schema);
}

}  // namespace logodds::app
