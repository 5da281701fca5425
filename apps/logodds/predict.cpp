// logodds predict: the decision, and if asked the posteriors, for every row of a file, as CSV; or
// why each row is decided so.
#include <fmt/format.h>

#include <unistd.h>
#include <algorithm>

#include "arguments.hpp"
#include "deciding.hpp"
#include "explanation.hpp"
#include "json.hpp"
#include "logodds/logodds.hpp"
#include "output.hpp"
#include "output_file.hpp"
#include "prediction_lines.hpp"
#include "reading.hpp"
#include "scoring.hpp"
#include "sources.hpp"

namespace logodds::app {

namespace {

struct Prediction {
  ScoreReport report;
  std::vector<std::string> notes;
  std::unique_ptr<Classifier> model;
  double seconds = 0.0;
};

/// One column for each linear boundary: distance_A_B is positive on the side of B.
std::vector<std::string> distance_names(const Classifier& model) {
  std::vector<std::string> names;
  for (const Boundary& boundary : require_geometry(model, "--distances").boundaries()) {
    if (!boundary.linear()) { continue; }
    names.push_back(fmt::format("distance_{}_{}", model.labels()[boundary.first],
                                model.labels()[boundary.second]));
  }
  if (names.empty()) {
    throw Error(ErrorCode::usage,
                "--distances needs a linear boundary, and this model has none; train one whose "
                "classes share a covariance: --covariance shared");
  }
  return names;
}

PredictionColumns chosen_columns(const Arguments& arguments, const Classifier& model) {
  PredictionColumns columns;
  columns.posteriors = arguments.has("proba");
  columns.densities = arguments.has("density");
  if (columns.densities) { static_cast<void>(require_generative(model, "--density")); }
  if (arguments.has("distances")) { columns.distances = distance_names(model); }
  if (arguments.has("neighbors")) {
    columns.neighbors = require_neighborhood(model, "--neighbors").neighbor_count();
  }
  return columns;
}

ScoreRequest request_of(const Arguments& arguments, const Classifier& model) {
  ScoreRequest request = score_request(arguments, model);
  request.densities = arguments.has("density");
  request.distances = arguments.has("distances");
  if (arguments.has("neighbors")) {
    request.neighbors = require_neighborhood(model, "--neighbors").neighbor_count();
  }
  if (arguments.has("reject-outliers")) {
    static_cast<void>(require_generative(model, "--reject-outliers"));
    request.reject_outliers = arguments.real("reject-outliers");
    check_reject_name(model, "--reject-outliers");
  }
  return request;
}

/// CSV, a line a row.
ScoreReport write_table(const Arguments& arguments, const Classifier& model, BlockSource& source,
                        const std::function<void(const std::string&)>& write,
                        const Context& context, const ScoreRequest& request) {
  const PredictionLines lines(model.labels(), chosen_columns(arguments, model));
  write(lines.header());
  return score_text(
      model, source,
      [&](const ScoredBlock& block, std::string& text) { lines.render(block, text); }, write,
      context, request);
}

Prediction predict(const Arguments& arguments, const std::string& output) {
  const Stopwatch watch;
  const bool on_screen = output == "-" && isatty(STDOUT_FILENO) == 1;
  ProgressBar bar(!arguments.has("quiet") && !on_screen);
  Prediction result;
  result.model = load_for_scoring(arguments, result.notes);
  const Classifier& model = *result.model;
  ScoreRequest request = request_of(arguments, model);
  const auto policy = chosen_policy(arguments, model, result.notes);
  request.policy = policy.get();
  const bool explained = arguments.has("explain");
  if (explained) { static_cast<void>(require_evidence(model)); }
  const auto source = open_bound(arguments, model, arguments.positional(1), LabelUse::unread);
  OutputFile file(output);
  // Whoever types a row wants the answer before the next one, which a second thread would wait for.
  const bool typed = typed_in(arguments.positional(1));
  Context context = make_context(arguments, bar);
  if (typed) { context.threads = 1; }
  const auto write = [&](const std::string& text) {
    file.write(text);
    if (typed) { file.flush(); }
  };
  result.report = (explained ? write_explanations : write_table)(arguments, model, *source, write,
                                                                 context, request);
  file.finish();
  result.seconds = watch.seconds();
  const std::vector<std::string> more = score_notes(model, *source, result.report);
  result.notes.insert(result.notes.end(), more.begin(), more.end());
  return result;
}

std::string text_as_json(const Prediction& prediction, const std::string& output) {
  Json object = {{"model", prediction.model->family()},
                 {"rows", prediction.report.rows},
                 {"rows_skipped", prediction.report.rows_skipped},
                 {"rows_incomplete", prediction.report.rows_incomplete},
                 {"rows_rejected", prediction.report.rows_rejected},
                 {"unseen_levels", prediction.report.unseen_levels}};
  add_texts(object, *prediction.model, prediction.report.texts);
  object["seconds"] = prediction.seconds;
  object["output"] = output;
  object["notes"] = prediction.notes;
  return json_text(object);
}

std::string text_for_people(const Prediction& prediction, const std::string& output) {
  FactTable facts;
  facts.add("model", prediction.model->family());
  facts.add("rows", grouped(prediction.report.rows));
  if (prediction.report.rows_skipped > 0) {
    facts.add("skipped", grouped(prediction.report.rows_skipped) + " (a value is missing)");
  }
  if (prediction.report.rows_rejected > 0) {
    facts.add("rejected", grouped(prediction.report.rows_rejected));
  }
  facts.add("seconds", fmt::format("{:.3f}", prediction.seconds));
  facts.add("output", output);
  return facts.text();
}

/// With --explain the objects of --json are the output itself, and may go to standard output.
std::string output_of(const Arguments& arguments) {
  const bool objects = arguments.has("explain") && arguments.has("json");
  if (objects && !arguments.has("output")) { return "-"; }
  return table_output(arguments, "the predictions");
}

void run(const Arguments& arguments) {
  check_explain_flags(arguments);
  check_format_flags(arguments, arguments.positional(1));
  const std::string output = output_of(arguments);
  const Prediction prediction = predict(arguments, output);
  const bool json = arguments.has("json") && !(arguments.has("explain") && output == "-");
  if (json || (output != "-" && !arguments.has("quiet"))) {
    print_summary(json ? text_as_json(prediction, output) : text_for_people(prediction, output),
                  "the predictions were written to " + output);
  }
  print_notes(prediction.notes, arguments.has("quiet"));
}

}  // namespace

Command predict_command() {
  return {
      .name = "predict",
      .bit = kPredict,
      .summary = "decide the class of every row of a file, as CSV",
      .usage =
          "MODEL DATA [-o OUT.csv] [--proba] [--cost COSTS] [--density] [--distances] "
          "[--neighbors] "
          "[--explain]",
      .positionals = {{"MODEL", "model file that 'logodds train' wrote"},
                      {"DATA",
                       "CSV or TSV file, or what --format says, plain, .gz or .zst; - is standard "
                       "input"}},
      .example = "predict penguins.model new.csv --proba -o predictions.csv",
      .run = run};
}

}  // namespace logodds::app
