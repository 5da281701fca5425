// logodds split: a labelled file divided into training, validation and test rows, class by class.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <deque>
#include <filesystem>

#include "arguments.hpp"
#include "json.hpp"
#include "logodds/data/split.hpp"
#include "output.hpp"
#include "output_file.hpp"
#include "reading.hpp"
#include "sources.hpp"
#include "tables.hpp"

namespace logodds::app {

namespace {

constexpr std::array<std::string_view, 3> kParts = {"train", "validation", "test"};

struct Part {
  std::string name;
  double share = 0.0;
  std::string path{};
  std::size_t rows = 0;
};

/// Who gets what the given shares leave: the one part that is not named; of two the test rows, or
/// the training rows where those are named, and no validation rows.
std::size_t taker_of_rest(const Arguments& arguments, std::size_t given) {
  constexpr std::size_t kTrain = 0;
  constexpr std::size_t kValidation = 1;
  constexpr std::size_t kTest = 2;
  if (given == 2 && !arguments.has("validation")) { return kValidation; }
  return arguments.has("test") ? kTrain : kTest;
}

/// Those with a share above 0; the shares sum to 1.
std::vector<Part> parts_of(const Arguments& arguments) {
  constexpr double kRounding = 1e-9;  // of numbers that people write
  std::array<double, kParts.size()> shares{};
  std::size_t given = 0;
  double sum = 0.0;
  for (std::size_t p = 0; p < kParts.size(); ++p) {
    if (!arguments.has(kParts[p])) { continue; }
    ++given;
    sum += shares[p] = arguments.real(kParts[p]);
  }
  if (given == 0) {
    throw Error(ErrorCode::usage,
                "no share is given; say how much of the rows goes where, as in --train 0.6 "
                "--validation 0.2 --test 0.2");
  }
  if (sum > 1.0 + kRounding || (given == kParts.size() && sum < 1.0 - kRounding)) {
    throw Error(ErrorCode::usage,
                fmt::format("the shares --train, --validation and --test sum to {:g}; they must "
                            "sum to 1, so change one, or leave one out: it gets the rest",
                            sum));
  }
  if (given < kParts.size() && sum < 1.0 - kRounding) {
    shares[taker_of_rest(arguments, given)] = 1.0 - sum;
  }
  std::vector<Part> parts;
  for (std::size_t p = 0; p < kParts.size(); ++p) {
    if (shares[p] > 0.0) { parts.push_back({std::string(kParts[p]), shares[p]}); }
  }
  return parts;
}

std::string_view extension(Format format, char delimiter) {
  if (format == Format::lines) { return ".txt"; }
  if (format == Format::svmlight) { return ".svmlight"; }
  return delimiter == '\t' ? ".tsv" : ".csv";
}

/// PREFIX.train.csv, or FOLDER/train.csv where the prefix is a folder.
std::string path_of(const std::string& prefix, const Part& part, std::string_view ending) {
  return fmt::format("{}{}{}{}", prefix, prefix.ends_with('/') ? "" : ".", part.name, ending);
}

std::string folder_of(const std::string& prefix) {
  return std::filesystem::path(prefix).parent_path().string();
}

std::unique_ptr<RecordSource> open_source(const Arguments& arguments, Format format,
                                          const std::string& folder) {
  const std::string& path = arguments.positional(0);
  if (format == Format::lines) { return open_line_records(path, folder); }
  if (format == Format::svmlight) { return open_svmlight_records(path, folder); }
  if (format == Format::folders) {
    throw Error(ErrorCode::usage,
                "--format folders has a file for every document, and split divides the rows of one "
                "file; give csv, tsv, lines or svmlight");
  }
  require_flag(split_command(), arguments, "target");
  return open_table_records(path, table_options(arguments, format), folder);
}

struct Outcome {
  std::vector<Part> parts;
  SplitReport report{};
  std::vector<std::string> notes{};
  double seconds = 0.0;
};

/// No file is there before all are.
Outcome split(const Arguments& arguments, Format format) {
  const Stopwatch watch;
  ProgressBar bar(!arguments.has("quiet"));
  Outcome outcome{.parts = parts_of(arguments)};
  const std::string prefix = arguments.text("output");
  const auto source = open_source(arguments, format, folder_of(prefix));
  std::deque<OutputFile> files;
  for (Part& part : outcome.parts) {
    part.path = path_of(prefix, part, extension(format, source->delimiter()));
    refuse_same_file(part.path, arguments.positional(0));
    check_place(part.path);
    files.emplace_back(part.path).write(source->header());
  }
  std::vector<double> shares;
  for (const Part& part : outcome.parts) { shares.push_back(part.share); }
  outcome.report = split_rows(
      *source, shares, [&](std::size_t part, std::string_view rows) { files[part].write(rows); },
      make_context(arguments, bar));
  for (OutputFile& file : files) { file.flush(); }
  for (OutputFile& file : files) { file.finish(); }
  outcome.notes = source->notes();
  outcome.seconds = watch.seconds();
  return outcome;
}

/// Classes that are too small to be in every part.
void add_notes(Outcome& outcome) {
  std::vector<std::string> small;
  for (std::size_t label = 0; label < outcome.report.labels.size(); ++label) {
    const auto& counts = outcome.report.counts[label];
    for (std::size_t p = 0; p < counts.size(); ++p) { outcome.parts[p].rows += counts[p]; }
    if (std::ranges::find(counts, std::size_t{0}) == counts.end()) { continue; }
    small.push_back(outcome.report.labels[label]);
  }
  if (small.empty()) { return; }
  outcome.notes.push_back(fmt::format("{} too few rows to be in every part: {}",
                                      counted(small.size(), "class has", "classes have"),
                                      few(small)));
}

std::string text_as_json(const Outcome& outcome, const std::string& seed) {
  Json parts = Json::array();
  for (const Part& part : outcome.parts) {
    parts.push_back(
        {{"part", part.name}, {"share", part.share}, {"rows", part.rows}, {"output", part.path}});
  }
  Json classes = Json::array();
  for (std::size_t label = 0; label < outcome.report.labels.size(); ++label) {
    Json object = {{"class", outcome.report.labels[label]}};
    for (std::size_t p = 0; p < outcome.parts.size(); ++p) {
      object[outcome.parts[p].name] = outcome.report.counts[label][p];
    }
    classes.push_back(std::move(object));
  }
  return json_text({{"rows", outcome.report.rows},
                    {"seed", std::stoull(seed)},
                    {"parts", std::move(parts)},
                    {"classes", std::move(classes)},
                    {"seconds", outcome.seconds},
                    {"notes", outcome.notes}});
}

std::string text_for_people(const Outcome& outcome) {
  constexpr std::size_t kMostClasses = 30;
  using Align = TextTable::Align;
  std::vector<Align> align(outcome.parts.size() + 1, Align::right);
  align.front() = Align::left;
  TextTable table(align);
  std::vector<std::string> cells{"class"};
  for (const Part& part : outcome.parts) { cells.push_back(part.name); }
  table.header(cells);
  const std::size_t classes = outcome.report.labels.size();
  for (std::size_t label = 0; label < classes && classes <= kMostClasses; ++label) {
    cells.assign(1, outcome.report.labels[label]);
    for (const std::size_t count : outcome.report.counts[label]) {
      cells.push_back(grouped(count));
    }
    table.row(cells);
  }
  cells.assign(1, "all");
  for (const Part& part : outcome.parts) { cells.push_back(grouped(part.rows)); }
  table.row(cells);
  FactTable facts;
  facts.add("rows", grouped(outcome.report.rows));
  facts.add("classes", grouped(classes));
  facts.add("seconds", fmt::format("{:.3f}", outcome.seconds));
  for (const Part& part : outcome.parts) { facts.add(part.name, part.path); }
  return facts.text() + "\n" + table.text();
}

void run(const Arguments& arguments) {
  require_flag(split_command(), arguments, "output");
  check_format_flags(arguments, arguments.positional(0));
  Outcome outcome = split(arguments, format_choice(arguments).input);
  add_notes(outcome);
  const bool json = arguments.has("json");
  if (json || !arguments.has("quiet")) {
    print_summary(json ? text_as_json(outcome, arguments.text("seed")) : text_for_people(outcome),
                  "the rows were written");
  }
  print_notes(outcome.notes, arguments.has("quiet"));
}

}  // namespace

Command split_command() {
  return {.name = "split",
          .bit = kSplit,
          .summary = "divide a labelled file into training, validation and test rows",
          .usage = "DATA --target COLUMN --train S [--validation S] [--test S] -o PREFIX",
          .positionals = {{"DATA",
                           "CSV or TSV file, or what --format says, plain, .gz or .zst; - is "
                           "standard input"}},
          .example =
              "split penguins.csv --target species --train 0.6 --validation 0.2 --test 0.2 --seed "
              "1 -o penguins",
          .run = run};
}

}  // namespace logodds::app
