// logodds evaluate: compares the decisions and posteriors of a model, or given ones, with the
// labels of a file.
#include <fmt/format.h>

#include <cmath>

#include "arguments.hpp"
#include "deciding.hpp"
#include "given_probabilities.hpp"
#include "json.hpp"
#include "logodds/logodds.hpp"
#include "logodds/measure/report.hpp"
#include "measure_output.hpp"
#include "output.hpp"
#include "reading.hpp"
#include "roc_file.hpp"
#include "scoring.hpp"
#include "sources.hpp"
#include "tables.hpp"

namespace logodds::app {

namespace {

struct Outcome {
  std::string name;   ///< of the model's family
  std::string title;  ///< of the model, for people
  std::vector<std::string> labels;
  std::unique_ptr<Classifier> model;  ///< null where probabilities are given
  Evaluation evaluation;
  measure::Report report;
  std::vector<std::string> notes;
};

/// Given probabilities were rounded by whoever wrote them: of what fifteen digits do not tell from
/// 0 beside 1, they say no more than that it is small.
measure::MeasureOptions measure_options(const Arguments& arguments) {
  measure::MeasureOptions options{.bins = static_cast<std::size_t>(arguments.integer("bins")),
                                  .keep_rows = true};
  if (arguments.has("probabilities")) { options.floor = 1e-15; }
  if (arguments.has("floor")) { options.floor = arguments.real("floor"); }
  return options;
}

/// A model of 'cluster --soft' is one of the family gaussian; so may be one that Python trained.
bool may_be_mixture(const Classifier& model) {
  if (model.family() != "gaussian" || !model.schema().target.empty()) { return false; }
  for (std::size_t k = 0; k < model.labels().size(); ++k) {
    if (model.labels()[k] != std::to_string(k + 1)) { return false; }
  }
  return true;
}

Outcome measure_rows(const Arguments& arguments, ProgressBar& bar) {
  check_format_flags(arguments, arguments.positional(1));
  std::vector<std::string> notes;
  auto model = load_for_scoring(arguments, notes);
  if (is_clustering(model->family())) {
    throw Error(ErrorCode::usage,
                fmt::format("{} decides for clusters, which no label is to be compared with; "
                            "'logodds cluster DATA --target COLUMN' says how clusters and labels "
                            "agree",
                            arguments.positional(0)));
  }
  if (may_be_mixture(*model)) {
    notes.push_back(
        "the classes of the model are 1, 2, ... and it names no label column: if they are the "
        "components of a mixture, they are no labels; 'logodds cluster DATA --soft --target "
        "COLUMN' "
        "says how components and labels agree");
  }
  const auto source = open_bound(arguments, *model, arguments.positional(1), LabelUse::required);
  ScoreRequest request = score_request(arguments, *model);
  const auto policy = chosen_policy(arguments, *model, notes);
  request.policy = policy.get();
  Evaluation evaluation =
      evaluate(*model, *source, make_context(arguments, bar), request, measure_options(arguments));
  const std::vector<std::string> more = score_notes(*model, *source, evaluation.report);
  notes.insert(notes.end(), more.begin(), more.end());
  std::string name = model->family();
  std::string title = model_title(*model);
  std::vector<std::string> labels = model->labels();
  return {std::move(name),  std::move(title),      std::move(labels),
          std::move(model), std::move(evaluation), {},
          std::move(notes)};
}

void add_decisions(Json& object, const std::optional<measure::DecisionTotals>& decisions) {
  if (!decisions) { return; }
  object["coverage"] = decisions->coverage();
  object["accuracy_on_accepted"] = decisions->accuracy();
  if (!decisions->has_costs()) { return; }
  object["expected_cost"] = decisions->expected_cost();
  object["realized_cost"] = decisions->realized_cost();
}

void add_decisions(FactTable& facts, const std::optional<measure::DecisionTotals>& decisions) {
  if (!decisions) { return; }
  facts.add("coverage", short_number(decisions->coverage()));
  facts.add("accuracy on accepted", short_number(decisions->accuracy()));
  if (!decisions->has_costs()) { return; }
  facts.add("expected cost", short_number(decisions->expected_cost()) + " a row");
  facts.add("realized cost", short_number(decisions->realized_cost()) + " a row");
}

Outcome measure_probabilities(const Arguments& arguments, ProgressBar& bar) {
  GivenProbabilities given = evaluate_probabilities(arguments, measure_options(arguments), bar);
  return {"given probabilities",       "given probabilities",
          std::move(given.labels),     nullptr,
          std::move(given.evaluation), {},
          std::move(given.notes)};
}

void add_measure_notes(Outcome& outcome) {
  const measure::Measures& measures = outcome.evaluation.measures;
  if (measures.rows_ruled_out() > 0) {
    outcome.notes.push_back(
        counted(measures.rows_ruled_out(), "row has", "rows have") +
        fmt::format(" posterior 0 for the true class; the log loss, which would be infinite, "
                    "counts {:.4g} for each",
                    -std::log(measures.floor())));
  }
  if (measures.too_many_to_keep()) {
    outcome.notes.push_back(
        "the rows are too many to be kept in memory, which AUC and average precision need; "
        "evaluate a part of them to know these");
  }
}

Outcome measure_all(const Arguments& arguments) {
  ProgressBar bar(!arguments.has("quiet"));
  Outcome outcome = arguments.has("probabilities") ? measure_probabilities(arguments, bar)
                                                   : measure_rows(arguments, bar);
  outcome.report =
      measure::report(outcome.evaluation.measures,
                      {.level = arguments.real("level"),
                       .bootstrap = static_cast<std::size_t>(arguments.integer("bootstrap"))},
                      make_context(arguments, bar));
  add_measure_notes(outcome);
  return outcome;
}

void print_as_json(const Outcome& outcome) {
  const measure::Measures& measures = outcome.evaluation.measures;
  Json object = {{"model", outcome.name},
                 {"rows", measures.rows()},
                 {"rows_skipped", outcome.evaluation.report.rows_skipped},
                 {"rows_incomplete", outcome.evaluation.report.rows_incomplete},
                 {"weight", json_number(measures.weight())},
                 {"errors", json_number(measures.errors())},
                 {"error_rate", measures.error_rate()},
                 {"accuracy", measures.accuracy()},
                 {"log_loss", measures.log_loss()},
                 {"rows_ruled_out", measures.rows_ruled_out()},
                 {"brier", measures.brier()}};
  add_decisions(object, outcome.evaluation.decisions);
  add_likelihood(object, outcome.evaluation.likelihood);
  if (outcome.model) { add_texts(object, *outcome.model, outcome.evaluation.report.texts); }
  add_measures(object, measures, outcome.report, outcome.labels);
  object["notes"] = outcome.notes;
  print_json(object);
}

std::string tables_of(const Arguments& arguments, const Outcome& outcome) {
  constexpr std::size_t kWidest = 30;  // classes; a wider matrix is for programs
  const measure::Measures& measures = outcome.evaluation.measures;
  std::string text = "\n" + measure_tables(outcome.report, outcome.labels) + "\n";
  text += outcome.labels.size() <= kWidest ? confusion_tables(measures, outcome.labels)
                                           : "--json shows the confusion matrix\n";
  if (arguments.has("calibration")) {
    text += "\n" + calibration_table(measures, outcome.report.level);
  }
  return text;
}

void print_for_people(const Arguments& arguments, const Outcome& outcome) {
  const measure::Measures& measures = outcome.evaluation.measures;
  const std::size_t skipped = outcome.evaluation.report.rows_skipped;
  FactTable facts;
  facts.add("model", outcome.title);
  facts.add("rows", grouped(measures.rows()));
  if (skipped > 0) { facts.add("skipped", grouped(skipped) + " (a value is missing)"); }
  facts.add("errors", short_number(measures.errors()));
  facts.add("error rate", with_interval(outcome.report.error_rate));
  facts.add("accuracy", with_interval(outcome.report.accuracy));
  facts.add("log loss", with_interval(outcome.report.log_loss));
  facts.add("Brier score", with_interval(outcome.report.brier));
  add_decisions(facts, outcome.evaluation.decisions);
  add_likelihood(facts, outcome.evaluation.likelihood);
  print(facts.text() + tables_of(arguments, outcome));
}

void check_arguments(const Arguments& arguments) {
  if (arguments.has("probabilities")) { return; }
  for (const std::string_view flag : {"normalize", "columns"}) {
    if (arguments.has(flag)) {
      throw Error(ErrorCode::usage,
                  fmt::format("--{} goes with --probabilities; leave it out", flag));
    }
  }
  if (arguments.positionals().size() < 2) {
    throw Error(ErrorCode::usage, fmt::format("{} is missing; usage: logodds evaluate {}",
                                              arguments.positionals().empty() ? "MODEL" : "DATA",
                                              evaluate_command().usage));
  }
}

void run(const Arguments& arguments) {
  check_arguments(arguments);
  check_roc_place(arguments);
  const Outcome outcome = measure_all(arguments);
  write_roc(arguments, outcome.evaluation.measures, outcome.labels);
  if (arguments.has("json")) {
    print_as_json(outcome);
  } else {
    print_for_people(arguments, outcome);
  }
  print_notes(outcome.notes, arguments.has("quiet"));
}

}  // namespace

Command evaluate_command() {
  return {
      .name = "evaluate",
      .bit = kEvaluate,
      .summary = "compare the decisions of a model with the labels of a file",
      .usage = "MODEL DATA [--target COLUMN] | --probabilities FILE.csv --target COLUMN",
      .positionals =
          {{"MODEL", "model file that 'logodds train' wrote; with --probabilities none", false},
           {"DATA",
            "labelled CSV or TSV file, or what --format says, plain, .gz or .zst; - is standard "
            "input",
            false}},
      .example = "evaluate penguins.model held_out.csv",
      .run = run};
}

}  // namespace logodds::app
