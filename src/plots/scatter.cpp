// The pairs matrix: every two columns against each other, by class, densities on the diagonal.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "plots/chosen_columns.hpp"
#include "plots/class_marks.hpp"
#include "plots/class_rows.hpp"
#include "plots/density_panel.hpp"
#include "plots/plot_options.hpp"
#include "plots/separation.hpp"

namespace logodds::plots {

namespace {

using draw::Align;
using draw::Panel;
using draw::Rect;
using draw::Text;

constexpr std::size_t kMostColumns = 6;
constexpr std::size_t kMostListed = 12;  // of those that the user names
constexpr double kGap = 7.0;
constexpr double kLeft = 66.0;   // titles and numbers of the rows
constexpr double kBelow = 40.0;  // of the columns

struct PairsData {
  std::vector<std::string> names{};           ///< of the columns that are drawn
  std::vector<std::vector<double>> values{};  ///< one a column; NaN: missing
  std::vector<draw::Range> ranges{};
  RowClasses classes;
  std::size_t every = 1;  ///< of so many rows one is drawn as a point
  [[nodiscard]] std::size_t columns() const { return names.size(); }
  /// Of horizontal axes, whose numbers stand beside each other.
  [[nodiscard]] std::size_t ticks() const { return columns() > 4 ? 2 : 4; }
  [[nodiscard]] std::span<const std::int32_t> row_classes() const {
    return classes.any() ? std::span<const std::int32_t>(classes.of_row)
                         : std::span<const std::int32_t>();
  }
};

/// The columns that separate the classes best, in the order of the data.
std::vector<std::size_t> best_columns(const PlotInput& input, const RowClasses& classes,
                                      std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (count <= kMostColumns) { return order; }
  if (classes.any()) {
    ColumnSeparation separation(count, classes.names.size());
    std::size_t first = 0;
    visit_rows(input, [&](const RowBlock& block) {
      separation.add(block, std::span(classes.of_row).subspan(first, block.rows));
      first += block.rows;
    });
    const std::vector<double> ratios = separation.ratios();
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t c) { return ratios[c]; });
  }
  order.resize(kMostColumns);
  std::ranges::sort(order);
  return order;
}

std::vector<std::size_t> chosen_columns(const PlotInput& input, const Options& options,
                                        const std::vector<std::string>& names,
                                        const RowClasses& classes) {
  if (options.text("columns").empty()) { return best_columns(input, classes, names.size()); }
  auto listed = listed_columns(options.text("columns"), names, "columns of numbers");
  if (listed.size() > kMostListed) {
    throw Error(ErrorCode::usage, "option --columns: plot scatter draws up to " +
                                      std::to_string(kMostListed) + " columns, not " +
                                      std::to_string(listed.size()));
  }
  return listed;
}

std::vector<std::vector<double>> read_columns(const PlotInput& input,
                                              const std::vector<std::size_t>& columns) {
  std::vector<std::vector<double>> values(columns.size());
  visit_rows(input, [&](const RowBlock& block) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      for (std::size_t r = 0; r < block.rows; ++r) {
        values[c].push_back(block.numeric[r * block.numeric_stride + columns[c]]);
      }
    }
  });
  return values;
}

PairsData read_pairs(const PlotInput& input, const Options& options, const Context& context,
                     std::vector<std::string>& notes) {
  const Schema& schema = input.model->schema();
  const std::vector<std::string> names = number_columns(schema);
  if (names.empty()) {
    throw Error(ErrorCode::usage,
                std::string("plot scatter draws columns of numbers, and the model has none; take "
                            "plot ") +
                    (schema.text_count() > 0 ? "words" : "evidence or confusion"));
  }
  PairsData data{.classes = classes_of_rows(input, context)};
  const auto columns = chosen_columns(input, options, names, data.classes);
  data.values = read_columns(input, columns);
  std::vector<std::string> left_out;
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (std::ranges::find(columns, c) == columns.end()) { left_out.push_back(names[c]); }
  }
  for (const Column& column : schema.columns) {
    if (!column.number()) { left_out.push_back(column.name); }
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    data.names.push_back(names[columns[c]]);
    data.ranges.push_back(draw::range_of(data.values[c], 0.1));
  }
  if (!left_out.empty()) { notes.push_back("columns left out: " + some_names(left_out, 6)); }
  add_class_notes(notes, data.classes);
  return data;
}

void note_missing(const PairsData& data, std::vector<std::string>& notes) {
  std::size_t lacking = 0;
  for (std::size_t r = 0; r < data.classes.of_row.size(); ++r) {
    const bool lacks = std::ranges::any_of(
        data.values, [r](const std::vector<double>& column) { return !std::isfinite(column[r]); });
    lacking += lacks ? 1U : 0U;
  }
  if (lacking == 0) { return; }
  notes.push_back(grouped(lacking) + (lacking == 1 ? " row lacks" : " rows lack") +
                  " a value and " + (lacking == 1 ? "is" : "are") +
                  " drawn only where both are there");
}

/// The cells of a lower triangle, from the top.
class Grid {
 public:
  Grid(const Rect& room, std::size_t count)
      : room_(room),
        width_((room.width - kLeft) / static_cast<double>(count)),
        height_((room.height - kBelow) / static_cast<double>(count)) {}
  [[nodiscard]] Rect cell(std::size_t row, std::size_t column) const {
    return {room_.x + kLeft + width_ * static_cast<double>(column) + kGap / 2.0,
            room_.y + height_ * static_cast<double>(row) + kGap / 2.0, width_ - kGap,
            height_ - kGap};
  }
  /// Above the diagonal, for the names of the classes.
  [[nodiscard]] Rect corner() const {
    return {room_.x + kLeft + width_ + 16.0, room_.y + 4.0, room_.width - kLeft - width_ - 20.0,
            height_ - 8.0};
  }
  [[nodiscard]] const Rect& room() const { return room_; }

 private:
  Rect room_;
  double width_;
  double height_;
};

void draw_titles(draw::Drawing& drawing, const Grid& grid, const PairsData& data) {
  draw::Layer& layer = drawing.layer("titles");
  const std::size_t last = data.columns() - 1;
  for (std::size_t c = 0; c < data.columns(); ++c) {
    const Rect below = grid.cell(last, c);
    layer.marks.emplace_back(Text{.at = {below.middle(), grid.room().bottom() - 4.0},
                                  .text = cut(data.names[c], below.width),
                                  .align = Align::middle});
    const Rect left = grid.cell(c, 0);
    layer.marks.emplace_back(
        Text{.at = {grid.room().x + 11.0, left.y + left.height / 2.0},
             .text = c == 0 ? std::string("density") : cut(data.names[c], left.height),
             .align = Align::middle,
             .turn = -90.0});
  }
}

void draw_pair(draw::Drawing& drawing, const Grid& grid, const PairsData& data, std::size_t row,
               std::size_t column) {
  const bool bottom = row + 1 == data.columns();
  const Panel panel = Panel::filling(grid.cell(row, column), data.ranges[column], data.ranges[row],
                                     {.ticks = data.ticks(), .labels = bottom},
                                     {.ticks = 4, .labels = column == 0});
  std::vector<draw::Point> places;
  std::vector<std::int32_t> classes;
  for (std::size_t r = 0; r < data.classes.of_row.size(); r += data.every) {
    const double x = data.values[column][r];
    const double y = data.values[row][r];
    if (!std::isfinite(x) || !std::isfinite(y)) { continue; }
    places.push_back(panel.at(x, y));
    classes.push_back(data.classes.any() ? data.classes.of_row[r] : kNoClass);
  }
  constexpr double kCrowd = 600.0;
  const double size = std::clamp(
      5.0 * std::sqrt(kCrowd / std::max(kCrowd, static_cast<double>(places.size()))), 2.2, 5.0);
  draw_points(panel.layer(drawing, "points"), places, classes,
              data.columns() > 3 ? 0.8 * size : size);
  panel.draw_axes(drawing);
}

NamedArray draw_diagonal(draw::Drawing& drawing, const Grid& grid, const PairsData& data,
                         std::size_t c) {
  const auto densities = class_densities(data.values[c], data.row_classes(), data.ranges[c]);
  const Panel panel =
      Panel::filling(grid.cell(c, c), data.ranges[c], density_range(densities),
                     {.ticks = data.ticks(), .labels = c + 1 == data.columns()}, {.labels = false});
  draw_densities(panel.layer(drawing, "densities"), panel, densities);
  panel.draw_axes(drawing);
  return density_array("density " + data.names[c], densities);
}

/// The names of the classes, with their rows, as many as there is room for.
void draw_class_names(draw::Drawing& drawing, const Rect& room, const RowClasses& classes) {
  constexpr double kRow = 16.2;
  constexpr double kWidest = 190.0;
  if (!classes.any()) { return; }
  std::vector<std::size_t> counts(classes.names.size(), 0);
  for (const std::int32_t k : classes.of_row) {
    if (k >= 0) { ++counts[static_cast<std::size_t>(k)]; }
  }
  const double width = std::min(kWidest, room.width - 20.0);
  const double most =
      std::floor(room.height / kRow) * std::max(1.0, std::floor(room.width / (width + 30.0)));
  std::vector<std::size_t> present;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] > 0) { present.push_back(k); }
  }
  const auto text = [&](std::size_t k) {
    const std::string rows = " (" + grouped(counts[k]) + ")";
    return cut(classes.names[k], width - draw::text_width(rows)) + rows;
  };
  const auto all = static_cast<double>(present.size());
  const double shown = all <= most ? all : std::max(0.0, most - 1.0);  // the last says what is left
  static_cast<void>(
      draw_keys(drawing, class_keys(present, text, static_cast<std::size_t>(shown)), room));
}

std::vector<NamedArray> draw_pairs(draw::Drawing& drawing, const Rect& room,
                                   const PairsData& data) {
  const Grid grid(room, data.columns());
  std::vector<NamedArray> arrays;
  for (std::size_t row = 0; row < data.columns(); ++row) {
    for (std::size_t column = 0; column < row; ++column) {
      draw_pair(drawing, grid, data, row, column);
    }
    arrays.push_back(draw_diagonal(drawing, grid, data, row));
  }
  draw_titles(drawing, grid, data);
  draw_class_names(drawing, grid.corner(), data.classes);
  return arrays;
}

NamedArray rows_array(const PairsData& data) {
  const std::size_t rows = data.classes.of_row.size();
  NamedArray array{"rows", {rows, data.columns()}, {}};
  array.values.reserve(rows * data.columns());
  for (std::size_t r = 0; r < rows; ++r) {
    for (const auto& column : data.values) { array.values.push_back(column[r]); }
  }
  return array;
}

Plot draw_scatter(const PlotInput& input, const Options& options, const PageWish& page,
                  const Context& context) {
  constexpr std::size_t kMostSymbols = 24000;
  Plot plot{.drawing = {}, .notes = {}, .arrays = {}};
  PairsData data = read_pairs(input, options, context, plot.notes);
  const std::size_t rows = data.classes.of_row.size();
  const std::size_t pairs = data.columns() * (data.columns() - 1) / 2;
  data.every = thinning(rows, kMostSymbols / std::max<std::size_t>(pairs, 3));
  note_missing(data, plot.notes);
  if (data.every > 1) { plot.notes.push_back(thinning_note(rows, data.every)); }
  const double side =
      data.columns() == 1 ? 480.0 : 300.0 + 95.0 * static_cast<double>(data.columns());
  plot.drawing = new_drawing(page, std::max(620.0, side), side);
  std::vector<std::string> foot = plot.notes;
  foot.push_back("Densities: Gaussian kernels, Silverman's bandwidth, area 1 for each class" +
                 (data.classes.any() && data.classes.names.size() > kMostKeys
                      ? ", of the " + std::to_string(kMostKeys) + " with most rows."
                      : std::string(".")));
  const Rect room = lay_out(plot.drawing, {.title = title_or(page, "Columns by pairs"),
                                           .subtitle = grouped(rows) + " rows",
                                           .notes = foot});
  if (data.columns() == 1) {
    draw_strips(plot.drawing, room, data.values.front(), data.row_classes(), data.classes.names,
                data.names.front(), data.every);
    plot.arrays.push_back(density_array(
        "density " + data.names.front(),
        class_densities(data.values.front(), data.row_classes(), data.ranges.front())));
  } else {
    plot.arrays = draw_pairs(plot.drawing, room, data);
  }
  plot.arrays.push_back(rows_array(data));
  plot.arrays.push_back(
      {"classes", {rows}, {data.classes.of_row.begin(), data.classes.of_row.end()}});
  return plot;
}

}  // namespace

PlotRecord scatter_plot() {
  return {.name = "scatter",
          .summary = "columns of numbers against each other by class, densities on the diagonal",
          .needs = Needs::labels_optional,
          .options = {columns_option()},
          .example = "scatter penguins.model penguins.csv -o scatter.svg",
          .draw = draw_scatter};
}

}  // namespace logodds::plots
