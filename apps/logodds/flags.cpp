// The table of flags. Options of families are not here: they come from the registry.
#include "arguments.hpp"
#include "logodds/registry/registry.hpp"

namespace logodds::app {

namespace {

constexpr CommandSet kReaders = kTrain | kPredict | kEvaluate;
constexpr CommandSet kAll = kReaders | kInspect | kModels;

OptionSpec text(std::string name, std::string help, std::string default_value = "") {
  return {.name = std::move(name),
          .type = OptionType::choice,
          .default_value = std::move(default_value),
          .help = std::move(help)};
}

OptionSpec choice(std::string name, std::string help, std::vector<std::string> choices) {
  return {.name = std::move(name),
          .type = OptionType::choice,
          .default_value = choices.front(),
          .help = std::move(help),
          .choices = choices};
}

OptionSpec integer(std::string name, std::string help, std::string default_value, double minimum,
                   double maximum) {
  return {.name = std::move(name),
          .type = OptionType::integer,
          .default_value = std::move(default_value),
          .help = std::move(help),
          .minimum = minimum,
          .maximum = maximum};
}

OptionSpec toggle(std::string name, std::string help) {
  return {.name = std::move(name),
          .type = OptionType::flag,
          .default_value = "false",
          .help = std::move(help)};
}

std::vector<Flag> make_flags() {
  constexpr double kMostThreads = 1024.0;
  constexpr double kLargestSeed = 9007199254740992.0;  // 2^53: every integer up to it is a double
  return {
      {text("target", "label column, by name or 1-based number"), "COLUMN", kTrain, 0, "required"},
      {text("target", "label column, by name or 1-based number"), "COLUMN", kEvaluate, 0,
       "the model's"},
      {text("model", "family of models; 'logodds models' lists them"), "NAME", kTrain, 0,
       std::string(kDefaultFamily)},
      {text("output", "file to write the model to"), "MODEL", kTrain, 'o', "required"},
      {text("output", "file to write the predictions to"), "OUT.csv", kPredict, 'o',
       "standard output"},
      {toggle("proba", "write the posterior of every class as well"), "", kPredict},
      {text("weights", "column of row weights, by name or number"), "COLUMN", kTrain | kEvaluate, 0,
       "every weight is 1"},
      {text("ignore", "columns to leave out, by name or number"), "A,B", kReaders},
      {text("kinds", "kinds of columns: real, binary, categorical, count, ignore"), "NAME=KIND,...",
       kTrain, 0, "inferred"},
      {text("missing-tokens", "tokens that mean 'missing', besides empty, NA, NaN and ?"), "A,B",
       kReaders},
      {text("delimiter", "field separator: one character, or comma, tab, semicolon, pipe, space"),
       "C", kReaders, 0, "taken from the first line"},
      {toggle("no-header", "the first line is data; columns are named x1, x2, ..."), "", kReaders},
      {choice("missing", "rows that lack a value the model needs: leave out, or stop",
              {"skip", "error"}),
       "skip|error", kReaders},
      {integer("threads", "threads to use; the result is the same for any number", "1", 1,
               kMostThreads),
       "N", kReaders, 0, "all cores"},
      {integer("seed", "seed of everything random", "0", 0, kLargestSeed), "N", kTrain},
      {toggle("quiet", "no notes, no progress bar, no summary of a file written"), "", kReaders},
      {toggle("json", "print one JSON object"), "", kAll},
      {toggle("help", "show this help"), "", kAll | kRoot | kHelp, 'h'},
      {toggle("version", "show the version"), "", kRoot},
  };
}

}  // namespace

const std::vector<Flag>& flags() {
  static const std::vector<Flag> table = make_flags();
  return table;
}

}  // namespace logodds::app
