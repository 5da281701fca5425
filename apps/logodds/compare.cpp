// logodds compare: which model predicts these rows best.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "arguments.hpp"
#include "fitting.hpp"
#include "json.hpp"
#include "logodds/choose/comparison.hpp"
#include "output.hpp"
#include "output_file.hpp"
#include "reading.hpp"
#include "sources.hpp"
#include "tables.hpp"
#include "validating.hpp"

namespace logodds::app {

namespace {

using choose::Compared;
using choose::Comparison;

void check(const Arguments& arguments) {
  check_format_flags(arguments, arguments.positional(0));
  if (has_columns(format_choice(arguments).input)) {
    require_flag(compare_command(), arguments, "target");
  }
  if (!arguments.has("output")) { return; }
  check_model_output(compare_command(), arguments);
  refuse_same_file(arguments.text("output"), arguments.positional(0));
}

/// Documents, and svmlight rows of counts, are read as one model takes them, and not as others do.
const FamilyRecord& reading_family(const Arguments& arguments,
                                   const std::vector<choose::Candidate>& candidates) {
  const Format format = format_choice(arguments).input;
  if (format == Format::lines || format == Format::folders) { return find_family(kDefaultFamily); }
  return find_family(candidates.empty() ? "softmax" : candidates.front().family);
}

bool failed(const Compared& model) { return !model.failure.empty(); }

/// No worse than the best, as far as these rows tell: neither in log loss nor in errors.
bool close_to_best(const Compared& model) {
  constexpr double kRare = 0.05;
  const choose::McNemar& test = model.mcnemar;
  const bool errs_more = test.only_best > test.only_other && test.p_value < kRare;
  return !failed(model) && !(model.log_loss_difference.low > 0.0) && !errs_more;
}

Json difference_json(const choose::Difference& difference) {
  return {{"value", difference.value}, {"low", difference.low}, {"high", difference.high}};
}

Json model_json(const Compared& model) {
  const FamilyRecord& family = find_family(model.candidate.family);
  Json options = Json::object();
  for (const auto& [name, value] : model.candidate.options) {
    options[name] = option_value_json(*find_option(family, name), value);
  }
  Json object = {{"model", family.name}, {"options", std::move(options)}};
  if (failed(model)) {
    object["applies"] = model.fits;
    object["failure"] = model.failure;
    return object;
  }
  object["log_loss"] = estimate_json(model.log_loss);
  object["error_rate"] = estimate_json(model.error_rate);
  object["brier"] = estimate_json(model.brier);
  object["train_log_loss"] = model.train_log_loss;
  object["train_error_rate"] = model.train_error_rate;
  object["log_likelihood"] = model.log_likelihood ? Json(*model.log_likelihood) : Json();
  object["log_loss_difference"] = difference_json(model.log_loss_difference);
  object["error_rate_difference"] = difference_json(model.error_rate_difference);
  object["mcnemar"] = {{"only_best_right", model.mcnemar.only_best},
                       {"only_this_right", model.mcnemar.only_other},
                       {"p_value", model.mcnemar.p_value}};
  object["rows_ruled_out"] = model.rows_ruled_out;
  object["close_to_best"] = close_to_best(model);
  object["seconds"] = model.seconds;
  return object;
}

std::string text_as_json(const Comparison& found, const Arguments& arguments, double seconds,
                         const std::string& sentence, const std::vector<std::string>& notes) {
  Json models = Json::array();
  for (const Compared& model : found.models) { models.push_back(model_json(model)); }
  Json object = {{"rows", found.rows},       {"rows_skipped", found.rows_skipped},
                 {"classes", found.labels},  {"folds", found.folds},
                 {"repeats", found.repeats}, {"seed", arguments.integer("seed")}};
  object["best"] = model_json(found.models.front());
  object["models"] = std::move(models);
  object["conclusion"] = sentence;
  object["seconds"] = seconds;
  object["output"] = arguments.text("output");
  object["notes"] = notes;
  return json_text(object);
}

std::string time_text(double seconds) { return fmt::format("{:.2f} s", seconds); }

std::string measures_table(const Comparison& found) {
  using Align = TextTable::Align;
  TextTable table({Align::left, Align::right, Align::left, Align::right, Align::right, Align::left,
                   Align::right, Align::right});
  table.header(
      {"model", "log loss", "95 % interval", "train", "error", "95 % interval", "train", "time"});
  for (const Compared& model : found.models) {
    if (failed(model)) { continue; }
    table.row({printable(model.candidate.title()), measured(model.log_loss.value),
               interval_text(model.log_loss), measured(model.train_log_loss),
               measured(model.error_rate.value), interval_text(model.error_rate),
               measured(model.train_error_rate), time_text(model.seconds)});
    if (close_to_best(model)) { table.tone(1, Tone::good); }
  }
  return table.text();
}

std::string p_text(double p) { return p < 0.0001 ? "< 0.0001" : measured(p); }

std::string differences_table(const Comparison& found) {
  using Align = TextTable::Align;
  TextTable table({Align::left, Align::right, Align::left, Align::right, Align::right, Align::right,
                   Align::right});
  table.header({"minus the best", "log loss", "95 % interval", "best only", "this only",
                "McNemar p", "ln p(x, C)"});
  for (const Compared& model : found.models) {
    if (failed(model)) { continue; }
    const bool best = &model == found.models.data();
    const choose::Difference& difference = model.log_loss_difference;
    const std::string density =
        model.log_likelihood ? fmt::format("{:.3f}", *model.log_likelihood) : "";
    if (best) {
      table.row({printable(model.candidate.title()), "best", "", "", "", "", density});
      continue;
    }
    table.row({printable(model.candidate.title()), fmt::format("{:+.4f}", difference.value),
               fmt::format("{:+.4f} to {:+.4f}", difference.low, difference.high),
               fmt::format("{}", model.mcnemar.only_best),
               fmt::format("{}", model.mcnemar.only_other), p_text(model.mcnemar.p_value),
               density});
  }
  return table.text();
}

std::string failures_text(const Comparison& found) {
  std::string text;
  for (const Compared& model : found.models) {
    if (!failed(model)) { continue; }
    text += fmt::format("{}: {}\n", printable(model.candidate.title()), printable(model.failure));
  }
  return text.empty() ? "" : "\nnot compared\n" + text;
}

/// The plain sentence at the end.
std::string conclusion(const Comparison& found) {
  const Compared& best = found.models.front();
  std::vector<std::string> close;
  for (std::size_t m = 1; m < found.models.size(); ++m) {
    if (close_to_best(found.models[m])) { close.push_back(found.models[m].candidate.title()); }
  }
  std::string text = fmt::format("{} predicts best: log loss {}, {} of the rows decided wrongly",
                                 best.candidate.title(), measured(best.log_loss.value),
                                 fmt::format("{:.2f} %", 100.0 * best.error_rate.value));
  if (close.empty()) {
    return text + (found.models.size() > 1 && !failed(found.models[1])
                       ? "; it is better than each of the others by more than chance.\n"
                       : ".\n");
  }
  return text +
         fmt::format("; these rows do not tell it from {}.\n",
                     fmt::join(close.begin(), close.end(), close.size() > 2 ? ", " : " and "));
}

std::string text_for_people(const Comparison& found, const Arguments& arguments) {
  FactTable facts;
  facts.add("rows", grouped(found.rows));
  if (found.rows_skipped > 0) {
    facts.add("skipped",
              grouped(found.rows_skipped) + " (a value is missing that some of the models need)");
  }
  facts.add("classes", few(found.labels));
  facts.add("held out", held_out_text(false, found.folds, found.repeats));
  if (arguments.has("output")) { facts.add("output", arguments.text("output")); }
  return facts.text() + "\n" + measures_table(found) + "\n" + differences_table(found) +
         failures_text(found) + "\n" + conclusion(found);
}

std::vector<std::string> notes_of(const Comparison& found) {
  std::vector<std::string> notes = found.notes;
  notes.emplace_back(
      "'train' is the model of all rows on these rows: where it is far below the held-out figure, "
      "rows were learnt by heart");
  notes.emplace_back(
      "'best only' and 'this only' count the rows that only one of the two decides rightly");
  const auto densities = std::ranges::count_if(
      found.models, [](const Compared& model) { return model.log_likelihood.has_value(); });
  if (densities > 0) {
    notes.emplace_back(
        "ln p(x, C), the mean over held-out rows, can be compared among generative models alone");
  }
  for (const Compared& model : found.models) {
    if (!failed(model)) {
      add_ruled_out(notes, model.rows_ruled_out, model.candidate.title() + ": ");
    }
  }
  return notes;
}

void run(const Arguments& arguments) {
  check(arguments);
  const Stopwatch watch;
  ProgressBar bar(!arguments.has("quiet"));
  choose::ComparisonRequest request;
  if (arguments.has("models")) {
    request.candidates = choose::parse_candidates(arguments.text("models"));
  }
  request.folds = static_cast<std::size_t>(arguments.integer("folds"));
  request.repeats = static_cast<std::size_t>(arguments.integer("repeats"));
  request.missing = missing_rows(arguments);
  const auto source = open_training(arguments, reading_family(arguments, request.candidates),
                                    arguments.positional(0));
  const Comparison found = choose::compare(*source, request, make_context(arguments, bar));
  bar.erase();
  if (arguments.has("output")) { save_model(*found.winner, arguments.text("output")); }
  const auto notes = notes_of(found);
  const std::string text = arguments.has("json") ? text_as_json(found, arguments, watch.seconds(),
                                                                conclusion(found), notes)
                                                 : text_for_people(found, arguments);
  if (arguments.has("output")) {
    print_summary(text, "the model was written to " + arguments.text("output"));
  } else {
    print(text);
  }
  print_notes(notes, arguments.has("quiet"));
}

}  // namespace

Command compare_command() {
  return {.name = "compare",
          .bit = kCompare,
          .summary = "find out which model predicts the rows of a file best",
          .usage = "DATA --target COLUMN [--models A,B,...] [--folds N] [-o MODEL]",
          .positionals =
              {{"DATA",
                "CSV or TSV file, or what --format says, plain, .gz or .zst; - is standard input; "
                "read once, its rows are kept in memory"}},
          .example = "compare penguins.csv --target species -o penguins.model",
          .run = run};
}

}  // namespace logodds::app
