// logodds evaluate: compares the decisions of a model with the labels of a file.
#include <fmt/format.h>

#include "arguments.hpp"
#include "deciding.hpp"
#include "json.hpp"
#include "logodds/logodds.hpp"
#include "output.hpp"
#include "reading.hpp"
#include "scoring.hpp"
#include "sources.hpp"
#include "tables.hpp"

namespace logodds::app {

namespace {

struct Outcome {
  std::unique_ptr<Classifier> model;
  Evaluation evaluation;
  std::vector<std::string> notes;
};

Outcome measure_rows(const Arguments& arguments) {
  check_format_flags(arguments, arguments.positional(1));
  ProgressBar bar(!arguments.has("quiet"));
  std::vector<std::string> notes;
  auto model = load_for_scoring(arguments, notes);
  if (is_clustering(model->family())) {
    throw Error(ErrorCode::usage,
                fmt::format("{} decides for clusters, which no label is to be compared with; "
                            "'logodds cluster DATA --target COLUMN' says how clusters and labels "
                            "agree",
                            arguments.positional(0)));
  }
  const auto source = open_bound(arguments, *model, arguments.positional(1), LabelUse::required);
  ScoreRequest request = score_request(arguments, *model);
  const auto policy = chosen_policy(arguments, *model, notes);
  request.policy = policy.get();
  Evaluation evaluation = evaluate(*model, *source, make_context(arguments, bar), request);
  const std::vector<std::string> more = score_notes(*model, *source, evaluation.report);
  notes.insert(notes.end(), more.begin(), more.end());
  if (evaluation.measures.rows_ruled_out() > 0) {
    notes.push_back(
        counted(evaluation.measures.rows_ruled_out(), "row has", "rows have") +
        " posterior 0 for the true class; the log loss, which would be infinite, counts "
        "708.4 for each");
  }
  return {std::move(model), std::move(evaluation), std::move(notes)};
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

Json confusion_json(const measure::Measures& measures) {
  Json matrix = Json::array();
  for (std::size_t truth = 0; truth < measures.classes(); ++truth) {
    Json row = Json::array();
    for (std::size_t decision = 0; decision < measures.classes(); ++decision) {
      row.push_back(json_number(measures.confusion()[truth * measures.classes() + decision]));
    }
    matrix.push_back(std::move(row));
  }
  return matrix;
}

void print_as_json(const Outcome& outcome) {
  const measure::Measures& measures = outcome.evaluation.measures;
  Json object = {{"model", outcome.model->family()},
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
  add_texts(object, *outcome.model, outcome.evaluation.report.texts);
  object["classes"] = outcome.model->labels();
  object["confusion"] = confusion_json(measures);
  object["notes"] = outcome.notes;
  print_json(object);
}

std::string confusion_table(const measure::Measures& measures,
                            const std::vector<std::string>& labels) {
  using Align = TextTable::Align;
  std::vector<Align> align(labels.size() + 1, Align::right);
  align.front() = Align::left;
  TextTable table(align);
  std::vector<std::string> cells{"truth \\ decision"};
  cells.insert(cells.end(), labels.begin(), labels.end());
  table.header(cells);
  for (std::size_t truth = 0; truth < labels.size(); ++truth) {
    cells.assign(1, labels[truth]);
    const double* const counts = measures.confusion().data() + truth * labels.size();
    for (std::size_t k = 0; k < labels.size(); ++k) { cells.push_back(short_number(counts[k])); }
    table.row(cells);
    for (std::size_t k = 0; k < labels.size(); ++k) {
      const Tone wrong = counts[k] > 0.0 ? Tone::bad : Tone::faint;
      table.tone(k + 1, k == truth ? Tone::good : wrong);
    }
  }
  return table.text();
}

void print_for_people(const Outcome& outcome) {
  constexpr std::size_t kWidest = 30;  // classes; a wider matrix is for programs
  const measure::Measures& measures = outcome.evaluation.measures;
  const std::size_t skipped = outcome.evaluation.report.rows_skipped;
  FactTable facts;
  facts.add("model", model_title(*outcome.model));
  facts.add("rows", grouped(measures.rows()));
  if (skipped > 0) { facts.add("skipped", grouped(skipped) + " (a value is missing)"); }
  facts.add("errors", short_number(measures.errors()));
  facts.add("error rate", short_number(measures.error_rate()));
  facts.add("accuracy", short_number(measures.accuracy()));
  facts.add("log loss", short_number(measures.log_loss()));
  facts.add("Brier score", short_number(measures.brier()));
  add_decisions(facts, outcome.evaluation.decisions);
  add_likelihood(facts, outcome.evaluation.likelihood);
  const std::vector<std::string>& labels = outcome.model->labels();
  print(facts.text() + "\n" +
        (labels.size() <= kWidest ? confusion_table(measures, labels)
                                  : "--json shows the confusion matrix\n"));
}

void run(const Arguments& arguments) {
  const Outcome outcome = measure_rows(arguments);
  if (arguments.has("json")) {
    print_as_json(outcome);
  } else {
    print_for_people(outcome);
  }
  print_notes(outcome.notes, arguments.has("quiet"));
}

}  // namespace

Command evaluate_command() {
  return {
      .name = "evaluate",
      .bit = kEvaluate,
      .summary = "compare the decisions of a model with the labels of a file",
      .usage = "MODEL DATA [--target COLUMN]",
      .positionals =
          {{"MODEL", "model file that 'logodds train' wrote"},
           {"DATA",
            "labelled CSV or TSV file, or what --format says, plain, .gz or .zst; - is standard "
            "input"}},
      .example = "evaluate penguins.model held_out.csv",
      .run = run};
}

}  // namespace logodds::app
