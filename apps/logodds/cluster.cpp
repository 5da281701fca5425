// logodds cluster: groups the rows of a file, whose labels, if there are some, change nothing.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "arguments.hpp"
#include "fitting.hpp"
#include "json.hpp"
#include "logodds/logodds.hpp"
#include "output.hpp"
#include "output_file.hpp"
#include "reading.hpp"
#include "sources.hpp"
#include "tables.hpp"

namespace logodds::app {

namespace {

using OptionValues = std::map<std::string, std::string>;

/// What --k A-B asks for: a number of clusters after the other.
bool is_range(const std::string& k) { return k.find('-') != std::string::npos; }

/// A range of K-means clusters ends in a table, and its model is none to look at.
bool is_table(const Classifier& model) {
  return model.options().has("k") && is_range(model.options().text("k"));
}

/// Before the data, which may be a pipe.
void check_clusters(const Options& options, const std::string& start) {
  if (!options.text("k").empty() || !start.empty()) { return; }
  throw Error(ErrorCode::usage,
              fmt::format("option --k is missing: say how many clusters there are to be; example: "
                          "logodds {}",
                          cluster_command().example));
}

void check_output(const Arguments& arguments, const Options& options) {
  if (!arguments.has("output")) { return; }
  if (is_range(options.text("k")) && !arguments.has("soft")) {
    throw Error(ErrorCode::usage,
                fmt::format("--k {} shows E against K, and E falls with every further cluster, so "
                            "it does not choose one; leave -o out, or give it with one --k",
                            options.text("k")));
  }
  check_model_output(cluster_command(), arguments);
  refuse_same_file(arguments.text("output"), arguments.positional(0));
}

/// --init is one of the choices, or the name of a file; that is given back, and the option says so.
std::string start_file(const FamilyRecord& record, OptionValues& options) {
  const auto given = options.find("init");
  if (given == options.end()) { return {}; }
  std::vector<std::string> names = find_option(record, "init")->choices;
  std::erase(names, "given");
  std::string value = given->second;
  std::error_code ignored;
  if (std::ranges::find(names, value) != names.end()) { return {}; }
  if (!std::filesystem::exists(value, ignored)) {
    throw Error(ErrorCode::usage,
                fmt::format("option --init: '{}' is neither {} nor a file that is there{}", value,
                            fmt::join(names, " nor "), did_you_mean(value, names)));
  }
  given->second = "given";
  return value;
}

std::string text_as_json(const Fitted& fitted) {
  const Classifier& model = *fitted.fit.model;
  const FitReport& report = fitted.fit.report;
  Json facts = Json::object();
  for (const auto& [name, value] : report.facts) { facts[name] = cell_json(value); }
  Json object = {{"model", model.family()},
                 {"options", options_json(model)},
                 {"rows", report.rows},
                 {"rows_skipped", report.rows_skipped},
                 {"rows_incomplete", report.rows_incomplete},
                 {"weight", json_number(report.weight)},
                 {"columns", columns_json(model.schema())},
                 {"facts", std::move(facts)}};
  if (!is_table(model)) { object["clusters"] = tables_json(model.describe().tables); }
  object["tables"] = tables_json(report.tables);
  object["trace"] = report.trace ? table_json(*report.trace) : Json();
  object["seconds"] = fitted.seconds;
  object["output"] = fitted.output;
  object["notes"] = fitted.notes;
  return json_text(object);
}

std::string text_for_people(const Fitted& fitted, bool with_trace) {
  const Classifier& model = *fitted.fit.model;
  const FitReport& report = fitted.fit.report;
  FactTable facts;
  facts.add("model", model_title(model));
  facts.add("rows", grouped(report.rows));
  if (report.rows_incomplete > 0) { facts.add("incomplete", incomplete_text(fitted)); }
  if (report.rows_skipped > 0) {
    facts.add("skipped", grouped(report.rows_skipped) + " (a value is missing)");
  }
  for (const auto& [name, value] : report.facts) {
    std::string words = name;
    std::ranges::replace(words, '_', ' ');
    facts.add(words, cell_text(value));
  }
  facts.add("seconds", fmt::format("{:.3f}", fitted.seconds));
  if (!fitted.output.empty()) { facts.add("output", fitted.output); }
  std::string text = facts.text() + "\n" + columns_table(model.schema());
  if (!is_table(model)) {
    for (const DescriptionTable& table : model.describe().tables) { text += table_text(table); }
  }
  for (const DescriptionTable& table : report.tables) { text += table_text(table); }
  if (report.trace && with_trace) { text += table_text(*report.trace); }
  return text;
}

void report(const Fitted& fitted, const Arguments& arguments) {
  if (arguments.has("json") || !arguments.has("quiet") || fitted.output.empty()) {
    const bool with_trace = !arguments.has("soft") || shows_trace(arguments);
    const std::string text =
        arguments.has("json") ? text_as_json(fitted) : text_for_people(fitted, with_trace);
    if (fitted.output.empty()) {
      print(text);
    } else {
      print_summary(text, "the model was written to " + fitted.output);
    }
  }
  print_notes(fitted.notes, arguments.has("quiet"));
}

void run(const Arguments& arguments) {
  const FamilyRecord& record = clustering(arguments.has("soft"));
  check_family_options(arguments, record);
  check_format_flags(arguments, arguments.positional(0));
  OptionValues options = with_format_options(arguments, record, family_options(arguments, record));
  const std::string start = start_file(record, options);
  const Options checked(record.options, options);
  check_clusters(checked, start);
  check_output(arguments, checked);
  check_trace(arguments);
  for (const auto& [flag, name] : {std::pair{"-o", "output"}, {"--trace", "trace"}}) {
    if (!start.empty() && arguments.has(name)) {
      refuse_same_file(arguments.text(name), start, flag);
    }
  }
  const Stopwatch watch;
  ProgressBar bar(!arguments.has("quiet"));
  const auto source = open_training(arguments, record, arguments.positional(0));
  Context context = make_context(arguments, bar);
  if (!start.empty()) {
    context.start_rows = [&](const Schema& schema) {
      return open_centers(arguments, schema, start);
    };
  }
  const bool own_missing = find_option(record, "missing") != nullptr;
  Fit fit = cluster(*source, record.name, options, context,
                    own_missing ? MissingRows::use : missing_rows(arguments));
  bar.erase();
  Fitted fitted = finish_fit(std::move(fit), arguments, watch);
  write_trace(fitted.fit.report, arguments);
  report(fitted, arguments);
}

}  // namespace

Command cluster_command() {
  return {.name = "cluster",
          .bit = kCluster,
          .summary = "group the rows of a file without labels",
          .usage =
              "DATA --k K [--soft] [--init random | k-means++ | FILE] [--restarts R] "
              "[--columns A,B] [--target COLUMN] [-o MODEL]",
          .positionals =
              {{"DATA",
                "CSV or TSV file, or what --format says, plain, .gz or .zst; - is standard input"}},
          .example = "cluster geyser.csv --k 2 -o geyser.model",
          .family_options = true,
          .clusters = true,
          .run = run};
}

}  // namespace logodds::app
