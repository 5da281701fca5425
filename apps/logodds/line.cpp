// logodds line: least-squares lines of one column on others, or the values of one at new rows.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

#include "arguments.hpp"
#include "csv_writing.hpp"
#include "describing.hpp"
#include "fitting.hpp"
#include "json.hpp"
#include "logodds/logodds.hpp"
#include "output.hpp"
#include "output_file.hpp"
#include "reading.hpp"

namespace logodds::app {

namespace {

/// What only a fit takes.
constexpr std::array<std::string_view, 6> kOfFitting = {"x",     "y",       "no-intercept",
                                                        "kinds", "weights", "missing"};

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::usage, sentence); }

/// One line a row: values, empty where they are not known.
class ValueLines {
 public:
  explicit ValueLines(std::size_t width) : width_(width) {}

  [[nodiscard]] std::string render(const RowBlock& block, std::span<const double> values) {
    std::string text;
    for (std::size_t r = 0; r < block.rows; ++r) {
      const auto row = values.subspan(r * width_, width_);
      const bool lacking = std::isnan(row.back());
      incomplete_ += lacking ? 1U : 0U;
      if (lacking && width_ == 1) { text += "\"\""; }  // a line, though it holds nothing
      for (std::size_t i = 0; i < width_; ++i) {
        if (i > 0) { text += ','; }
        append_number(text, row[i]);
      }
      text += '\n';
    }
    rows_ += block.rows;
    return text;
  }

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t incomplete() const { return incomplete_; }

 private:
  std::size_t width_;
  std::size_t rows_ = 0;
  std::size_t incomplete_ = 0;
};

struct Written {
  std::size_t rows = 0;
  std::size_t incomplete = 0;
  std::vector<std::string> notes;
};

/// Every row of a file is written, whatever its weight.
CsvOptions all_rows(const Arguments& arguments) {
  CsvOptions options = csv_options(arguments);
  options.weights.clear();
  options.kinds.clear();
  return options;
}

std::string residuals_header(const std::string& response) {
  return fmt::format("{},{},{}\n", csv_field(response), unlike("fitted", {&response, 1}),
                     unlike("residual", {&response, 1}));
}

Written write_values(const DescriptiveModel& model, const std::string& data,
                     const std::string& output, bool residuals, const Arguments& arguments,
                     const Context& context) {
  const FittedLine& line = *model.line();
  const auto source = open_csv(data, all_rows(arguments),
                               residuals ? model.schema() : regressors_of(model.schema()), false);
  ValueLines lines(residuals ? 3 : 1);
  OutputFile file(output);
  file.write(residuals ? residuals_header(line.regression().response) : "fitted\n");
  const RowsSink sink = [&](const RowBlock& block, std::span<const double> values) {
    file.write(lines.render(block, values));
  };
  if (residuals) {
    logodds::residuals(line, *source, sink, context);
  } else {
    fitted_values(line, *source, sink, context);
  }
  file.finish();
  return {lines.rows(), lines.incomplete(), source->notes()};
}

void check_residuals(const Arguments& arguments, const std::string& data) {
  if (!arguments.has("residuals")) { return; }
  const std::string output = arguments.text("residuals");
  if (output == "-") {
    refuse("--residuals - would mix them with the summary; name a file, such as residuals.csv");
  }
  if (data == "-") {
    refuse(
        "--residuals reads the rows a second time, which standard input does not allow; give a "
        "file");
  }
  if (arguments.has("output") && arguments.text("output") == output) {
    refuse(fmt::format("-o and --residuals both name {}; name two files", output));
  }
  refuse_same_file(output, data, "--residuals");
  check_place(output, "--residuals");
}

CsvOptions fit_columns(const Arguments& arguments) {
  CsvOptions options = csv_options(arguments);
  options.columns = split_list("x", arguments.text("x"));
  options.columns.push_back(arguments.text("y"));
  return options;
}

void fit_line(const Arguments& arguments) {
  const std::string& data = arguments.positional(0);
  require_flag(line_command(), arguments, "x");
  require_flag(line_command(), arguments, "y");
  check_residuals(arguments, data);
  if (arguments.has("output")) {
    check_model_output(line_command(), arguments);
    refuse_same_file(arguments.text("output"), data);
  }
  const DescriptiveRecord& record = *find_descriptive("line");
  const Stopwatch watch;
  ProgressBar bar(!arguments.has("quiet"));
  const auto source = open_csv(data, fit_columns(arguments));
  const Context context = make_context(arguments, bar);
  DescriptiveFit fit =
      describe(*source, record.name, description_options(arguments, record, "line"), context,
               missing_rows(arguments));
  if (arguments.has("residuals")) {
    static_cast<void>(
        write_values(*fit.model, data, arguments.text("residuals"), true, arguments, context));
  }
  bar.erase();
  Described described = finish_description(std::move(fit), arguments, watch);
  if (arguments.has("residuals")) { described.residuals = arguments.text("residuals"); }
  report_description(described, arguments);
}

const DescriptiveModel& require_line(const Model& model, const Arguments& arguments) {
  const auto* const description = dynamic_cast<const DescriptiveModel*>(&model);
  if (description != nullptr && description->line() != nullptr) { return *description; }
  refuse(
      fmt::format("{} holds a model of the family {}, not a line; give the file that 'logodds "
                  "line DATA --x A --y B -o MODEL' wrote",
                  arguments.positional(0), model.family()));
}

/// The values of a fitted line at the rows of a file.
void apply_line(const Arguments& arguments) {
  for (const std::string_view flag : kOfFitting) {
    if (arguments.has(flag)) {
      refuse(
          fmt::format("option --{} goes with a fit of one file, and '{}' is a second; leave one "
                      "of the two out",
                      flag, arguments.positional(1)));
    }
  }
  const bool residuals = arguments.has("residuals");
  if (residuals && arguments.has("output")) {
    refuse(
        "-o takes the values of the line and --residuals the values beside what was measured; "
        "give one of the two");
  }
  const std::string& data = arguments.positional(1);
  if (residuals) {
    refuse_same_file(arguments.text("residuals"), data, "--residuals");
    check_place(arguments.text("residuals"), "--residuals");
  }
  const std::string output =
      residuals ? arguments.text("residuals") : table_output(arguments, "the values");
  const Stopwatch watch;
  ProgressBar bar(!arguments.has("quiet") && output != "-");
  const auto model = load_any_model(arguments);
  const Written written = write_values(require_line(*model, arguments), data, output, residuals,
                                       arguments, make_context(arguments, bar));
  bar.erase();
  std::vector<std::string> notes = written.notes;
  if (written.incomplete > 0) {
    notes.push_back(counted(written.incomplete, "row lacks a value: cells of it are empty",
                            "rows lack a value: cells of them are empty"));
  }
  if (arguments.has("json")) {
    print_summary(json_text({{"model", model->family()},
                             {"rows", written.rows},
                             {"rows_incomplete", written.incomplete},
                             {"seconds", watch.seconds()},
                             {"output", output},
                             {"notes", notes}}),
                  "the values were written to " + output);
  } else if (output != "-" && !arguments.has("quiet")) {
    FactTable facts;
    facts.add("model", model->family());
    facts.add("rows", grouped(written.rows));
    facts.add("seconds", fmt::format("{:.3f}", watch.seconds()));
    facts.add("output", output);
    print_summary(facts.text(), "the values were written to " + output);
  }
  print_notes(notes, arguments.has("quiet"));
}

void run(const Arguments& arguments) {
  if (arguments.positionals().size() == 1) { return fit_line(arguments); }
  apply_line(arguments);
}

}  // namespace

Command line_command() {
  return {
      .name = "line",
      .bit = kLine,
      .summary =
          "fit least-squares lines: one column on others, of two columns each on the "
          "other",
      .usage =
          "DATA --x A[,B,...] --y C [--residuals OUT.csv] [-o MODEL] | MODEL DATA "
          "[-o OUT.csv]",
      .positionals = {{"MODEL",
                       "file of a line that -o wrote, to write its values at the rows "
                       "of DATA; for a fit none"},
                      {"DATA", "CSV or TSV file, plain, .gz or .zst; - is standard input", false}},
      .example = "line penguins.csv --x flipper_length_mm --y body_mass_g",
      .run = run};
}

}  // namespace logodds::app
