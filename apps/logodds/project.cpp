// logodds project: coordinates of every row on the canonical axes of a model, as CSV.
#include <fmt/format.h>

#include <cmath>

#include "arguments.hpp"
#include "csv_writing.hpp"
#include "json.hpp"
#include "logodds/logodds.hpp"
#include "output.hpp"
#include "output_file.hpp"
#include "reading.hpp"
#include "scoring.hpp"

namespace logodds::app {

namespace {

/// The lines of the file, and how many of them lack something.
class ProjectedLines {
 public:
  ProjectedLines(const Schema& schema, std::string target, std::size_t axes)
      : target_(std::move(target)), axes_(axes) {
    for (const std::string& label : schema.labels) { labels_.push_back(csv_field(label)); }
  }

  [[nodiscard]] std::string header() const {
    std::string line = labelled() ? csv_field(target_) + "," : "";
    for (std::size_t axis = 1; axis <= axes_; ++axis) {
      line += fmt::format("{}axis{}", axis == 1 ? "" : ",", axis);
    }
    return line + "\n";
  }

  [[nodiscard]] std::string render(const RowBlock& block, std::span<const double> coordinates) {
    std::string text;
    for (std::size_t r = 0; r < block.rows; ++r) {
      if (labelled()) { add_label(block.labels[r], text); }
      add_coordinates(coordinates.subspan(r * axes_, axes_), text);
    }
    rows_ += block.rows;
    return text;
  }

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t incomplete() const { return incomplete_; }
  [[nodiscard]] std::size_t unlabelled() const { return unlabelled_; }

 private:
  [[nodiscard]] bool labelled() const { return !target_.empty(); }

  void add_label(std::int32_t label, std::string& text) {
    if (label == kMissingCode) {
      ++unlabelled_;
    } else {
      text += labels_[static_cast<std::size_t>(label)];
    }
    text += ',';
  }

  void add_coordinates(std::span<const double> coordinates, std::string& text) {
    const bool lacking = std::isnan(coordinates.front());
    incomplete_ += lacking ? 1U : 0U;
    // A line with nothing in it would be skipped by most readers of CSV.
    if (lacking && axes_ == 1 && !labelled()) { text += "\"\""; }
    for (std::size_t axis = 0; axis < axes_; ++axis) {
      if (axis > 0) { text += ','; }
      append_number(text, coordinates[axis]);
    }
    text += '\n';
  }

  std::string target_;  ///< empty: the rows carry no labels
  std::size_t axes_;
  std::vector<std::string> labels_;
  std::size_t rows_ = 0;
  std::size_t incomplete_ = 0;
  std::size_t unlabelled_ = 0;
};

std::size_t chosen_axes(const Arguments& arguments, const Classifier& model) {
  const std::size_t most = require_geometry(model, "'logodds project'").axis_count();
  if (most == 0) {
    throw Error(ErrorCode::usage,
                fmt::format("{} has no canonical axis, because its classes have one mean; train on "
                            "rows of two classes or more",
                            arguments.positional(0)));
  }
  if (!arguments.has("axes")) { return most; }
  const auto wanted = static_cast<std::size_t>(arguments.integer("axes"));
  if (wanted > most) {
    throw Error(ErrorCode::usage,
                fmt::format("option --axes: the model has {}, so {} is too many; "
                            "take at most {}",
                            counted(most, "canonical axis", "canonical axes"), wanted, most));
  }
  return wanted;
}

std::vector<std::string> notes_of(const BlockSource& source, const ProjectedLines& lines) {
  std::vector<std::string> notes = source.notes();
  if (lines.incomplete() > 0) {
    notes.push_back(counted(lines.incomplete(), "row lacks a value: its cells are empty",
                            "rows lack a value: their cells are empty"));
  }
  if (lines.unlabelled() > 0) {
    notes.push_back(counted(lines.unlabelled(), "row has", "rows have") +
                    " no label that the model knows: the cell is empty");
  }
  return notes;
}

struct Projection {
  std::string family;
  std::size_t rows = 0;
  std::size_t incomplete = 0;
  std::size_t axes = 0;
  double seconds = 0.0;
  std::vector<std::string> notes{};
};

Projection project_rows(const Arguments& arguments, const std::string& output) {
  const Stopwatch watch;
  ProgressBar bar(!arguments.has("quiet") && output != "-");
  const auto model = load_model(arguments);
  const std::size_t axes = chosen_axes(arguments, *model);
  const auto source =
      open_csv_labels_if_there(arguments.positional(1), csv_options(arguments), model->schema());
  ProjectedLines lines(model->schema(), source->target(), axes);
  OutputFile file(output);
  file.write(lines.header());
  project(
      *model, *source, axes,
      [&](const RowBlock& block, std::span<const double> coordinates) {
        file.write(lines.render(block, coordinates));
      },
      make_context(arguments, bar));
  file.finish();
  return {.family = model->family(),
          .rows = lines.rows(),
          .incomplete = lines.incomplete(),
          .axes = axes,
          .seconds = watch.seconds(),
          .notes = notes_of(*source, lines)};
}

std::string text_as_json(const Projection& projection, const std::string& output) {
  return json_text({{"model", projection.family},
                    {"rows", projection.rows},
                    {"rows_incomplete", projection.incomplete},
                    {"axes", projection.axes},
                    {"seconds", projection.seconds},
                    {"output", output},
                    {"notes", projection.notes}});
}

std::string text_for_people(const Projection& projection, const std::string& output) {
  FactTable facts;
  facts.add("model", projection.family);
  facts.add("rows", grouped(projection.rows));
  facts.add("axes", grouped(projection.axes));
  facts.add("seconds", fmt::format("{:.3f}", projection.seconds));
  facts.add("output", output);
  return facts.text();
}

void run(const Arguments& arguments) {
  const std::string output = table_output(arguments, "the coordinates");
  const Projection projection = project_rows(arguments, output);
  if (arguments.has("json") || (output != "-" && !arguments.has("quiet"))) {
    print_summary(arguments.has("json") ? text_as_json(projection, output)
                                        : text_for_people(projection, output),
                  "the coordinates were written to " + output);
  }
  print_notes(projection.notes, arguments.has("quiet"));
}

}  // namespace

Command project_command() {
  return {
      .name = "project",
      .bit = kProject,
      .summary = "write the coordinates of every row on the axes that separate the classes best",
      .usage = "MODEL DATA [--axes M] [-o OUT.csv]",
      .positionals = {{"MODEL", "model file with canonical axes, such as gaussian"},
                      {"DATA", "CSV or TSV file, plain, .gz or .zst; - is standard input"}},
      .example = "project penguins.model penguins.csv --axes 2 -o plane.csv",
      .run = run};
}

}  // namespace logodds::app
