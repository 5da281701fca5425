#include "reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

#include "output.hpp"

namespace logodds::app {

namespace {

constexpr std::array<std::pair<std::string_view, char>, 6> kDelimiters = {{
    {"comma", ','},
    {"tab", '\t'},
    {"\\t", '\t'},
    {"semicolon", ';'},
    {"pipe", '|'},
    {"space", ' '},
}};

char parse_delimiter(const std::string& text) {
  const auto* const named =
      std::ranges::find(kDelimiters, text, &std::pair<std::string_view, char>::first);
  if (named != kDelimiters.end()) { return named->second; }
  if (text.size() == 1 && std::string_view("\"\r\n").find(text) == std::string_view::npos) {
    return text.front();
  }
  throw Error(ErrorCode::usage,
              fmt::format("option --delimiter: '{}' is not one character; give one, or comma, tab, "
                          "semicolon, pipe or space",
                          text));
}

ColumnKind kind_of(const std::string& column, const std::string& kind) {
  try {
    return parse_column_kind(kind);
  } catch (const Error& error) {
    throw Error(ErrorCode::usage,
                fmt::format("option --kinds, column '{}': {}", column, error.what()));
  }
}

std::map<std::string, ColumnKind> parse_kinds(const std::string& text) {
  std::map<std::string, ColumnKind> kinds;
  for (const std::string& item : split_list("kinds", text)) {
    const std::size_t equals = item.rfind('=');
    if (equals == std::string::npos || equals == 0) {
      throw Error(ErrorCode::usage,
                  fmt::format("option --kinds: '{}' is not of the form NAME=KIND, as in "
                              "--kinds year=categorical",
                              item));
    }
    const ColumnKind kind = kind_of(item.substr(0, equals), item.substr(equals + 1));
    if (!kinds.emplace(item.substr(0, equals), kind).second) {
      throw Error(ErrorCode::usage,
                  fmt::format("option --kinds names column '{}' twice", item.substr(0, equals)));
    }
  }
  return kinds;
}

int thread_count(const Arguments& arguments) {
  if (arguments.has("threads")) { return static_cast<int>(arguments.integer("threads")); }
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace

std::vector<std::string> split_list(std::string_view flag, std::string_view text) {
  std::vector<std::string> items(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ',';
    if (escaped) {
      items.back() += text[++i];
    } else if (text[i] == ',') {
      items.emplace_back();
    } else {
      items.back() += text[i];
    }
  }
  if (std::ranges::any_of(items, &std::string::empty)) {
    throw Error(ErrorCode::usage,
                fmt::format("option --{}: '{}' holds an empty item; separate items by one comma "
                            "(\\, is a comma inside an item)",
                            flag, text));
  }
  return items;
}

namespace {

const std::string& model_path(const Arguments& arguments, std::size_t index) {
  if (arguments.positional(index) == "-") {
    throw Error(ErrorCode::usage,
                "a model is not read from standard input; name the file that 'logodds train' wrote "
                "(a file that is called - is ./-)");
  }
  return arguments.positional(index);
}

}  // namespace

std::unique_ptr<Classifier> load_model(const Arguments& arguments, std::size_t index) {
  return load(model_path(arguments, index));
}

std::unique_ptr<Model> load_any_model(const Arguments& arguments, std::size_t index) {
  return load_any(model_path(arguments, index));
}

CsvOptions csv_options(const Arguments& arguments) {
  CsvOptions options;
  if (arguments.has("target")) { options.target = arguments.text("target"); }
  if (arguments.has("weights")) { options.weights = arguments.text("weights"); }
  if (arguments.has("columns")) {
    options.columns = split_list("columns", arguments.text("columns"));
  }
  if (arguments.has("ignore")) { options.ignore = split_list("ignore", arguments.text("ignore")); }
  if (arguments.has("columns")) {
    options.columns = split_list("columns", arguments.text("columns"));
  }
  if (arguments.has("kinds")) { options.kinds = parse_kinds(arguments.text("kinds")); }
  if (arguments.has("missing-tokens")) {
    options.missing_tokens = split_list("missing-tokens", arguments.text("missing-tokens"));
  }
  if (arguments.has("delimiter")) {
    options.delimiter = parse_delimiter(arguments.text("delimiter"));
  }
  options.header = !arguments.has("no-header");
  return options;
}

MissingRows missing_rows(const Arguments& arguments) {
  const std::string choice = arguments.text("missing");
  if (choice == "use") { return MissingRows::use; }
  return choice == "error" ? MissingRows::error : MissingRows::skip;
}

Context make_context(const Arguments& arguments, ProgressBar& bar) {
  Context context;
  context.threads = thread_count(arguments);
  if (arguments.has("seed")) {
    context.seed = static_cast<std::uint64_t>(arguments.integer("seed"));
  }
  if (bar.enabled()) {
    context.progress = [&bar](const Progress& progress) { bar.show(progress); };
  }
  return context;
}

}  // namespace logodds::app
