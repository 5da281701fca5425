// logodds threshold: from which posterior on to decide for a class, chosen on validation rows and
// stored in the model.
#include <fmt/format.h>

#include <algorithm>

#include "arguments.hpp"
#include "deciding.hpp"
#include "fitting.hpp"
#include "json.hpp"
#include "logodds/adjust.hpp"
#include "output.hpp"
#include "output_file.hpp"
#include "reading.hpp"
#include "scoring.hpp"
#include "sources.hpp"
#include "tables.hpp"

namespace logodds::app {

namespace {

/// The class of --class; of two classes, the second by default.
std::size_t chosen_class(const Arguments& arguments, const Classifier& model) {
  const auto& labels = model.labels();
  if (!arguments.has("class")) {
    if (labels.size() == 2) { return 1; }
    throw Error(
        ErrorCode::usage,
        fmt::format("a threshold belongs to one class; name it with --class: {}", few(labels)));
  }
  const std::string name = arguments.text("class");
  const auto found = std::ranges::find(labels, name);
  if (found != labels.end()) { return static_cast<std::size_t>(found - labels.begin()); }
  const std::string near = did_you_mean(name, labels);
  throw Error(ErrorCode::usage,
              fmt::format("option --class: there is no class '{}'{}", name,
                          near.empty() ? "; the classes are " + few(labels) : near));
}

ThresholdWish wish_of(const Arguments& arguments, const Classifier& model,
                      std::vector<std::string>& notes) {
  if (arguments.has("cost") == arguments.has("precision")) {
    throw Error(ErrorCode::usage,
                "a threshold is chosen by what decisions cost or by a precision; give one of "
                "--cost and --precision");
  }
  ThresholdWish wish{.label = chosen_class(arguments, model)};
  if (arguments.has("cost")) {
    wish.costs = chosen_costs(arguments, model, notes);
  } else {
    wish.precision = arguments.real("precision");
  }
  return wish;
}

struct Outcome {
  ThresholdReport report{};
  std::unique_ptr<Classifier> model{};
  std::string label{};
  bool priced = false;
  std::string output{};
  std::vector<std::string> notes{};
};

Outcome choose(const Arguments& arguments) {
  ProgressBar bar(!arguments.has("quiet"));
  Outcome outcome;
  outcome.output = arguments.has("output") ? arguments.text("output") : arguments.positional(0);
  refuse_same_file(outcome.output, arguments.positional(1));
  refuse_option_files(outcome.output, arguments);
  check_place(outcome.output);
  auto model = load_labelled_model(arguments);
  const ThresholdWish wish = wish_of(arguments, *model, outcome.notes);
  const auto source = open_bound(arguments, *model, arguments.positional(1), LabelUse::required);
  outcome.label = model->labels()[wish.label];
  outcome.priced = wish.costs.has_value();
  outcome.model = choose_threshold(std::move(model), *source, wish, outcome.report,
                                   make_context(arguments, bar), missing_rows(arguments));
  save_model(*outcome.model, outcome.output);
  const auto more = score_notes(*outcome.model, *source, outcome.report.rows);
  outcome.notes.insert(outcome.notes.end(), more.begin(), more.end());
  return outcome;
}

Json choice_json(const decide::ThresholdChoice& choice, bool priced) {
  Json object = {{"precision", choice.precision},
                 {"recall", choice.recall},
                 {"decided", json_number(choice.decided)}};
  if (priced) { object["cost"] = choice.cost; }
  return object;
}

std::string text_as_json(const Outcome& outcome) {
  return json_text({{"model", outcome.model->family()},
                    {"rows", outcome.report.rows.rows},
                    {"rows_skipped", outcome.report.rows.rows_skipped},
                    {"class", outcome.label},
                    {"threshold", outcome.report.choice.threshold},
                    {"before", choice_json(outcome.report.before, outcome.priced)},
                    {"after", choice_json(outcome.report.choice, outcome.priced)},
                    {"output", outcome.output},
                    {"notes", outcome.notes}});
}

std::string text_for_people(const Outcome& outcome) {
  using Align = TextTable::Align;
  FactTable facts;
  facts.add("model", outcome.model->family());
  facts.add("rows", grouped(outcome.report.rows.rows));
  facts.add("class", outcome.label);
  facts.add("threshold", short_number(outcome.report.choice.threshold));
  facts.add("output", outcome.output);
  TextTable table({Align::left, Align::right, Align::right, Align::right, Align::right});
  std::vector<std::string> cells{"decided by", "for " + outcome.label, "precision", "recall"};
  if (outcome.priced) { cells.emplace_back("cost a row"); }
  table.header(cells);
  const auto add = [&](std::string_view name, const decide::ThresholdChoice& choice) {
    cells = {std::string(name), short_number(choice.decided), short_number(choice.precision),
             short_number(choice.recall)};
    if (outcome.priced) { cells.push_back(short_number(choice.cost)); }
    table.row(cells);
  };
  add("largest posterior", outcome.report.before);
  add("threshold", outcome.report.choice);
  return facts.text() + "\n" + table.text();
}

void run(const Arguments& arguments) {
  check_format_flags(arguments, arguments.positional(1));
  const Outcome outcome = choose(arguments);
  const bool json = arguments.has("json");
  if (json || !arguments.has("quiet")) {
    print_summary(json ? text_as_json(outcome) : text_for_people(outcome),
                  "the model was written to " + outcome.output);
  }
  print_notes(outcome.notes, arguments.has("quiet"));
}

}  // namespace

Command threshold_command() {
  return {.name = "threshold",
          .bit = kThreshold,
          .summary = "choose the posterior from which on to decide for a class, and store it",
          .usage = "MODEL VALIDATION (--cost COSTS | --precision P) [--class C] [-o NEW]",
          .positionals = {{"MODEL", "model file that 'logodds train' wrote"},
                          {"VALIDATION",
                           "labelled rows that the model has not seen: CSV or TSV file, or what "
                           "--format says; - is standard input"}},
          .example = "threshold spam.model validation.csv --precision 0.95 --class spam",
          .run = run};
}

}  // namespace logodds::app
