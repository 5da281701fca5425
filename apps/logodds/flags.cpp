// The table of flags. Options of families are not here: they come from the registry.
#include <algorithm>
#include <limits>

#include "arguments.hpp"
#include "help.hpp"
#include "logodds/plots/plots.hpp"
#include "logodds/posterior/calibration.hpp"
#include "logodds/registry/descriptive.hpp"
#include "logodds/registry/registry.hpp"
#include "sources.hpp"

namespace logodds::app {

namespace {

constexpr CommandSet kChangers = kUpdate | kForget;
constexpr CommandSet kScorers = kPredict | kEvaluate;
constexpr CommandSet kDescribers = kProject | kLine;
constexpr CommandSet kValidators = kThreshold | kCalibrate;
constexpr CommandSet kChoosers = kCrossValidate | kCompare;
constexpr CommandSet kReaders =
    kTrain | kChoosers | kCluster | kScorers | kChangers | kDescribers | kValidators;
constexpr CommandSet kWriters = kReaders | kMerge | kSample | kDefine;
constexpr CommandSet kPictures = kPlot | kReport;
constexpr CommandSet kAll = kWriters | kInspect | kModels | kError | kSplit | kPictures;

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

OptionSpec real(std::string name, std::string help, std::string default_value, double minimum,
                double maximum) {
  return {.name = std::move(name),
          .type = OptionType::real,
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

constexpr double kLargest = 9007199254740992.0;  // 2^53: every integer up to it is a double

std::vector<Flag> names_of_things() {
  return {
      {text("target", "label column, by name or 1-based number"), "COLUMN", kTrain | kChoosers, 0,
       "required for tables"},
      {text("target", "label column, by name or 1-based number"), "COLUMN",
       kEvaluate | kChangers | kValidators | kPictures, 0, "the model's"},
      {text("target", "label column, by name or 1-based number: every class is divided alike"),
       "COLUMN", kSplit, 0, "required for tables"},
      {text("target", "label column to compare the clusters with; they are not made by it"),
       "COLUMN", kCluster, 0, "none"},
      {text("target",
            "label column, by name or 1-based number: canonical axes separate its classes, to pca "
            "it is no column of numbers, and coordinates are written beside it"),
       "COLUMN", kProject, 0, "the model's"},
      {toggle("soft",
              "let every row belong to every cluster by its posterior: a Gaussian mixture, with "
              "options of its own (--soft --help)"),
       "", kCluster},
      {text("columns", "columns to cluster by, by name or 1-based number"), "A,B", kCluster, 0,
       "all"},
      {text("model", "family of models; 'logodds models' lists them"), "NAME",
       kTrain | kCrossValidate, 0, std::string(kDefaultFamily)},
      {text("output", "file to write the model to"), "MODEL", kTrain | kDefine, 'o', "required"},
      {text("output", "file to write the model to"), "MODEL", kCluster, 'o', "none"},
      {text("output", "file to write the table of results to"), "OUT.csv", kCrossValidate, 'o',
       "none"},
      {text("output", "file to write the model that predicts best to, fitted to all rows"), "MODEL",
       kCompare, 'o', "none"},
      {text("output", "file to write the new model to"), "NEW", kChangers | kMerge | kCalibrate,
       'o', "required"},
      {text("output", "file to write the model with its threshold to"), "NEW", kThreshold, 'o',
       "MODEL itself"},
      {text("output", "beginning of the names of the files: PREFIX.train.csv, ..."), "PREFIX",
       kSplit, 'o', "required"},
      {text("output", "file to write the predictions to"), "OUT.csv", kPredict, 'o',
       "standard output"},
      {text("output", "file to write the rows to"), "OUT.csv", kSample, 'o', "standard output"},
      {text("output", "file to write the axes (with --method) or the coordinates to"), "FILE",
       kProject, 'o', "none, or standard output"},
      {text("output", "page to write"), "FILE.html", kReport, 'o', "required"},
      {text("train", "rows that the model was trained on, to compare with"), "TRAIN", kReport, 0,
       "none"},
      {text("output", "file to draw to; its ending says what it is"), "FILE.svg|.html|.png|.pdf",
       kPlot, 'o', "required unless --terminal is given"},
      {text("output", "file to write the line (of a fit) or its values at the rows to"), "FILE",
       kLine, 'o', "none, or standard output"},
  };
}

std::vector<Flag> flags_of_scoring() {
  return {
      {toggle("join-classes", "merge models although a class is in some of them only"), "", kMerge},
      {toggle("proba", "write the posterior of every class as well"), "", kPredict},
      {toggle("density", "write ln p(x) and the outlier p-value as well"), "", kPredict},
      {toggle("distances", "write the signed distance from every linear boundary as well"), "",
       kPredict},
      {toggle("neighbors",
              "write the numbers of the k nearest training rows, counted from 1, and their "
              "distances as well"),
       "", kPredict},
      {real("reject-outliers", "do not decide rows whose outlier p-value is below this", "0", 0.0,
            1.0),
       "LEVEL", kPredict},
      {text("cost",
            "decide what costs least: a CSV file with a row for every true class and a column for "
            "every decision, or pairs TRUTH:DECISION=COST (others: 1 if wrong, 0 if right); a "
            "column, or decision, 'reject' prices rows that are not decided"),
       "FILE.csv|A:B=5,B:A=1", kScorers, 0, "every error costs the same"},
      {text("cost",
            "choose the threshold whose decisions cost least: a CSV file with a row for every true "
            "class and a column for every decision, or pairs TRUTH:DECISION=COST"),
       "FILE.csv|A:B=5,B:A=1", kThreshold, 0, "none"},
      {real("precision",
            "choose the lowest threshold of which at least this share of the decisions for the "
            "class is right",
            "0", 0.0, 1.0),
       "P", kThreshold, 0, "none"},
      {text("class", "class that the threshold is for"), "C", kThreshold, 0, "the second of two"},
      {choice("method",
              "one number for all posteriors (temperature), a logistic function of the log odds "
              "(platt), or any increasing function of the posterior (isotonic)",
              posterior::calibration_methods()),
       "temperature|platt|isotonic", kCalibrate},
      {text("thresholds",
            "decide for a class exactly where its posterior reaches this; 'none': by the largest "
            "posterior, whatever the model says"),
       "CLASS=P,...|none", kScorers, 0, "the model's"},
      {real("reject-below", "do not decide rows whose decision has a posterior below this", "0",
            0.0, 1.0),
       "P", kScorers},
      {toggle("explain",
              "write instead what each column adds to the log odds of the decision against the "
              "likeliest other class, the largest first"),
       "", kPredict},
      {integer("top", "with --explain: columns to show; the others are added up", "1", 1, kLargest),
       "N", kPredict, 0, "all"},
      {text("log-base", "with --explain: base of the logarithms, e or a number above 1", "e"), "B",
       kPredict},
      {text("priors",
            "other priors than those of the model; estimate: the shares of the classes among the "
            "rows, found by EM without looking at labels"),
       "ml|uniform|smoothed:ALPHA|A=P,B=P,...|estimate", kScorers, 0, "the model's"},
      {text("priors", "other priors than those of the model"),
       "ml|uniform|smoothed:ALPHA|A=P,B=P,...", kError, 0, "the model's"},
      {real("threshold",
            "in one dimension and for two classes: also the error of deciding by this number", "0",
            -std::numeric_limits<double>::max(), std::numeric_limits<double>::max()),
       "X", kError, 0, "none"},
      {real("standard-error", "where rows must be drawn: draw until the error is known so well",
            "0.0001", 0.0, 1.0),
       "E", kError},
      {integer("draws", "rows to draw at most", "100000000", 1, kLargest), "N", kError},
      {choice("rule", "decide by the largest posterior, or by the largest p(x | class)",
              {"map", "likelihood"}),
       "map|likelihood", kScorers},
      {integer("rows", "rows to draw", "1", 1, kLargest), "N", kSample, 'n', "required"},
      {toggle("boundaries", "show where each pair of classes is equally likely"), "", kInspect},
      {toggle("natural",
              "show instead the weights of the sufficient statistics whose sum decides: the "
              "exponential family"),
       "", kInspect},
      {toggle("coefficients",
              "show instead the coefficients of the log odds, with standard errors, p-values and "
              "odds ratios"),
       "", kInspect},
      {real("level", "with --coefficients: level of the intervals", "0.95", 0.001, 0.999999), "P",
       kInspect},
      {integer("top-words",
               "show instead, for each class, the words with the highest log odds against the rest",
               "1", 1, kLargest),
       "N", kInspect, 0, "none"},
  };
}

std::vector<Flag> flags_of_choosing() {
  constexpr double kMostRepeats = 1000.0;
  return {
      {text("models",
            "models to compare; options follow after colons, as in gaussian:covariance=own"),
       "A,B,...", kCompare, 0, "all that apply"},
      {integer("folds", "parts that are held out in turn, alike in their shares of classes", "10",
               2, kLargest),
       "N", kChoosers},
      {toggle("leave-one-out", "hold out every row by itself instead"), "", kCrossValidate},
      {integer("repeats", "hold out all rows so many times, in other folds", "1", 1, kMostRepeats),
       "R", kChoosers},
      {text("grid",
            "options and values to try, all combinations; list the values of an option from the "
            "most flexible model to the simplest, and write a comma within a value as \\,"),
       "\"A=V,V;B=V,V\"", kCrossValidate, 0, "none"},
  };
}

std::vector<Flag> flags_of_splitting() {
  const auto share = [](const char* name, const char* what) {
    return Flag{real(name, std::string("share of the ") + what, "0", 0.0, 1.0), "SHARE", kSplit, 0,
                "the rest"};
  };
  return {share("train", "training rows"), share("validation", "validation rows"),
          share("test", "test rows")};
}

std::vector<Flag> flags_of_measuring() {
  return {
      {text("probabilities",
            "measure posteriors that stand in this table, in columns called as the classes or "
            "p_CLASS, instead of those of a model"),
       "FILE.csv", kEvaluate, 0, "none"},
      {text("columns", "with --probabilities: the columns of the classes, by name"), "A,B",
       kEvaluate, 0, "found by their names"},
      {toggle("normalize", "with --probabilities: divide those of a row by their sum"), "",
       kEvaluate},
      {toggle("calibration", "show how often decisions are right by their posterior as well"), "",
       kEvaluate},
      {text("roc", "file to write the ROC curve of every class to"), "OUT.csv", kEvaluate, 0,
       "none"},
      {real("floor", "count smaller posteriors of the truth as this in the log loss",
            "2.2250738585072014e-308", 2.2250738585072014e-308, 0.999999),
       "P", kEvaluate, 0, "2.2e-308; with --probabilities 1e-15"},
      {integer("bins", "bins of the calibration curves", "10", 1, 1000), "N", kEvaluate},
      {real("level", "level of the intervals", "0.95", 0.001, 0.999999), "P", kEvaluate | kReport},
      {integer("rows", "rows to show of those that it is most wrong and most unsure about", "8", 0,
               1000),
       "N", kReport},
      {integer("bootstrap",
               "make intervals that are neither exact nor DeLong's from so many samples of the "
               "rows; 0: by the jackknife",
               "0", 0, 1000000),
       "N", kEvaluate},
  };
}

/// The option of a descriptive model, which is where its help and its checks are.
Flag of_description(std::string_view kind, std::string_view option, std::string value_name,
                    CommandSet commands, std::string default_note = "") {
  const auto& options = find_descriptive(kind)->options;
  const OptionSpec spec = *std::ranges::find(options, option, &OptionSpec::name);
  return {spec, std::move(value_name), commands, 0, std::move(default_note)};
}

std::vector<Flag> flags_of_describing() {
  return {
      {text("x", "columns to regress on, by name or number; of words, indicators of their levels"),
       "A,B", kLine, 0, "required for a fit"},
      {text("y", "column of numbers that is regressed, by name or number"), "C", kLine, 0,
       "required for a fit"},
      of_description("line", "no-intercept", "", kLine),
      {text("residuals", "file to write every row's value, the line's and their difference to"),
       "OUT.csv", kLine, 0, "none"},
      {choice("method",
              "find axes: principal ones, along which the rows vary most, or canonical ones, which "
              "separate the classes of --target best",
              {"pca", "canonical"}),
       "pca|canonical", kProject, 0, "none: use those of a model"},
      of_description("pca", "components", "M", kProject, "all that vary, or that the model has"),
      of_description("pca", "whiten", "", kProject),
      of_description("pca", "standardize", "", kProject),
      of_description("canonical", "ridge", "X", kProject),
      {integer("axes", "the same as --components, for the axes of a model", "1", 1, kLargest), "M",
       kProject, 0, "all"},
      {toggle("reconstruct",
              "write instead the rows rebuilt from their coordinates, in the columns' own units"),
       "", kProject},
      {text("columns", "with --method: columns to take, by name or number"), "A,B", kProject, 0,
       "all"},
  };
}

/// The options of all kinds of pictures: one that several have means the same in each.
std::vector<Flag> flags_of_drawing() {
  constexpr double kMostUnits = 20000.0;
  std::vector<Flag> all = {
      {toggle("terminal", "draw with block characters on standard output"), "", kPlot},
      {integer("characters", "with --terminal: characters across", "80", 20, 1000), "N", kPlot, 0,
       "those of the terminal"},
      {real("width", "of the page, in units of 1/96 inch", "0", 0.0, kMostUnits), "X", kPlot, 0,
       "by kind"},
      {real("height", "of the page, in units of 1/96 inch", "0", 0.0, kMostUnits), "X", kPlot, 0,
       "by kind"},
      {text("title", "title of the picture"), "TEXT", kPlot, 0, "made of model and data"},
  };
  for (const plots::PlotRecord& record : plots::plot_kinds()) {
    for (const OptionSpec& spec : record.options) {
      if (std::ranges::count(all, spec.name, [](const Flag& flag) { return flag.spec.name; }) > 0) {
        continue;
      }
      all.push_back({spec, value_name(spec), kPlot});
    }
  }
  return all;
}

std::vector<Flag> flags_of_reading() {
  return {
      {text("format",
            "what the data is: csv; tsv (no quotes, backslash escapes); lines (label, tab, "
            "document); folders (one a class, one file a document); svmlight",
            "csv"),
       format_names("|"), kTrain | kChoosers | kEvaluate | kChangers | kValidators | kPictures},
      {text("format", "what the data is: csv; tsv (no quotes, backslash escapes); svmlight", "csv"),
       "csv|tsv|svmlight", kCluster},
      {text("format",
            "what the data is: csv; tsv (no quotes, backslash escapes); lines (documents, labelled "
            "or not); folders (of files); svmlight; with --explain also html, alone or after a "
            "comma: a page in which the words that decided are marked",
            "csv"),
       format_names("|") + "[,html]", kPredict},
      {text("format",
            "what the data is: csv; tsv (no quotes, backslash escapes); lines (label, tab, "
            "document); svmlight",
            "csv"),
       "csv|tsv|lines|svmlight", kSplit},
      {text("weights", "column of row weights, by name or number"), "COLUMN",
       kTrain | kChoosers | kCluster | kEvaluate | kChangers | kDescribers | kValidators |
           kPictures,
       0, "every weight is 1"},
      {text("ignore", "columns to leave out, by name or number"), "A,B", kReaders & ~kLine},
      {text("kinds", "kinds of columns: real, binary, categorical, count, text, ignore"),
       "NAME=KIND,...", kTrain | kChoosers | kCluster | kDescribers, 0, "inferred"},
      {text("missing-tokens", "tokens that mean 'missing', besides empty, NA, NaN and ?"), "A,B",
       kReaders | kSplit | kPictures},
      {text("delimiter", "field separator: one character, or comma, tab, semicolon, pipe, space"),
       "C", kReaders | kSplit | kPictures, 0, "taken from the first line"},
      {toggle("no-header", "the first line is data; columns are named x1, x2, ..."), "",
       kReaders | kSplit | kPictures},
      {choice("missing",
              "rows that lack a value: use what they have if the model can, leave out, or stop",
              {"use", "skip", "error"}),
       "use|skip|error", kTrain | kChoosers | kScorers | kChangers | kValidators},
      {choice("missing", "rows that lack a value: leave out, or stop", {"skip", "error"}),
       "skip|error", kCluster | kDescribers},
  };
}

std::vector<Flag> flags_of_running() {
  constexpr double kMostThreads = 1024.0;
  return {
      {integer("threads", "threads to use; the result is the same for any number", "1", 1,
               kMostThreads),
       "N", kReaders | kMerge | kSample | kError | kSplit | kPictures, 0, "all cores"},
      {integer("seed", "seed of everything random", "0", 0, kLargest), "N",
       kTrain | kChoosers | kCluster | kSample | kError | kSplit | kEvaluate | kPictures},
      {text("trace",
            "file to write the objective of every iteration to; - shows the table instead"),
       "FILE.csv", kTrain, 0, "none"},
      {text("trace", "file to write E of every step to"), "FILE.csv", kCluster, 0, "none"},
      {text("warm-start",
            "model to start the optimizer from: of the same family, columns and classes"),
       "MODEL", kTrain, 0, "none"},
      {toggle("quiet", "no notes, no progress bar, no summary of a file written"), "",
       kWriters | kError | kSplit | kPictures},
      {toggle("json", "print one JSON object"), "", kAll & ~kPredict},
      {toggle(
           "json",
           "print one JSON object; with --explain one a row, on a line of its own, in which null "
           "stands for an infinite number"),
       "", kPredict},
      {toggle("help", "show this help"), "", kAll | kRoot | kHelp, 'h'},
      {toggle("version", "show the version"), "", kRoot},
  };
}

std::vector<Flag> make_flags() {
  std::vector<Flag> all;
  for (const auto& part : {names_of_things(), flags_of_choosing(), flags_of_splitting(),
                           flags_of_scoring(), flags_of_measuring(), flags_of_describing(),
                           flags_of_drawing(), flags_of_reading(), flags_of_running()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace

const std::vector<Flag>& flags() {
  static const std::vector<Flag> table = make_flags();
  return table;
}

}  // namespace logodds::app
