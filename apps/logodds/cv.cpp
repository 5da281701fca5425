// logodds cv: how well a model predicts rows that it has not seen, for a grid of options.
#include <fmt/format.h>

#include "arguments.hpp"
#include "csv_writing.hpp"
#include "fitting.hpp"
#include "json.hpp"
#include "logodds/choose/cross_validation.hpp"
#include "output.hpp"
#include "output_file.hpp"
#include "reading.hpp"
#include "sources.hpp"
#include "tables.hpp"
#include "validating.hpp"

namespace logodds::app {

namespace {

using choose::CrossValidation;
using choose::GridPoint;

std::vector<choose::GridAxis> grid_of(const Arguments& arguments) {
  if (!arguments.has("grid")) { return {}; }
  return choose::parse_grid(arguments.text("grid"));
}

/// The family that is named, or that has the options which are given and tried.
const FamilyRecord& family_of(const Arguments& arguments) {
  std::map<std::string, std::string> tried;
  for (const auto& axis : grid_of(arguments)) { tried.emplace(axis.option, axis.values.front()); }
  return find_family(chosen_family(arguments, tried));
}

void check(const Arguments& arguments, const FamilyRecord& family) {
  check_family_options(arguments, family);
  check_format_flags(arguments, arguments.positional(0));
  if (has_columns(format_choice(arguments).input)) {
    require_flag(cv_command(), arguments, "target");
  }
  if (arguments.has("leave-one-out") && (arguments.has("folds") || arguments.has("repeats"))) {
    throw Error(ErrorCode::usage,
                "--leave-one-out holds out every row by itself, so --folds and --repeats have "
                "nothing to say; leave them out");
  }
  if (arguments.has("output")) {
    refuse_same_file(arguments.text("output"), arguments.positional(0));
    static_cast<void>(table_output(arguments, "the table of results"));
  }
}

choose::CrossValidationRequest request_of(const Arguments& arguments, const FamilyRecord& family) {
  choose::CrossValidationRequest request;
  request.family = family.name;
  request.options = training_options(arguments, family);
  request.grid = grid_of(arguments);
  request.folds = static_cast<std::size_t>(arguments.integer("folds"));
  request.leave_one_out = arguments.has("leave-one-out");
  request.repeats = static_cast<std::size_t>(arguments.integer("repeats"));
  request.missing = training_missing(arguments, family);
  request.announce = [quiet = arguments.has("quiet")](const std::string& sentence) {
    print_notes({sentence}, quiet);
  };
  return request;
}

/// "ridge 0.1, blend 0.5,0"
std::string options_text(const choose::OptionMap& options) {
  std::string text;
  for (const auto& [name, value] : options) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
  }
  return text;
}

std::string title(const CrossValidation& found) {
  return found.options.empty() ? found.family
                               : fmt::format("{} ({})", found.family, options_text(found.options));
}

Json options_json(const FamilyRecord& family, const choose::OptionMap& options) {
  Json object = Json::object();
  for (const auto& [name, value] : options) {
    object[name] = option_value_json(*find_option(family, name), value);
  }
  return object;
}

Json folds_json(const std::vector<choose::FoldResult>& folds) {
  Json list = Json::array();
  for (const choose::FoldResult& fold : folds) {
    list.push_back({{"rows", fold.rows},
                    {"error_rate", fold.error_rate},
                    {"log_loss", fold.log_loss},
                    {"brier", fold.brier}});
  }
  return list;
}

Json point_json(const FamilyRecord& family, const GridPoint& point, bool with_folds) {
  Json object = {{"options", options_json(family, point.options)}};
  if (!point.failure.empty()) {
    object["failure"] = point.failure;
    return object;
  }
  add_estimates(object, point);
  if (with_folds) { object["folds"] = folds_json(point.folds); }
  return object;
}

std::string text_as_json(const CrossValidation& found, const Arguments& arguments, double seconds,
                         const std::vector<std::string>& notes) {
  const FamilyRecord& family = find_family(found.family);
  Json grid = Json::array();
  for (const GridPoint& point : found.grid) {
    grid.push_back(point_json(family, point, !found.leave_one_out));
  }
  Json object = {{"model", found.family},
                 {"options", options_json(family, found.options)},
                 {"classes", found.labels},
                 {"rows", found.rows},
                 {"rows_skipped", found.rows_skipped},
                 {"folds", found.folds},
                 {"repeats", found.repeats},
                 {"leave_one_out", found.leave_one_out},
                 {"seed", arguments.integer("seed")},
                 {"from_statistics", found.from_statistics}};
  add_estimates(object, found.grid[found.chosen]);
  object["rows_ruled_out"] = found.rows_ruled_out;
  object["grid"] = std::move(grid);
  object["best"] = point_json(family, found.grid[found.best], false);
  object["choice"] = point_json(family, found.grid[found.chosen], false);
  object["seconds"] = seconds;
  object["output"] = arguments.text("output");
  object["notes"] = notes;
  return json_text(object);
}

std::string mark_of(const CrossValidation& found, std::size_t p) {
  const bool best = p == found.best;
  const bool chosen = p == found.chosen;
  return best && chosen ? "best, chosen" : best ? "best" : chosen ? "chosen" : "";
}

std::string grid_table(const CrossValidation& found) {
  using Align = TextTable::Align;
  std::vector<std::string> header;
  for (const auto& [name, value] : found.grid.front().options) { header.push_back(name); }
  const std::size_t options = header.size();
  std::vector<Align> align(options, Align::right);
  for (const std::string name : {"error rate", "log loss", "Brier"}) {
    header.insert(header.end(), {name, "95 % interval"});
    align.insert(align.end(), {Align::right, Align::left});
  }
  const bool marked = found.grid.size() > 1;
  if (marked) {
    header.emplace_back("");
    align.push_back(Align::left);
  }
  TextTable table(align);
  table.header(header);
  for (std::size_t p = 0; p < found.grid.size(); ++p) {
    const GridPoint& point = found.grid[p];
    std::vector<std::string> cells;
    for (const auto& [name, value] : point.options) { cells.push_back(value); }
    for (const choose::Estimate* estimate : {&point.error_rate, &point.log_loss, &point.brier}) {
      const bool failed = !point.failure.empty();
      cells.push_back(failed ? "failed" : measured(estimate->value));
      cells.push_back(failed ? "" : interval_text(*estimate));
    }
    if (marked) { cells.push_back(mark_of(found, p)); }
    table.row(cells);
    if (marked && p == found.chosen) { table.tone(cells.size() - 1, Tone::good); }
  }
  return table.text();
}

/// The plain sentence at the end.
std::string conclusion(const CrossValidation& found) {
  if (found.grid.size() == 1) { return ""; }
  const std::string best = options_text(found.grid[found.best].options);
  if (found.best == found.chosen) {
    return fmt::format(
        "\nThe least log loss is that of {}, and nothing simpler is within one standard error "
        "of it.\n",
        best);
  }
  return fmt::format(
      "\nThe least log loss is that of {}; within one standard error of it, {} is the simplest.\n",
      best, options_text(found.grid[found.chosen].options));
}

std::string text_for_people(const CrossValidation& found, const Arguments& arguments) {
  FactTable facts;
  facts.add("model", title(found));
  facts.add("rows", grouped(found.rows));
  if (found.rows_skipped > 0) {
    facts.add("skipped", grouped(found.rows_skipped) + " (a value is missing)");
  }
  facts.add("held out", held_out_text(found.leave_one_out, found.folds, found.repeats));
  if (arguments.has("output")) { facts.add("output", arguments.text("output")); }
  return facts.text() + "\n" + grid_table(found) + conclusion(found);
}

void write_table(const CrossValidation& found, const std::string& path) {
  OutputFile file(path);
  std::string text;
  for (const auto& [name, value] : found.grid.front().options) { text += csv_field(name) + ","; }
  for (const std::string_view name : {"error_rate", "log_loss", "brier"}) {
    text += fmt::format("{0},{0}_standard_error,{0}_low,{0}_high,", name);
  }
  file.write(text + "best,choice,failure\n");
  for (std::size_t p = 0; p < found.grid.size(); ++p) {
    const GridPoint& point = found.grid[p];
    text.clear();
    for (const auto& [name, value] : point.options) { text += csv_field(value) + ","; }
    for (const choose::Estimate* estimate : {&point.error_rate, &point.log_loss, &point.brier}) {
      for (const double value :
           {estimate->value, estimate->standard_error, estimate->low, estimate->high}) {
        append_number(text, value);
        text += ',';
      }
    }
    text += fmt::format("{},{},", p == found.best ? 1 : 0, p == found.chosen ? 1 : 0);
    if (!point.failure.empty()) { text += csv_field(point.failure); }
    file.write(text + "\n");
  }
  file.finish();
}

std::vector<std::string> notes_of(const CrossValidation& found, const Arguments& arguments) {
  std::vector<std::string> notes = found.notes;
  if (!arguments.has("model")) {
    notes.insert(notes.begin(),
                 fmt::format("no --model was given: {} was taken; 'logodds compare' tries all",
                             found.family));
  }
  std::size_t failed = 0;
  for (const GridPoint& point : found.grid) {
    if (!point.failure.empty() && ++failed == 1) {
      notes.push_back(fmt::format("{}: {}", options_text(point.options), point.failure));
    }
  }
  if (failed > 1) {
    notes.push_back(fmt::format("{} points of the grid failed; --json says why", failed));
  }
  add_ruled_out(notes, found.rows_ruled_out);
  return notes;
}

void run(const Arguments& arguments) {
  const FamilyRecord& family = family_of(arguments);
  check(arguments, family);
  const Stopwatch watch;
  ProgressBar bar(!arguments.has("quiet"));
  const auto request = request_of(arguments, family);
  const auto source = open_training(arguments, family, arguments.positional(0));
  const CrossValidation found =
      choose::cross_validate(*source, request, make_context(arguments, bar));
  bar.erase();
  if (arguments.has("output")) { write_table(found, arguments.text("output")); }
  const auto notes = notes_of(found, arguments);
  if (arguments.text("output") != "-") {
    print(arguments.has("json") ? text_as_json(found, arguments, watch.seconds(), notes)
                                : text_for_people(found, arguments));
  }
  print_notes(notes, arguments.has("quiet"));
}

}  // namespace

Command cv_command() {
  return {.name = "cv",
          .bit = kCrossValidate,
          .summary = "cross-validate a model, and choose its options from a grid",
          .usage = "DATA --target COLUMN --model NAME [--folds N | --leave-one-out] [--grid ...]",
          .positionals =
              {{"DATA",
                "CSV or TSV file, or what --format says, plain, .gz or .zst; - is standard input; "
                "read once, its rows are kept in memory"}},
          .example = "cv penguins.csv --target species --model gaussian --grid \"blend=0,0.5,1\"",
          .family_options = true,
          .run = run};
}

}  // namespace logodds::app
