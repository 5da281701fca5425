// logodds train: fits a model to the labelled rows of a file and saves it.
#include <fmt/format.h>

#include "arguments.hpp"
#include "fitting.hpp"
#include "logodds/logodds.hpp"
#include "output_file.hpp"
#include "reading.hpp"
#include "sources.hpp"
#include "tables.hpp"

namespace logodds::app {

namespace {

void check(const Arguments& arguments) {
  const Command command = train_command();
  check_family_options(arguments, find_family(chosen_family(arguments)));
  check_format_flags(arguments, arguments.positional(0));
  if (has_columns(format_choice(arguments).input)) { require_flag(command, arguments, "target"); }
  check_model_output(command, arguments);
  refuse_same_file(arguments.text("output"), arguments.positional(0));
  check_trace(arguments);
  if (arguments.has("warm-start")) {
    refuse_same_file(arguments.text("output"), arguments.text("warm-start"));
  }
}

std::unique_ptr<Classifier> starting_model(const Arguments& arguments) {
  return arguments.has("warm-start") ? load(arguments.text("warm-start")) : nullptr;
}

void add_notes(Fitted& fitted, const Arguments& arguments) {
  const Classifier& model = *fitted.fit.model;
  if (!arguments.has("model")) {
    fitted.notes.insert(
        fitted.notes.begin(),
        fmt::format("no --model was given: {} was taken; 'logodds models' lists the others",
                    model_title(model)));
  }
  if (model.labels().size() == 1) {
    fitted.notes.push_back(fmt::format(
        "every row is of class '{}', and so will every decision be; {}", model.labels().front(),
        arguments.has("target")
            ? fmt::format("is --target {} the right column?", arguments.text("target"))
            : "give rows of other classes as well"));
  }
  if (arguments.has("trace") && !fitted.fit.report.trace) {
    fitted.notes.push_back(
        fmt::format("there is no trace to {}: this model was estimated without iterations",
                    arguments.text("trace") == "-" ? "show" : "write"));
  }
  if (arguments.has("warm-start") && !fitted.fit.report.trace) {
    fitted.notes.emplace_back(
        "--warm-start changed nothing: this model was estimated without iterations");
  }
}

void run(const Arguments& arguments) {
  check(arguments);
  const Stopwatch watch;
  ProgressBar bar(!arguments.has("quiet"));
  const FamilyRecord& family = find_family(chosen_family(arguments));
  const auto options = training_options(arguments, family);
  static_cast<void>(Options(family.options, options));  // before the data, which may be a pipe
  const auto source = open_training(arguments, family, arguments.positional(0));
  const auto warm = starting_model(arguments);
  Context context = make_context(arguments, bar);
  context.warm_start = warm.get();
  Fit fit = train(*source, family.name, options, context, training_missing(arguments, family));
  bar.erase();
  Fitted fitted = finish_fit(std::move(fit), arguments, watch);
  write_trace(fitted.fit.report, arguments);
  add_notes(fitted, arguments);
  report_fit(fitted, arguments);
}

}  // namespace

Command train_command() {
  return {.name = "train",
          .bit = kTrain,
          .summary = "fit a model to the labelled rows of a file",
          .usage = "DATA --target COLUMN [--model NAME] [--OPTION VALUE ...] -o MODEL",
          .positionals =
              {{"DATA",
                "CSV or TSV file, or what --format says, plain, .gz or .zst; - is standard input"}},
          .example = "train penguins.csv --target species -o penguins.model",
          .family_options = true,
          .run = run};
}

}  // namespace logodds::app
