#include "plots/plane.hpp"

#include <algorithm>
#include <cmath>

#include "logodds/error.hpp"
#include "plots/plane_columns.hpp"
#include "plots/plot_options.hpp"

namespace logodds::plots {

namespace {

constexpr std::size_t kDrawnRows = 4000;     // from a model, for want of others
constexpr std::size_t kMostColumns = 20000;  // of numbers: every pixel is a row of them

/// Rows that the model draws itself.
PlotRows drawn_rows(const Generative& model, const Schema& schema, std::uint64_t seed) {
  RowBuffer buffer;
  model.sample(seed, 0, kDrawnRows, buffer);
  PlotRows rows;
  rows.rows = kDrawnRows;
  rows.truths = buffer.labels;
  rows.codes = buffer.codes;
  const std::size_t numeric = schema.numeric_count();
  for (std::size_t r = 0; r < kDrawnRows; ++r) {
    const double* const first = buffer.numeric_data + r * buffer.numeric_stride;
    rows.numbers.insert(rows.numbers.end(), first, first + numeric);
  }
  return rows;
}

void set_classes(PlaneRows& rows) {
  rows.truths = !rows.rows.truths.empty() &&
                std::ranges::none_of(rows.rows.truths, [](auto k) { return k < 0; });
  rows.classes = rows.truths ? rows.rows.truths : rows.rows.decisions;
}

/// The range of the coordinates; a plane without rows has none.
void set_ranges(Plane& plane, const PlaneRows& rows) {
  std::vector<double> x;
  std::vector<double> y;
  for (const draw::Point point : projected(plane, rows)) {
    x.push_back(point.x);
    y.push_back(point.y);
  }
  plane.x = draw::range_of(x);
  if (!plane.line) { plane.y = draw::range_of(y); }
}

Plane pair_plane(const Schema& schema, const PlaneRows& rows, const Options& options) {
  Plane plane;
  const std::vector<std::string> names = number_names(schema);
  plane.line = names.size() == 1;
  const auto [x, y] =
      plane.line ? std::pair<std::size_t, std::size_t>{0, 0} : chosen_pair(schema, rows, options);
  const Standing standing = standing_values(schema, rows, options.text("at"));
  plane.origin = standing.numbers;
  plane.codes = standing.codes;
  plane.origin[x] = 0.0;
  plane.origin[y] = 0.0;
  plane.x_step.assign(names.size(), 0.0);
  plane.x_step[x] = 1.0;
  plane.x_weights = plane.x_step;
  plane.x_name = names[x];
  std::vector<bool> free(names.size(), false);
  free[x] = free[y] = true;
  if (!plane.line) {
    plane.y_step.assign(names.size(), 0.0);
    plane.y_step[y] = 1.0;
    plane.y_weights = plane.y_step;
    plane.y_name = names[y];
  }
  plane.others = standing_text(schema, standing, free);
  return plane;
}

/// The columns of numbers with their classes, for describe().
std::unique_ptr<BlockSource> numbers_of(const Schema& schema, const PlaneRows& rows,
                                        std::vector<std::int64_t>& labels) {
  labels.assign(rows.classes.begin(), rows.classes.end());
  return open_matrix(
      {.features = row_major(rows.rows.numbers.data(), rows.rows.rows, schema.numeric_count()),
       .names = number_names(schema),
       .target = "class",
       .labels = labels.data(),
       .label_names = schema.labels,
       .allow_missing = true});
}

Plane axes_plane(const Schema& schema, const PlaneRows& rows, const Options& options,
                 const Context& context) {
  const std::string& kind = options.choice("axes");
  if (!options.text("x").empty() || !options.text("y").empty()) {
    throw Error(ErrorCode::usage, "options --x and --y name columns, --axes " + kind +
                                      " takes all of them; give one or the other");
  }
  std::vector<std::int64_t> labels;
  const auto source = numbers_of(schema, rows, labels);
  const DescriptiveFit fit = describe(*source, kind, {}, context);
  const FittedAxes& axes = *fit.model->axes();
  if (axes.axis_count() < 2) {
    throw Error(ErrorCode::usage,
                "option --axes " + kind + ": there is but one axis" +
                    (kind == "canonical" ? " between two classes; take --axes pca, or --x and --y"
                                         : "; take --x and --y"));
  }
  const AxisSystem& system = axes.system();
  const std::size_t d = system.center.size();
  const std::size_t m = axes.axis_count();
  Plane plane;
  plane.origin = system.center;
  plane.x_step.assign(system.back.begin(), system.back.begin() + static_cast<std::ptrdiff_t>(d));
  plane.y_step.assign(system.back.begin() + static_cast<std::ptrdiff_t>(d),
                      system.back.begin() + static_cast<std::ptrdiff_t>(2 * d));
  for (std::size_t i = 0; i < d; ++i) {
    plane.x_weights.push_back(system.directions[i * m]);
    plane.y_weights.push_back(system.directions[i * m + 1]);
  }
  plane.x_name = kind == "pca" ? "first principal axis" : "first canonical axis";
  plane.y_name = kind == "pca" ? "second principal axis" : "second canonical axis";
  const Standing standing = standing_values(schema, rows, options.text("at"));
  plane.codes = standing.codes;
  plane.others = standing_text(schema, standing, std::vector<bool>(d, true));
  return plane;
}

double coordinate(const std::vector<double>& weights, const std::vector<double>& origin,
                  const double* numbers) {
  double sum = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] != 0.0) { sum += weights[i] * (numbers[i] - origin[i]); }
  }
  return sum;
}

}  // namespace

draw::Point Plane::project(const double* numbers) const {
  return {coordinate(x_weights, origin, numbers),
          line ? 0.0 : coordinate(y_weights, origin, numbers)};
}

void check_columns(const Schema& schema, std::string_view kind) {
  if (schema.numeric_count() > kMostColumns) {
    throw Error(ErrorCode::usage,
                "plot " + std::string(kind) + " draws two of up to " + grouped(kMostColumns) +
                    " columns of numbers, and this model has " + grouped(schema.numeric_count()) +
                    "; take plot evidence for one row, or plot confusion");
  }
  if (schema.numeric_count() > 0) { return; }
  const bool text = schema.text_count() > 0;
  throw Error(ErrorCode::usage, "plot " + std::string(kind) +
                                    " draws columns of numbers, and this model has none; take " +
                                    (text ? "plot words, or plot evidence" : "plot evidence") +
                                    " for one row");
}

PlaneRows plane_rows(const PlotInput& input, const Classifier& model, std::string_view kind,
                     const Context& context) {
  check_columns(model.schema(), kind);
  PlaneRows rows;
  rows.given = static_cast<bool>(input.open_rows);
  if (rows.given) {
    rows.rows = read_scored(input, model, false, context);
  } else if (const Generative* const generative = model.generative()) {
    rows.rows = drawn_rows(*generative, model.schema(), context.seed);
  } else {
    throw Error(ErrorCode::usage, "a model of family " + model.family() +
                                      " does not tell where its rows lie; give a file of rows "
                                      "after it: logodds plot " +
                                      std::string(kind) + " MODEL DATA");
  }
  if (rows.rows.rows == 0) {
    throw Error(ErrorCode::input,
                "plot " + std::string(kind) + ": there is no row that the model can decide");
  }
  set_classes(rows);
  return rows;
}

std::vector<OptionSpec> plane_options() {
  return {x_option(),
          {.name = "y",
           .type = OptionType::text,
           .default_value = "",
           .help = "column of numbers upward",
           .form = "COLUMN"},
          {.name = "at",
           .type = OptionType::text,
           .default_value = "",
           .help = "where the other columns stand (default: their means, or most frequent levels)",
           .form = "COLUMN=VALUE,..."},
          {.name = "axes",
           .type = OptionType::choice,
           .default_value = "columns",
           .help = "what the picture is laid along: two columns, or the first two canonical or "
                   "principal axes of the rows",
           .choices = {"columns", "canonical", "pca"}}};
}

Plane make_plane(const Classifier& model, const PlaneRows& rows, const Options& options,
                 const Context& context) {
  const bool columns = options.choice("axes") == "columns" || model.schema().numeric_count() == 1;
  Plane plane = columns ? pair_plane(model.schema(), rows, options)
                        : axes_plane(model.schema(), rows, options, context);
  set_ranges(plane, rows);
  return plane;
}

std::vector<draw::Point> projected(const Plane& plane, const PlaneRows& rows) {
  const std::size_t numeric = plane.origin.size();
  std::vector<draw::Point> points;
  points.reserve(rows.rows.rows);
  for (std::size_t r = 0; r < rows.rows.rows; ++r) {
    points.push_back(plane.project(rows.rows.numbers.data() + r * numeric));
  }
  return points;
}

}  // namespace logodds::plots
