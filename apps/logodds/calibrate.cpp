// logodds calibrate: posteriors that say how often they are right, fitted to validation rows.
#include <fmt/format.h>

#include "arguments.hpp"
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

struct Outcome {
  CalibrationReport report{};
  std::unique_ptr<Classifier> model{};
  std::string output{};
  double seconds = 0.0;
};

Outcome calibrate_model(const Arguments& arguments) {
  const Stopwatch watch;
  ProgressBar bar(!arguments.has("quiet"));
  Outcome outcome;
  outcome.output = arguments.text("output");
  refuse_same_file(outcome.output, arguments.positional(1));
  auto model = load_labelled_model(arguments);
  const auto source = open_bound(arguments, *model, arguments.positional(1), LabelUse::required);
  outcome.model = calibrate(std::move(model), *source, arguments.text("method"), outcome.report,
                            make_context(arguments, bar), missing_rows(arguments));
  save_model(*outcome.model, outcome.output);
  outcome.seconds = watch.seconds();
  auto& notes = outcome.report.notes;
  const auto more = score_notes(*outcome.model, *source, outcome.report.rows);
  notes.insert(notes.end(), more.begin(), more.end());
  if (outcome.report.log_loss_after > outcome.report.log_loss_before) {
    notes.emplace_back(
        "the log loss has grown: these rows do not support this calibration; take another method, "
        "or the model as it was");
  }
  return outcome;
}

std::string text_as_json(const Outcome& outcome) {
  return json_text({{"model", outcome.model->family()},
                    {"method", outcome.report.method},
                    {"rows", outcome.report.rows.rows},
                    {"rows_skipped", outcome.report.rows.rows_skipped},
                    {"log_loss_before", outcome.report.log_loss_before},
                    {"log_loss_after", outcome.report.log_loss_after},
                    {"seconds", outcome.seconds},
                    {"output", outcome.output},
                    {"notes", outcome.report.notes}});
}

std::string text_for_people(const Outcome& outcome) {
  FactTable facts;
  facts.add("model", outcome.model->family());
  facts.add("method", outcome.report.method);
  facts.add("rows", grouped(outcome.report.rows.rows));
  if (outcome.report.rows.rows_skipped > 0) {
    facts.add("skipped", grouped(outcome.report.rows.rows_skipped) + " (a value is missing)");
  }
  facts.add("log loss before", short_number(outcome.report.log_loss_before));
  facts.add("log loss after", short_number(outcome.report.log_loss_after));
  const auto details =
      adjustments_of(*outcome.model)->calibration->describe(outcome.model->labels());
  for (const auto& [name, cell] : details.facts) { facts.add(name, cell_text(cell)); }
  facts.add("seconds", fmt::format("{:.3f}", outcome.seconds));
  facts.add("output", outcome.output);
  std::string text = facts.text();
  for (const auto& table : details.tables) { text += table_text(table); }
  return text;
}

void run(const Arguments& arguments) {
  check_model_output(calibrate_command(), arguments);
  check_format_flags(arguments, arguments.positional(1));
  const Outcome outcome = calibrate_model(arguments);
  const bool json = arguments.has("json");
  if (json || !arguments.has("quiet")) {
    print_summary(json ? text_as_json(outcome) : text_for_people(outcome),
                  "the model was written to " + outcome.output);
  }
  print_notes(outcome.report.notes, arguments.has("quiet"));
}

}  // namespace

Command calibrate_command() {
  return {
      .name = "calibrate",
      .bit = kCalibrate,
      .summary = "make the posteriors of a model say how often they are right",
      .usage = "MODEL VALIDATION [--method temperature|platt|isotonic] -o NEW",
      .positionals = {{"MODEL", "model file that 'logodds train' wrote; -o may name the same file"},
                      {"VALIDATION",
                       "labelled rows that the model has not seen: CSV or TSV file, or what "
                       "--format says; - is standard input"}},
      .example = "calibrate spam.model validation.csv --method isotonic -o calibrated.model",
      .run = run};
}

}  // namespace logodds::app
