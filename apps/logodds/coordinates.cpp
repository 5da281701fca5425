#include "coordinates.hpp"

#include <fmt/format.h>

#include <cmath>

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
  ProjectedLines(const Schema& schema, std::string target, std::vector<std::string> columns)
      : target_(std::move(target)), columns_(std::move(columns)) {
    for (const std::string& label : schema.labels) { labels_.push_back(csv_field(label)); }
  }

  [[nodiscard]] std::string header() const {
    std::string line = labelled() ? csv_field(target_) + "," : "";
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      line += (c == 0 ? "" : ",") + csv_field(columns_[c]);
    }
    return line + "\n";
  }

  [[nodiscard]] std::string render(const RowBlock& block, std::span<const double> values) {
    const std::size_t width = columns_.size();
    std::string text;
    for (std::size_t r = 0; r < block.rows; ++r) {
      if (labelled()) { add_label(block.labels[r], text); }
      add_values(values.subspan(r * width, width), text);
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

  void add_values(std::span<const double> values, std::string& text) {
    const bool lacking = std::isnan(values.front());
    incomplete_ += lacking ? 1U : 0U;
    // A line with nothing in it would be skipped by most readers of CSV.
    if (lacking && values.size() == 1 && !labelled()) { text += "\"\""; }
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) { text += ','; }
      append_number(text, values[i]);
    }
    text += '\n';
  }

  std::string target_;  ///< empty: the rows carry no labels
  std::vector<std::string> columns_;
  std::vector<std::string> labels_;
  std::size_t rows_ = 0;
  std::size_t incomplete_ = 0;
  std::size_t unlabelled_ = 0;
};

/// Where the axes are: those of a file of axes, or the canonical ones of a classifier.
const Axes& axes_of(const Arguments& arguments, const Model& model) {
  if (const auto* const description = dynamic_cast<const DescriptiveModel*>(&model)) {
    if (description->axes() != nullptr) { return *description->axes(); }
    const DescriptiveRecord* const record = find_descriptive(model.family());
    throw Error(ErrorCode::usage, fmt::format("{} holds {} and no axes; {}",
                                              arguments.positional(0), record->holds, record->use));
  }
  const Geometry& geometry =
      require_geometry(dynamic_cast<const Classifier&>(model), "'logodds project'");
  if (geometry.axis_count() == 0) {
    throw Error(ErrorCode::usage,
                fmt::format("{} has no canonical axis, because its classes have one mean; train on "
                            "rows of two classes or more",
                            arguments.positional(0)));
  }
  return geometry;
}

/// --components and --axes are two words for the same.
std::size_t chosen_axes(const Arguments& arguments, const Axes& axes, const std::string& family) {
  const std::size_t most = axes.axis_count();
  if (arguments.has("axes") && arguments.has("components")) {
    throw Error(ErrorCode::usage, "--axes and --components say the same; give one of them");
  }
  const std::string flag = arguments.has("components") ? "components" : "axes";
  if (!arguments.has(flag)) { return most; }
  const OptionSpec number{
      .name = flag, .type = OptionType::integer, .default_value = "1", .help = "", .minimum = 1.0};
  const auto wanted =
      static_cast<std::size_t>(Options({number}, {{flag, arguments.text(flag)}}).integer(flag));
  if (wanted > most) {
    const std::string kind = family == "pca" ? "principal" : "canonical";
    throw Error(ErrorCode::usage,
                fmt::format("option --{}: the model has {}, so {} is too many; take at most {}",
                            flag, counted(most, kind + " axis", kind + " axes"), wanted, most));
  }
  return wanted;
}

const FittedAxes& rebuilding(const Arguments& arguments, const Axes& axes) {
  const auto* const fitted = dynamic_cast<const FittedAxes*>(&axes);
  if (fitted != nullptr) { return *fitted; }
  throw Error(ErrorCode::usage,
              fmt::format("--reconstruct needs a file of axes, and {} holds a classifier; make one "
                          "with 'logodds project DATA --method canonical'",
                          arguments.positional(0)));
}

/// None of them is the name of the column beside them.
std::vector<std::string> axis_names(std::size_t count, const std::string& target) {
  std::vector<std::string> names;
  for (std::size_t axis = 1; axis <= count; ++axis) {
    names.push_back(unlike(fmt::format("axis{}", axis), {&target, 1}));
  }
  return names;
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
  const auto model = load_any_model(arguments);
  const Axes& axes = axes_of(arguments, *model);
  const std::size_t count = chosen_axes(arguments, axes, model->family());
  const FittedAxes* const rebuilt =
      arguments.has("reconstruct") ? &rebuilding(arguments, axes) : nullptr;
  const auto source =
      open_csv_labels_if_there(arguments.positional(1), csv_options(arguments), model->schema());
  ProjectedLines lines(
      model->schema(), source->target(),
      rebuilt != nullptr ? rebuilt->column_names() : axis_names(count, source->target()));
  OutputFile file(output);
  file.write(lines.header());
  const RowsSink sink = [&](const RowBlock& block, std::span<const double> values) {
    file.write(lines.render(block, values));
  };
  const Context context = make_context(arguments, bar);
  if (rebuilt != nullptr) {
    reconstruct(*rebuilt, *source, count, sink, context);
  } else {
    project(axes, *source, count, sink, context);
  }
  file.finish();
  return {.family = model->family(),
          .rows = lines.rows(),
          .incomplete = lines.incomplete(),
          .axes = count,
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

}  // namespace

void write_coordinates(const Arguments& arguments) {
  const std::string what = arguments.has("reconstruct") ? "the rows" : "the coordinates";
  const std::string output = table_output(arguments, what);
  const Projection projection = project_rows(arguments, output);
  if (arguments.has("json") || (output != "-" && !arguments.has("quiet"))) {
    print_summary(arguments.has("json") ? text_as_json(projection, output)
                                        : text_for_people(projection, output),
                  fmt::format("{} were written to {}", what, output));
  }
  print_notes(projection.notes, arguments.has("quiet"));
}

}  // namespace logodds::app
