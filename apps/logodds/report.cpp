// logodds report: one page about a model and how good it is on labelled rows.
#include "logodds/report/report.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "arguments.hpp"
#include "json.hpp"
#include "logodds/logodds.hpp"
#include "output.hpp"
#include "output_file.hpp"
#include "reading.hpp"
#include "scoring.hpp"
#include "sources.hpp"

namespace logodds::app {

namespace {

using report::RowsOf;

/// As a shell takes it.
std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-./,:=@%+") == std::string::npos;
  if (plain) { return word; }
  std::string text = "'";
  for (const char c : word) { text += c == '\'' ? std::string("'\\''") : std::string(1, c); }
  return text + "'";
}

/// The command line again.
std::string command_line(const Arguments& arguments) {
  std::string line = "logodds report";
  for (const std::string& word : arguments.positionals()) { line += " " + quoted(word); }
  for (const Flag& flag : flags()) {
    if ((flag.commands & kReport) == 0 || !arguments.has(flag.spec.name)) { continue; }
    if (flag.spec.name == "quiet" || flag.spec.name == "json" || flag.spec.name == "threads") {
      continue;  // they change nothing on the page
    }
    line += " --" + flag.spec.name;
    if (flag.spec.type != OptionType::flag) {
      line += " " + quoted(arguments.text(flag.spec.name));
    }
  }
  return line;
}

void check(const Arguments& arguments) {
  const Command command = report_command();
  require_flag(command, arguments, "output");
  const std::string output = arguments.text("output");
  if (!output.ends_with(".html")) {
    throw Error(ErrorCode::usage,
                fmt::format("-o {}: a report is a page; give a name that ends in .html", output));
  }
  for (const std::string& input : arguments.positionals()) { refuse_same_file(output, input); }
  if (arguments.has("train")) {
    refuse_same_file(output, arguments.text("train"));
    if (arguments.text("train") == "-" && arguments.positional(1) == "-") {
      throw Error(ErrorCode::usage,
                  "DATA and --train cannot both be standard input; name a file for one of them");
    }
  }
  check_place(output);
  check_format_flags(arguments, arguments.positional(1));
}

/// What a path ends in: the page is to be the same wherever the file lies.
std::string name_of(const std::string& path) {
  if (path == "-") { return "standard input"; }
  const std::string name = std::filesystem::path(path).filename().string();
  return name.empty() ? path : name;
}

RowsOf rows_of(const Arguments& arguments, const Classifier& model, const std::string& path) {
  return {.name = name_of(path), .open = [&arguments, &model, path] {
            return open_bound(arguments, model, path, LabelUse::required);
          }};
}

void run(const Arguments& arguments) {
  check(arguments);
  const Stopwatch watch;
  ProgressBar bar(!arguments.has("quiet"));
  const auto model = load_labelled_model(arguments);
  report::ReportInput input{.model = model.get(),
                            .model_name = name_of(arguments.positional(0)),
                            .data = rows_of(arguments, *model, arguments.positional(1)),
                            .training = {},
                            .how_made = {command_line(arguments)},
                            .version = LOGODDS_VERSION};
  if (arguments.has("train")) {
    input.training = rows_of(arguments, *model, arguments.text("train"));
    std::error_code unknown;
    input.training_is_data =
        std::filesystem::equivalent(arguments.text("train"), arguments.positional(1), unknown);
  }
  const report::ReportPage page =
      report::make_report(input,
                          {.level = arguments.real("level"),
                           .rows_shown = static_cast<std::size_t>(arguments.integer("rows"))},
                          make_context(arguments, bar));
  bar.erase();
  const std::string path = arguments.text("output");
  OutputFile file(path);
  file.write(page.html);
  file.finish();
  if (arguments.has("json")) {
    print_json({{"file", path}, {"seconds", watch.seconds()}, {"notes", page.notes}});
  } else if (!arguments.has("quiet")) {
    print_summary(fmt::format("wrote {}\n", printable(path)), path);
  }
  print_notes(page.notes, arguments.has("quiet") || arguments.has("json"));
}

}  // namespace

Command report_command() {
  return {.name = "report",
          .bit = kReport,
          .summary = "write a page about a model: how good it is, where it errs, what it sees",
          .usage = "MODEL DATA [--train TRAIN] -o report.html",
          .positionals = {{"MODEL", "model file that 'logodds train' wrote"},
                          {"DATA",
                           "labelled CSV or TSV file, or what --format says, plain, .gz or .zst; - "
                           "is standard input"}},
          .example = "report penguins.model held_out.csv --train penguins.csv -o report.html",
          .run = run};
}

}  // namespace logodds::app
