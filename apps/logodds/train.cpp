// logodds train: fits a model to the labelled rows of a file and saves it.
#include <fmt/format.h>

#include "arguments.hpp"
#include "json.hpp"
#include "logodds/logodds.hpp"
#include "output.hpp"
#include "output_file.hpp"
#include "reading.hpp"
#include "tables.hpp"

namespace logodds::app {

namespace {

struct Training {
  Fit fit;
  std::vector<std::string> notes;
  double seconds = 0.0;
  std::string output;
};

std::string chosen_family(const Arguments& arguments) {
  return arguments.has("model") ? arguments.text("model") : std::string(kDefaultFamily);
}

void check(const Arguments& arguments) {
  const Command command = train_command();
  check_family_options(arguments, chosen_family(arguments));
  require_flag(command, arguments, "target");
  require_flag(command, arguments, "output");
  if (arguments.text("output") == "-") {
    throw Error(ErrorCode::usage, "a model is not written to standard output; name a file with -o");
  }
  refuse_same_file(arguments.text("output"), arguments.positional(0));
  check_place(arguments.text("output"));
}

Training fit_and_save(const Arguments& arguments) {
  const Stopwatch watch;
  ProgressBar bar(!arguments.has("quiet"));
  const auto source = open_csv(arguments.positional(0), csv_options(arguments));
  Training training;
  training.output = arguments.text("output");
  training.fit = train(*source, chosen_family(arguments), arguments.family_options(),
                       make_context(arguments, bar), missing_rows(arguments));
  SafeFile file(training.output);
  file.write(modelfile::to_bytes(*training.fit.model));
  file.finish();
  training.seconds = watch.seconds();
  if (!arguments.has("model")) {
    training.notes.push_back(
        fmt::format("no --model was given: {} was taken; 'logodds models' lists the others",
                    model_title(*training.fit.model)));
  }
  const std::vector<std::string>& more = training.fit.report.notes;
  training.notes.insert(training.notes.end(), more.begin(), more.end());
  if (training.fit.model->labels().size() == 1) {
    training.notes.push_back(
        fmt::format("every row is of class '{}', and so will every decision be; is --target {} the "
                    "right column?",
                    training.fit.model->labels().front(), arguments.text("target")));
  }
  return training;
}

Json class_counts_json(const FitReport& report) {
  Json counts = Json::array();
  for (const double weight : report.class_weights) { counts.push_back(json_number(weight)); }
  return counts;
}

std::string text_as_json(const Training& training) {
  const Classifier& model = *training.fit.model;
  const FitReport& report = training.fit.report;
  return json_text({{"model", model.family()},
                    {"options", options_json(model)},
                    {"rows", report.rows},
                    {"rows_skipped", report.rows_skipped},
                    {"weight", json_number(report.weight)},
                    {"target", model.schema().target},
                    {"classes", model.labels()},
                    {"class_counts", class_counts_json(report)},
                    {"columns", columns_json(model.schema())},
                    {"seconds", training.seconds},
                    {"output", training.output},
                    {"notes", training.notes}});
}

std::string classes_table(const Training& training) {
  constexpr std::size_t kShown = 30;
  using Align = TextTable::Align;
  const std::vector<double>& weights = training.fit.report.class_weights;
  const std::vector<std::string>& labels = training.fit.model->labels();
  const bool weighted = training.fit.report.weight != static_cast<double>(training.fit.report.rows);
  TextTable table({Align::left, Align::right});
  table.header({"class", weighted ? "weight" : "rows"});
  const std::size_t shown = std::min(labels.size(), kShown);
  for (std::size_t k = 0; k < shown; ++k) { table.row({labels[k], short_number(weights[k])}); }
  std::string text = table.text();
  if (labels.size() > shown) {
    text += fmt::format("and {} more; --json shows all\n", labels.size() - shown);
  }
  return text;
}

std::string text_for_people(const Training& training) {
  const FitReport& report = training.fit.report;
  FactTable facts;
  facts.add("model", model_title(*training.fit.model));
  facts.add("target", training.fit.model->schema().target);
  facts.add("rows", grouped(report.rows));
  if (report.rows_skipped > 0) {
    facts.add("skipped", grouped(report.rows_skipped) + " (a value is missing)");
  }
  facts.add("seconds", fmt::format("{:.3f}", training.seconds));
  facts.add("output", training.output);
  return facts.text() + "\n" + classes_table(training) + "\n" +
         columns_table(training.fit.model->schema());
}

void run(const Arguments& arguments) {
  check(arguments);
  const Training training = fit_and_save(arguments);
  if (arguments.has("json") || !arguments.has("quiet")) {
    print_summary(arguments.has("json") ? text_as_json(training) : text_for_people(training),
                  "the model was written to " + training.output);
  }
  print_notes(training.notes, arguments.has("quiet"));
}

}  // namespace

Command train_command() {
  return {.name = "train",
          .bit = kTrain,
          .summary = "fit a model to the labelled rows of a file",
          .usage = "DATA --target COLUMN [--model NAME] [--OPTION VALUE ...] -o MODEL",
          .positionals = {{"DATA", "CSV or TSV file, plain, .gz or .zst; - is standard input"}},
          .example = "train penguins.csv --target species -o penguins.model",
          .family_options = true,
          .run = run};
}

}  // namespace logodds::app
