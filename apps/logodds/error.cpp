// logodds error: how often a model would err on rows of its own making.
#include <fmt/format.h>

#include "arguments.hpp"
#include "json.hpp"
#include "logodds/logodds.hpp"
#include "logodds/measure/misclassification.hpp"
#include "logodds/models/adjusted.hpp"
#include "output.hpp"
#include "reading.hpp"
#include "scoring.hpp"
#include "tables.hpp"

namespace logodds::app {

namespace {

using measure::Misclassification;
using measure::PairError;

measure::ErrorRequest request_of(const Arguments& arguments) {
  measure::ErrorRequest request;
  request.standard_error = arguments.real("standard-error");
  request.most_draws = static_cast<std::size_t>(arguments.integer("draws"));
  if (arguments.has("threshold")) { request.threshold = arguments.real("threshold"); }
  return request;
}

/// A probability that may be far below the six digits of others.
std::string probability(double p) { return fmt::format("{:.6g}", p); }

Json optional_json(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json pair_json(const PairError& pair, const std::vector<std::string>& labels) {
  return {{"classes", {labels[pair.first], labels[pair.second]}},
          {"error", pair.error},
          {"standard_error", pair.standard_error},
          {"first_as_second", pair.first_as_second},
          {"second_as_first", pair.second_as_first},
          {"bhattacharyya", optional_json(pair.bhattacharyya)},
          {"chernoff", optional_json(pair.chernoff)}};
}

Json class_json(const std::string& label, double prior, double error) {
  return {{"class", label}, {"prior", prior}, {"error", error}, {"term", prior * error}};
}

void print_as_json(const Classifier& model, const Misclassification& found, double seconds,
                   const std::vector<std::string>& notes) {
  Json by_class = Json::array();
  for (std::size_t k = 0; k < found.priors.size(); ++k) {
    by_class.push_back(class_json(model.labels()[k], found.priors[k], found.by_class[k]));
  }
  Json pairs = Json::array();
  for (const PairError& pair : found.pairs) { pairs.push_back(pair_json(pair, model.labels())); }
  Json object = {{"model", model.family()}, {"error", found.error}, {"method", found.method}};
  if (found.exact) {
    object["bound"] = found.bound;
  } else {
    object["standard_error"] = found.standard_error;
    object["draws"] = found.draws;
  }
  object["by_class"] = std::move(by_class);
  object["by_pair"] = std::move(pairs);
  if (!found.boundaries.empty()) { object["boundaries"] = found.boundaries; }
  if (found.threshold) {
    object["threshold"] = {{"threshold", found.threshold->threshold},
                           {"below", model.labels()[found.threshold->below]},
                           {"error", found.threshold->error},
                           {"by_class", found.threshold->by_class}};
  }
  object["seconds"] = seconds;
  object["notes"] = notes;
  print_json(object);
}

std::string classes_table(const Classifier& model, const Misclassification& found) {
  using Align = TextTable::Align;
  TextTable table({Align::left, Align::right, Align::right, Align::right});
  table.header({"class", "prior", "P(error | class)", "prior x P"});
  for (std::size_t k = 0; k < found.priors.size(); ++k) {
    table.row({printable(model.labels()[k]), probability(found.priors[k]),
               probability(found.by_class[k]), probability(found.priors[k] * found.by_class[k])});
  }
  return "\n" + table.text();
}

std::string pairs_table(const Classifier& model, const Misclassification& found) {
  using Align = TextTable::Align;
  TextTable table({Align::left, Align::left, Align::right, Align::right, Align::right, Align::right,
                   Align::right});
  table.header({"class 1", "class 2", "error", "1 as 2", "2 as 1", "Chernoff", "Bhattacharyya"});
  std::size_t shown = 0;
  for (const PairError& pair : found.pairs) {
    if (++shown > kShownRows) { break; }
    const auto bound = [](const std::optional<double>& p) { return p ? probability(*p) : ""; };
    table.row({printable(model.labels()[pair.first]), printable(model.labels()[pair.second]),
               probability(pair.error), probability(pair.first_as_second),
               probability(pair.second_as_first), bound(pair.chernoff), bound(pair.bhattacharyya)});
  }
  std::string text = "\npairs of classes, as if there were no others\n" + table.text();
  if (found.pairs.size() > kShownRows) {
    text += fmt::format("and {} more; --json shows all\n", found.pairs.size() - kShownRows);
  }
  return text;
}

void print_for_people(const Classifier& model, const Misclassification& found) {
  FactTable facts;
  facts.add("model", model_title(model));
  facts.add("P(error)", probability(found.error));
  facts.add("method", found.method);
  if (found.exact) {
    facts.add("within", fmt::format("{:g}", found.bound));
  } else {
    facts.add("standard error", probability(found.standard_error));
    facts.add("rows drawn", grouped(found.draws));
  }
  if (!found.boundaries.empty()) {
    std::string ends;
    for (const double end : found.boundaries) {
      ends += (ends.empty() ? "" : ", ") + short_number(end);
    }
    facts.add("boundaries", ends);
  }
  if (found.threshold) {
    facts.add("P(error) at threshold",
              fmt::format("{} (threshold {}, {} below it)", probability(found.threshold->error),
                          short_number(found.threshold->threshold),
                          printable(model.labels()[found.threshold->below])));
  }
  std::string text = facts.text() + classes_table(model, found);
  if (!found.pairs.empty()) { text += pairs_table(model, found); }
  print(text);
}

void add_adjustment_notes(const Classifier& model, std::vector<std::string>& notes) {
  const Adjustments* const adjustments = adjustments_of(model);
  if (adjustments == nullptr) { return; }
  if (adjustments->calibration != nullptr) {
    notes.emplace_back(
        "the model is calibrated: this is the error of its densities as they are, for rows that "
        "they draw; 'logodds evaluate' measures that of calibrated posteriors on rows");
  }
  if (!adjustments->thresholds.empty()) {
    notes.emplace_back(
        "thresholds that the model keeps are left aside: this is the error of deciding by the "
        "largest posterior; 'logodds evaluate' measures that of the thresholds on rows");
  }
}

void run(const Arguments& arguments) {
  const Stopwatch watch;
  ProgressBar bar(!arguments.has("quiet"));
  std::vector<std::string> notes;
  const auto model = load_for_scoring(arguments, notes);
  static_cast<void>(require_generative(*model, "'logodds error'"));
  add_adjustment_notes(*model, notes);
  const Misclassification found =
      measure::misclassification(*model, request_of(arguments), make_context(arguments, bar));
  bar.erase();
  if (!found.exact && found.standard_error > arguments.real("standard-error")) {
    notes.push_back(
        fmt::format("the standard error is above {} after {} draws; --draws allows more",
                    arguments.text("standard-error"), grouped(found.draws)));
  }
  if (arguments.has("json")) {
    print_as_json(*model, found, watch.seconds(), notes);
  } else {
    print_for_people(*model, found);
  }
  print_notes(notes, arguments.has("quiet"));
}

}  // namespace

Command error_command() {
  return {.name = "error",
          .bit = kError,
          .summary = "show how often a model would err on rows of its own making",
          .usage = "MODEL [--priors P] [--threshold X] [--standard-error E]",
          .positionals = {{"MODEL", "model file with densities, such as gaussian"}},
          .example = "error penguins.model --priors uniform",
          .run = run};
}

}  // namespace logodds::app
