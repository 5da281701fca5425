// logodds project: finds axes (--method), or writes coordinates on those of a model.
#include <fmt/format.h>

#include <array>
#include <string_view>

#include "arguments.hpp"
#include "coordinates.hpp"
#include "describing.hpp"
#include "fitting.hpp"
#include "logodds/logodds.hpp"
#include "output_file.hpp"
#include "reading.hpp"

namespace logodds::app {

namespace {

/// What only one of the two uses takes.
constexpr std::array<std::string_view, 7> kOfFitting = {
    "whiten", "standardize", "ridge", "columns", "weights", "kinds", "missing"};
constexpr std::array<std::string_view, 2> kOfProjecting = {"axes", "reconstruct"};

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::usage, sentence); }

void check_fitting(const Arguments& arguments, const DescriptiveRecord& record) {
  if (arguments.positionals().size() > 1) {
    refuse(
        fmt::format("--method finds axes in one file, and '{}' is a second; leave --method out "
                    "to write coordinates on the axes of a model",
                    arguments.positional(1)));
  }
  for (const std::string_view flag : kOfProjecting) {
    if (arguments.has(flag)) {
      refuse(
          fmt::format("--{} is about coordinates on the axes of a model, and --method finds "
                      "axes; {}",
                      flag,
                      flag == "axes" ? "give --components"
                                     : "save them with -o MODEL, then 'logodds project MODEL "
                                       "DATA --reconstruct'"));
    }
  }
  if (record.labelled && !arguments.has("target")) {
    refuse(
        "--method canonical finds the axes that separate classes best; name the column of the "
        "classes with --target");
  }
}

void find_axes(const Arguments& arguments) {
  const DescriptiveRecord& record = *find_descriptive(arguments.text("method"));
  check_fitting(arguments, record);
  const auto options = description_options(arguments, record, "--method");
  if (arguments.has("output")) {
    check_model_output(project_command(), arguments);
    refuse_same_file(arguments.text("output"), arguments.positional(0));
  }
  const Stopwatch watch;
  ProgressBar bar(!arguments.has("quiet"));
  const auto source = open_csv(arguments.positional(0), csv_options(arguments));
  DescriptiveFit fit = describe(*source, record.name, options, make_context(arguments, bar),
                                missing_rows(arguments));
  bar.erase();
  report_description(finish_description(std::move(fit), arguments, watch), arguments);
}

void run(const Arguments& arguments) {
  if (arguments.has("method")) { return find_axes(arguments); }
  if (arguments.positionals().size() < 2) {
    refuse(
        fmt::format("give --method pca or --method canonical to find axes in {0}, or a model "
                    "and then the data: logodds project MODEL {0}",
                    arguments.positional(0)));
  }
  for (const std::string_view flag : kOfFitting) {
    if (arguments.has(flag)) {
      refuse(
          fmt::format("option --{} goes with --method, which finds axes; leave it out, or give "
                      "--method and one file",
                      flag));
    }
  }
  write_coordinates(arguments);
}

}  // namespace

Command project_command() {
  return {
      .name = "project",
      .bit = kProject,
      .summary =
          "find principal or canonical axes, or write the coordinates of every row on those "
          "of a model",
      .usage = "DATA --method pca|canonical [-o MODEL] | MODEL DATA [-o OUT.csv]",
      .positionals = {{"MODEL",
                       "file of axes, or model with canonical axes such as gaussian; with --method "
                       "none"},
                      {"DATA", "CSV or TSV file, plain, .gz or .zst; - is standard input", false}},
      .example = "project penguins.csv --method pca --ignore year --target species -o axes.model",
      .run = run};
}

}  // namespace logodds::app
