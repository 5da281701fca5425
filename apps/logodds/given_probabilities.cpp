#include "given_probabilities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "logodds/measure/weights.hpp"
#include "output.hpp"
#include "reading.hpp"
#include "sources.hpp"
#include "tables.hpp"

namespace logodds::app {

namespace {

constexpr std::string_view kPrefix = "p_";

/// A class and the column of its probabilities.
struct ClassColumn {
  std::string label;
  std::string column;
};

void refuse(const std::string& sentence) { throw Error(ErrorCode::usage, sentence); }

void check_flags(const Arguments& arguments) {
  if (!arguments.positionals().empty()) {
    refuse(
        fmt::format("with --probabilities the posteriors come from a file, so there is no model "
                    "and no data; leave '{}' out",
                    arguments.positional(0)));
  }
  for (const std::string_view flag :
       {"priors", "rule", "ignore", "cost", "thresholds", "reject-below"}) {
    if (arguments.has(flag)) {
      refuse(
          fmt::format("--{} is about a model, and --probabilities has none; leave it out", flag));
    }
  }
  if (!arguments.has("target")) {
    refuse("--probabilities needs the column of the true classes: --target COLUMN");
  }
  if (!has_columns(format_choice(arguments).input)) {
    refuse("--probabilities reads a table; give a CSV file");
  }
  if (arguments.text("probabilities") == "-") {
    refuse(
        "--probabilities reads its file more than once, so it cannot be standard input; name a "
        "file");
  }
  if (arguments.has("no-header")) {
    refuse(
        "--probabilities finds the columns of the classes by their names; give a file with a "
        "header");
  }
}

CsvOptions options_of(const Arguments& arguments) {
  CsvOptions options = csv_options(arguments);
  options.columns.clear();
  return options;
}

/// The different labels of the rows, in label order.
std::vector<std::string> labels_of(const Arguments& arguments, const std::string& any_column) {
  CsvOptions options = options_of(arguments);
  options.columns = {any_column};
  options.kinds = {{any_column, ColumnKind::categorical}};
  const auto source = open_csv(arguments.text("probabilities"), options);
  Dictionary found;
  for (RowBuffer rows; source->take(rows);) {
    source->parse(rows);
    for (const std::string& label : rows.label_values.values()) { found.code(label); }
  }
  std::vector<std::string> labels = found.values();
  std::ranges::sort(labels, label_less);
  return labels;
}

std::vector<ClassColumn> class_columns(const Arguments& arguments) {
  const std::string path = arguments.text("probabilities");
  const auto stripped = [](const std::string& name) {
    return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
  };
  std::vector<ClassColumn> found;
  if (arguments.has("columns")) {
    for (const std::string& name : csv_options(arguments).columns) {
      found.push_back({stripped(name), name});
    }
    return found;
  }
  std::vector<std::string> names;
  const auto header = open_csv(path, options_of(arguments));
  for (const SourceColumn& column : header->columns()) { names.push_back(column.name); }
  if (names.empty()) { refuse(path + " has no column besides the target; one a class is needed"); }
  for (const std::string& name : names) {
    if (name.starts_with(kPrefix)) { found.push_back({stripped(name), name}); }
  }
  if (!found.empty()) { return found; }
  for (const std::string& label : labels_of(arguments, names.front())) {
    if (std::ranges::find(names, label) == names.end()) {
      throw Error(ErrorCode::input,
                  fmt::format("{}: class '{}' of column '{}' has no column of probabilities; the "
                              "columns are {}; call it '{}' or 'p_{}', or give --columns",
                              path, label, arguments.text("target"), few(names), label, label));
    }
    found.push_back({label, label});
  }
  return found;
}

Schema schema_of(const Arguments& arguments, std::vector<ClassColumn> classes) {
  std::ranges::sort(classes, label_less, &ClassColumn::label);
  Schema schema;
  schema.target = arguments.text("target");
  for (const ClassColumn& one : classes) {
    if (!schema.labels.empty() && schema.labels.back() == one.label) {
      refuse(
          fmt::format("class '{}' has two columns of probabilities; name one of them with "
                      "--columns",
                      one.label));
    }
    schema.labels.push_back(one.label);
    schema.columns.push_back({one.column, ColumnKind::real, {}});
  }
  return schema;
}

/// One row of probabilities, checked; they are divided by their sum where that is wanted.
class Checker {
 public:
  Checker(const Schema& schema, const BlockSource& source, bool normalize)
      : schema_(schema), source_(source), normalize_(normalize) {}

  void check(std::span<double> row, std::size_t number) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const bool fine = normalize_ ? row[k] >= 0.0 && std::isfinite(row[k])
                                   : row[k] >= 0.0 && row[k] <= 1.0 + kRounding;
      if (!fine) { refuse_value(row[k], k, number); }
      sum += row[k];
    }
    if (!normalize_ && std::abs(sum - 1.0) > kRounding) {
      throw Error(ErrorCode::input,
                  fmt::format("{}: the probabilities of {} sum to {}, not to 1; give --normalize "
                              "to divide by the sum, or with --columns the columns of all classes",
                              source_.place(number), few(schema_.labels), short_number(sum)));
    }
    if (!normalize_) { return; }
    if (!(sum > 0.0)) {
      throw Error(ErrorCode::input,
                  fmt::format("{}: every probability is 0; remove the row or put it right",
                              source_.place(number)));
    }
    const double most = *std::ranges::max_element(row);
    double scaled = 0.0;
    for (double& p : row) {
      p /= most;  // so that no sum overflows
      scaled += p;
    }
    for (double& p : row) { p /= scaled; }
  }

 private:
  static constexpr double kRounding = 1e-6;

  void refuse_value(double p, std::size_t k, std::size_t number) const {
    const std::string& column = schema_.columns[k].name;
    throw Error(
        ErrorCode::input,
        std::isnan(p)
            ? fmt::format("{}: column '{}' has no probability while others of the row have; fill "
                          "it in, or remove the row",
                          source_.place(number), column)
            : fmt::format(
                  "{}: column '{}' holds {}, which is no probability; they are from 0 "
                  "to 1{}",
                  source_.place(number), column, short_number(p),
                  p > 1.0 && !normalize_ ? ", or any positive numbers with --normalize" : ""));
  }

  const Schema& schema_;
  const BlockSource& source_;
  bool normalize_;
};

}  // namespace

GivenProbabilities evaluate_probabilities(const Arguments& arguments,
                                          const measure::MeasureOptions& options,
                                          ProgressBar& bar) {
  check_flags(arguments);
  const Schema schema = schema_of(arguments, class_columns(arguments));
  const std::size_t classes = schema.labels.size();
  const auto source =
      open_csv(arguments.text("probabilities"), options_of(arguments), schema, true);
  const Checker checker(schema, *source, arguments.has("normalize"));
  measure::Measures measures(classes, options);
  ScoreReport report;
  const Context context = make_context(arguments, bar);
  std::vector<double> row(classes);
  for (RowBuffer rows; source->take(rows);) {
    source->parse(rows);
    measure::check_weights(rows, *source);
    const RowBlock block = rows.view();
    for (std::size_t r = 0; r < block.rows; ++r) {
      const double* const from = block.numeric + r * block.numeric_stride;
      if (std::all_of(from, from + classes, [](double p) { return std::isnan(p); })) {
        ++report.rows_skipped;
        continue;
      }
      row.assign(from, from + classes);
      checker.check(row, rows.row_number(r));
      measures.add(static_cast<std::size_t>(block.labels[r]), row, block.weight(r));
    }
    if (context.progress) {
      context.progress(
          {.what = "reading", .fraction = source->fraction_taken(), .rows = measures.rows()});
    }
  }
  report.rows = measures.rows();
  if (report.rows == 0) {
    throw Error(ErrorCode::input, source->name() + " holds no row with probabilities; give some");
  }
  GivenProbabilities found{schema.labels, {std::move(measures), report}, {}};
  if (report.rows_skipped > 0) {
    found.notes.push_back(counted(report.rows_skipped, "row without probabilities is left out",
                                  "rows without probabilities are left out"));
  }
  return found;
}

}  // namespace logodds::app
