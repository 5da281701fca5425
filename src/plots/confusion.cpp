// The confusion matrix: shares of each true class by decision, with their intervals.
#include <algorithm>

#include "logodds/error.hpp"
#include "plots/measuring.hpp"
#include "plots/plot_options.hpp"

namespace logodds::plots {

namespace {

using draw::Align;
using draw::Baseline;
using draw::Path;
using draw::Rect;
using draw::Text;

constexpr std::size_t kMostClasses = 60;
constexpr std::size_t kMostWithNumbers = 12;
constexpr draw::Color kRight{0x00, 0x72, 0xB2};
constexpr draw::Color kWrong{0xD5, 0x5E, 0x00};

struct CellText {
  std::string share;
  std::string interval{};
  std::string tip;
};

struct Matrix {
  const measure::Measures& measures;
  const std::vector<std::string>& labels;
  double level = 0.95;

  [[nodiscard]] double count(std::size_t truth, std::size_t decision) const {
    return measures.confusion()[truth * labels.size() + decision];
  }
  [[nodiscard]] double total(std::size_t truth) const {
    double sum = 0.0;
    for (std::size_t d = 0; d < labels.size(); ++d) { sum += count(truth, d); }
    return sum;
  }
  [[nodiscard]] CellText text(std::size_t truth, std::size_t decision) const {
    const auto rate = measure::confusion_rate(measures, truth, decision, level);
    const std::string count_text = draw::short_text(count(truth, decision), 6);
    const std::string interval = draw::percent(rate.lower) + " to " + draw::percent(rate.upper);
    return {draw::percent(rate.value), interval,
            labels[truth] + " decided as " + labels[decision] + ": " + count_text + " of " +
                draw::short_text(total(truth), 6) + ", " + draw::percent(rate.value) + " (" +
                interval + ")"};
  }
};

void draw_cell(draw::Layer& layer, const Matrix& matrix, const Rect& cell, std::size_t truth,
               std::size_t decision) {
  const double total = matrix.total(truth);
  const double share = total > 0.0 ? matrix.count(truth, decision) / total : 0.0;
  const draw::Color color = draw::tint(truth == decision ? kRight : kWrong, 0.9 * share);
  const CellText text =
      total > 0.0 ? matrix.text(truth, decision) : CellText{.share = "no rows", .tip = "no rows"};
  layer.marks.emplace_back(Path{.lines = {{{cell.x, cell.y},
                                           {cell.right(), cell.y},
                                           {cell.right(), cell.bottom()},
                                           {cell.x, cell.bottom()}}},
                                .closed = true,
                                .fill = draw::Fill{.paint = color},
                                .stroke = draw::Stroke{.paint = draw::Role::paper, .width = 2.0},
                                .tip = text.tip});
  const double size = std::clamp(cell.width / 7.0, 8.0, 15.0);
  if (matrix.labels.size() > kMostWithNumbers || cell.height < size) { return; }
  const draw::Color ink = draw::readable_on(color);
  const auto write = [&](const std::string& words, double shift, double scale) {
    if (draw::text_width(words, scale * size) > cell.width) { return; }
    layer.marks.emplace_back(Text{.at = {cell.middle(), cell.y + cell.height / 2.0 + shift * size},
                                  .text = words,
                                  .size = scale * size,
                                  .align = Align::middle,
                                  .baseline = Baseline::middle,
                                  .bold = scale >= 1.0,
                                  .paint = ink});
  };
  const bool roomy = cell.height > 4.5 * size && cell.width > 80.0;
  write(total > 0.0 ? draw::short_text(matrix.count(truth, decision), 6) : text.share,
        roomy ? -0.9 : 0.0, 1.0);
  if (!roomy || total <= 0.0) { return; }
  write(text.share, 0.3, 0.85);
  write(text.interval, 1.4, 0.7);
}

/// Where the cells are, and what is left for names.
struct MatrixPlaces {
  MatrixPlaces(const Matrix& matrix, const Rect& room) {
    double widest = 0.0;
    for (const std::string& label : matrix.labels) {
      widest = std::max(widest, draw::text_width(label));
    }
    const double left = std::min(widest, room.width / 3.0) + 34.0;
    const double top = std::min(40.0, room.height / 3.0);
    cells = {room.x + left, room.y + top, std::max(1.0, room.width - left), room.height - top};
    width = cells.width / static_cast<double>(matrix.labels.size());
    height = cells.height / static_cast<double>(matrix.labels.size());
  }
  [[nodiscard]] Rect cell(std::size_t truth, std::size_t decision) const {
    return {cells.x + static_cast<double>(decision) * width,
            cells.y + static_cast<double>(truth) * height, width, height};
  }

  Rect cells{};
  double width = 0.0;
  double height = 0.0;
};

void write_axes(draw::Layer& layer, const MatrixPlaces& places, const Rect& room) {
  constexpr double kRoomy = 32.0;  // above the cells: a row for this, a row for the names
  if (places.cells.y - room.y > kRoomy) {
    layer.marks.emplace_back(Text{.at = {places.cells.middle(), room.y + 2.0},
                                  .text = "decision",
                                  .align = Align::middle,
                                  .baseline = Baseline::hanging,
                                  .paint = draw::Role::muted});
  }
  layer.marks.emplace_back(Text{.at = {room.x + 10.0, places.cells.y + places.cells.height / 2.0},
                                .text = "truth",
                                .align = Align::middle,
                                .turn = -90.0,
                                .paint = draw::Role::muted});
}

/// Beside its row and above its column, cut to their size; of many classes only what fits.
void write_names(draw::Layer& layer, const Matrix& matrix, const MatrixPlaces& places,
                 const Rect& room, std::size_t k) {
  constexpr double kLeast = 4.0;  // a size that can be read
  constexpr double kAxis = 22.0;  // to the left: "truth"
  const std::string& label = matrix.labels[k];
  const double size = std::clamp(places.height - 1.0, kLeast, draw::kTextSize);
  const Rect cell = places.cell(k, k);
  const bool fits = draw::text_width(label, size) <= places.width - 4.0;
  if (fits || matrix.labels.size() <= kMostWithNumbers) {
    layer.marks.emplace_back(Text{.at = {cell.middle(), places.cells.y - 8.0},
                                  .text = draw::cut_to(label, places.width - 4.0, size),
                                  .size = size,
                                  .align = Align::middle});
  }
  if (places.height < kLeast) { return; }
  const double end = places.cells.x - 8.0;
  layer.marks.emplace_back(Text{.at = {end, cell.y + cell.height / 2.0},
                                .text = draw::cut_to(label, end - room.x - kAxis, size),
                                .size = size,
                                .align = Align::end,
                                .baseline = Baseline::middle});
}

void draw_matrix(draw::Drawing& drawing, const Matrix& matrix, const Rect& room) {
  const std::size_t classes = matrix.labels.size();
  const MatrixPlaces places(matrix, room);
  draw::Layer& layer = drawing.layer("matrix");
  write_axes(layer, places, room);
  for (std::size_t k = 0; k < classes; ++k) {
    write_names(layer, matrix, places, room, k);
    for (std::size_t d = 0; d < classes; ++d) { draw_cell(layer, matrix, places.cell(k, d), k, d); }
  }
}

Plot draw_confusion(const PlotInput& input, const Options& options, const PageWish& page,
                    const Context& context) {
  const Classifier& model = classifier_of(input, "confusion");
  if (model.labels().size() > kMostClasses) {
    throw Error(ErrorCode::usage, "plot confusion draws up to " + std::to_string(kMostClasses) +
                                      " classes, and the model has " +
                                      std::to_string(model.labels().size()) +
                                      "; 'logodds evaluate --json' has the whole matrix");
  }
  const auto known = evaluate_rows(input, model, context, {});
  const Evaluation& evaluation = *known;
  const double level = options.real("level");
  const measure::Report report = measure::report(evaluation.measures, {.level = level}, context);
  Plot plot{.drawing = new_drawing(page, 620.0, 560.0), .notes = {}, .arrays = {}};
  add_row_notes(plot.notes, evaluation.report);
  std::vector<std::string> foot{"Color: share of the true class. Intervals: " +
                                draw::percent(level, 0) + ", exact (Clopper & Pearson)."};
  foot.insert(foot.end(), plot.notes.begin(), plot.notes.end());
  const std::string rows = grouped(evaluation.measures.rows());
  const Rect room =
      lay_out(plot.drawing,
              {.title = title_or(page, "Truth and decision, " + model_title(model)),
               .subtitle = rows + " rows, error rate " + draw::percent(report.error_rate.value) +
                           " (" + draw::percent(report.error_rate.lower) + " to " +
                           draw::percent(report.error_rate.upper) + ")",
               .notes = foot});
  draw_matrix(plot.drawing, {evaluation.measures, model.labels(), level}, room);
  const std::size_t classes = model.labels().size();
  plot.arrays.push_back({"confusion", {classes, classes}, evaluation.measures.confusion()});
  return plot;
}

}  // namespace

PlotRecord confusion_plot() {
  return {.name = "confusion",
          .summary = "decisions against the truth: counts and shares with their intervals",
          .needs = Needs::labels,
          .options = {level_option()},
          .example = "confusion penguins.model held_out.csv -o confusion.svg",
          .draw = draw_confusion};
}

}  // namespace logodds::plots
