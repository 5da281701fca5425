#include "fitting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "csv_writing.hpp"
#include "json.hpp"
#include "logodds/modelfile/model_writing.hpp"
#include "output.hpp"
#include "output_file.hpp"
#include "sources.hpp"
#include "tables.hpp"
#include "text_file.hpp"

namespace logodds::app {

namespace {

Json counts_json(const std::vector<double>& weights) {
  Json counts = Json::array();
  for (const double weight : weights) { counts.push_back(json_number(weight)); }
  return counts;
}

std::string text_as_json(const Fitted& fitted) {
  const Classifier& model = *fitted.fit.model;
  const FitReport& report = fitted.fit.report;
  Json object = {{"model", model.family()}, {"options", options_json(model)}};
  if (!fitted.rows_are.empty()) {
    object["rows"] = report.rows;
    object["rows_skipped"] = report.rows_skipped;
    object["rows_incomplete"] = report.rows_incomplete;
    object["rows_unlabeled"] = report.rows_unlabeled;
  }
  object["weight"] = json_number(report.weight);
  object["target"] = model.schema().target;
  object["classes"] = model.labels();
  object["class_counts"] = counts_json(report.class_weights);
  if (report.rows_unlabeled > 0) {
    object["expected_counts"] = counts_json(report.expected_weights);
  }
  object["columns"] = columns_json(model.schema());
  object["tables"] = tables_json(report.tables);
  object["trace"] = report.trace ? table_json(*report.trace) : Json();
  object["seconds"] = fitted.seconds;
  object["output"] = fitted.output;
  object["notes"] = fitted.notes;
  return json_text(object);
}

std::string classes_table(const Fitted& fitted) {
  constexpr std::size_t kShown = 30;
  constexpr double kRounding = 1e-12;
  using Align = TextTable::Align;
  const FitReport& report = fitted.fit.report;
  const std::vector<std::string>& labels = fitted.fit.model->labels();
  if (report.class_weights.size() != labels.size()) { return ""; }
  const bool weighted =
      std::abs(report.weight - static_cast<double>(report.rows)) > kRounding * report.weight;
  const bool expected = report.rows_unlabeled > 0;
  TextTable table({Align::left, Align::right, Align::right});
  table.header({"class", weighted ? "weight" : "rows", expected ? "with EM" : ""});
  const std::size_t shown = std::min(labels.size(), kShown);
  for (std::size_t k = 0; k < shown; ++k) {
    table.row({labels[k], short_number(report.class_weights[k]),
               expected ? short_number(report.expected_weights[k]) : ""});
  }
  std::string text = table.text();
  if (labels.size() > shown) {
    text += fmt::format("and {} more; --json shows all\n", labels.size() - shown);
  }
  return text;
}

}  // namespace

std::string incomplete_text(const Fitted& fitted) {
  const Options& options = fitted.fit.model->options();
  const std::string how =
      options.has("missing") ? fmt::format(" (--missing {})", options.text("missing")) : "";
  return counted(fitted.fit.report.rows_incomplete, "row lacks a value; it is used",
                 "rows lack a value; they are used") +
         how;
}

namespace {

/// "40 rows have no label; EM used them in 17 steps"
std::string unlabeled_text(const FitReport& report) {
  const std::size_t steps = report.trace ? report.trace->rows.size() - 1 : 0;
  return counted(report.rows_unlabeled, "row has no label; EM used it",
                 "rows have no label; EM used them") +
         " in " + counted(steps, "step", "steps");
}

std::string text_for_people(const Fitted& fitted, bool with_trace) {
  const FitReport& report = fitted.fit.report;
  FactTable facts;
  facts.add("model", model_title(*fitted.fit.model));
  facts.add("target", fitted.fit.model->schema().target);
  if (!fitted.rows_are.empty()) { facts.add(fitted.rows_are, grouped(report.rows)); }
  if (fitted.rows_are != "rows") { facts.add("weight", short_number(report.weight)); }
  if (report.rows_unlabeled > 0) { facts.add("unlabeled", unlabeled_text(report)); }
  if (report.rows_incomplete > 0) { facts.add("incomplete", incomplete_text(fitted)); }
  if (report.rows_skipped > 0) {
    facts.add("skipped", grouped(report.rows_skipped) + " (a value is missing)");
  }
  facts.add("seconds", fmt::format("{:.3f}", fitted.seconds));
  facts.add("output", fitted.output);
  std::string text = facts.text() + "\n" + classes_table(fitted) + "\n" +
                     columns_table(fitted.fit.model->schema());
  for (const DescriptionTable& table : report.tables) { text += table_text(table); }
  if (with_trace && report.trace) { text += table_text(*report.trace); }
  return text;
}

}  // namespace

namespace {

bool has_options(const FamilyRecord& family, const std::map<std::string, std::string>& options) {
  return std::ranges::all_of(
      options, [&](const auto& option) { return find_option(family, option.first) != nullptr; });
}

}  // namespace

std::string chosen_family(const Arguments& arguments, std::map<std::string, std::string> more) {
  if (arguments.has("model")) { return arguments.text("model"); }
  auto options = arguments.family_options();
  options.merge(more);
  if (has_options(find_family(kDefaultFamily), options)) { return std::string(kDefaultFamily); }
  for (const FamilyRecord& family : families()) {
    if (has_options(family, options)) { return family.name; }
  }
  return std::string(kDefaultFamily);
}

MissingRows training_missing(const Arguments& arguments, const FamilyRecord& family) {
  const bool own = find_option(family, "missing") != nullptr;
  return own ? MissingRows::use : missing_rows(arguments);
}

std::map<std::string, std::string> training_options(const Arguments& arguments,
                                                    const FamilyRecord& family) {
  auto options = with_format_options(arguments, family, family_options(arguments, family));
  if (find_option(family, "missing") != nullptr && arguments.has("missing")) {
    options.emplace("missing", arguments.text("missing"));
  }
  return options;
}

void check_model_output(const Command& command, const Arguments& arguments) {
  require_flag(command, arguments, "output");
  if (arguments.text("output") == "-") {
    throw Error(ErrorCode::usage, "a model is not written to standard output; name a file with -o");
  }
  check_place(arguments.text("output"));
}

namespace {

/// To the library no terms are an option that was not given, and so every term is counted.
void check_vocabulary(const std::string& terms, const std::string& path) {
  if (terms.find_first_not_of(" \t\r\n") != std::string::npos) { return; }
  throw Error(ErrorCode::input,
              fmt::format("option --vocabulary: {} holds no term; write one a line, or leave the "
                          "option out to count every word",
                          path));
}

}  // namespace

std::map<std::string, std::string> family_options(const Arguments& arguments,
                                                  const FamilyRecord& family) {
  std::map<std::string, std::string> options = arguments.family_options();
  for (auto& [name, value] : options) {
    const OptionSpec* spec = find_option(family, name);
    if (spec->from_file && value != spec->default_value) {
      refuse_same_file(arguments.text("output"), value);
      const std::string path = value;
      value = read_text_file(path, "option --" + name);
      if (name == "vocabulary") { check_vocabulary(value, path); }
    }
  }
  return options;
}

void check_trace(const Arguments& arguments) {
  if (!arguments.has("trace") || arguments.text("trace") == "-") { return; }
  const std::string path = arguments.text("trace");
  refuse_same_file(path, arguments.positional(0), "--trace");
  refuse_option_files(path, arguments, "--trace");
  std::error_code problem;
  const std::string model = arguments.text("output");
  if (!model.empty() && std::filesystem::weakly_canonical(path, problem) ==
                            std::filesystem::weakly_canonical(model, problem)) {
    throw Error(ErrorCode::usage,
                fmt::format("--trace {} is the file that -o names for the model; name another "
                            "file",
                            path));
  }
  check_place(path, "--trace");
}

void write_trace(const FitReport& report, const Arguments& arguments) {
  if (!arguments.has("trace") || arguments.text("trace") == "-" || !report.trace) { return; }
  const DescriptionTable& trace = *report.trace;
  OutputFile file(arguments.text("trace"));
  std::string text;
  for (std::size_t c = 0; c < trace.columns.size(); ++c) {
    text += (c == 0 ? "" : ",") + csv_field(trace.columns[c]);
  }
  file.write(text + "\n");
  for (const std::vector<Cell>& row : trace.rows) {
    text.clear();
    for (std::size_t c = 0; c < row.size(); ++c) {
      text += c == 0 ? "" : ",";
      if (const auto* number = std::get_if<double>(&row[c])) {
        append_number(text, *number);
      } else {
        text += csv_field(cell_text(row[c]));
      }
    }
    file.write(text + "\n");
  }
  file.finish();
}

void save_model(const Model& model, const std::string& path) {
  SafeFile file(path);
  modelfile::write(model, [&](std::string_view piece) { file.write(piece); });
  file.finish();
}

Fitted finish_fit(Fit fit, const Arguments& arguments, const Stopwatch& watch,
                  const std::string& rows_are) {
  Fitted fitted;
  fitted.rows_are = rows_are;
  fitted.fit = std::move(fit);
  fitted.output = arguments.text("output");
  if (!fitted.output.empty()) { save_model(*fitted.fit.model, fitted.output); }
  fitted.seconds = watch.seconds();
  fitted.notes = fitted.fit.report.notes;
  return fitted;
}

bool shows_trace(const Arguments& arguments) {
  return arguments.has("trace") && arguments.text("trace") == "-";
}

void report_fit(const Fitted& fitted, const Arguments& arguments) {
  if (arguments.has("json") || !arguments.has("quiet")) {
    print_summary(arguments.has("json") ? text_as_json(fitted)
                                        : text_for_people(fitted, shows_trace(arguments)),
                  "the model was written to " + fitted.output);
  }
  print_notes(fitted.notes, arguments.has("quiet"));
}

namespace {

/// --missing is about the rows that are read; only a way to use them changes the model.
MissingRows taken_missing(const Arguments& arguments, OptionChanges& changed) {
  const auto given = changed.find("missing");
  if (given == changed.end()) { return missing_rows(arguments); }
  const std::string value = given->second;
  if (value != "skip" && value != "error") { return MissingRows::use; }
  changed.erase(given);
  return value == "skip" ? MissingRows::skip : MissingRows::error;
}

}  // namespace

void change_model(const Command& command, const Arguments& arguments, RowChange change,
                  DescriptionChange of_description, const std::string& rows_are) {
  check_model_output(command, arguments);
  check_format_flags(arguments, arguments.positional(1));
  refuse_same_file(arguments.text("output"), arguments.positional(1));
  const Stopwatch watch;
  ProgressBar bar(!arguments.has("quiet"));
  const auto loaded = load_any_model(arguments);
  if (const auto* const description = dynamic_cast<const DescriptiveModel*>(loaded.get())) {
    return change_description(*description, arguments, of_description, rows_are, watch, bar);
  }
  const auto* const model = dynamic_cast<const Classifier*>(loaded.get());
  check_family_options(arguments, record_of(*model));
  OptionChanges changed = family_options(arguments, record_of(*model));
  const MissingRows missing = taken_missing(arguments, changed);
  const auto source = open_extending(arguments, *model, arguments.positional(1));
  Fit fit = change(*model, *source, make_context(arguments, bar), missing, changed);
  bar.erase();
  report_fit(finish_fit(std::move(fit), arguments, watch, rows_are), arguments);
}

}  // namespace logodds::app
