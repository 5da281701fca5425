// The pictures of the report: those that suit the model, of the kinds that 'logodds plot' draws.
#include <algorithm>
#include <cmath>
#include <map>

#include "logodds/draw/panel.hpp"
#include "logodds/error.hpp"
#include "logodds/plots/plots.hpp"
#include "logodds/text/counts.hpp"
#include "report/sections.hpp"

namespace logodds::report {

namespace {

using Given = std::map<std::string, std::string>;

/// Three stand side by side on a desk, and on a phone their text is still large enough.
constexpr double kWidth = 460.0;
constexpr double kHeight = 500.0;
/// Classes, whose ellipses would cover each other; each takes three.
constexpr std::size_t kMostEllipses = 40;

struct Wanted {
  std::string kind;
  Given options{};
  double height = kHeight;  ///< 0: as the kind likes it
};

plots::PlotInput input_of(const Findings& found) {
  return {.model = found.input.model,
          .open_rows = [&found] { return found.survey.sample.open(); },
          .evaluation = found.survey.evaluation,
          .tables = {}};
}

/// A kind that does not fit the model or these rows says so by an error, which stands where the
/// picture would.
Figure drawn(const Findings& found, const Wanted& wanted) {
  try {
    return plots::plot(wanted.kind, input_of(found), wanted.options,
                       {.width = kWidth, .height = wanted.height}, found.context)
        .drawing;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::io) { throw; }
    return std::string("Not drawn: ") + error.what() + ".";
  }
}

std::vector<Figure> drawn(const Findings& found, const std::vector<Wanted>& wanted) {
  std::vector<Figure> figures;
  for (const Wanted& one : wanted) { figures.push_back(drawn(found, one)); }
  return figures;
}

std::vector<Wanted> model_kinds(const Findings& found) {
  const Schema& schema = found.model().schema();
  const std::size_t numbers = schema.numeric_count();
  const std::size_t classes = found.labels().size();
  const bool generative = found.model().generative() != nullptr;
  std::vector<Wanted> wanted;
  if (numbers == 1 && classes > 1) { wanted.push_back({generative ? "overlap" : "posterior"}); }
  if (numbers >= 2) { wanted.push_back({"regions"}); }
  if (numbers > 2 && classes > 2 && found.model().geometry() != nullptr) {
    wanted.push_back({"regions", {{"axes", "canonical"}}});
  }
  if (numbers >= 2 && generative && classes <= kMostEllipses) { wanted.push_back({"densities"}); }
  if (found.model().words() != nullptr) { wanted.push_back({"words", {}, 0.0}); }
  return wanted;
}

}  // namespace

void write_measure_pictures(Page& page, const Findings& found) {
  page.section("Where it errs, and whether its posteriors hold");
  const Given level{{"level", format_number(found.options.level)}};
  page.figures(drawn(found, {{"confusion", level}, {"calibration", level}, {"roc", level}}));
}

void write_model_pictures(Page& page, const Findings& found) {
  if (found.survey.sample.rows() == 0) { return; }
  const std::vector<Figure> figures = drawn(found, model_kinds(found));
  if (figures.empty()) { return; }
  page.section("What the model sees");
  const std::size_t rows = found.survey.evaluation->measures.rows();
  if (found.survey.sample.rows() < rows) {
    page.paragraph("Points are a sample of " + grouped(found.survey.sample.rows()) +
                   " rows, taken at equal distances.");
  }
  page.figures(figures);
}

namespace {

constexpr std::size_t kMostBars = 15;

/// Bars with the interval of twice the standard error.
draw::Drawing importance_picture(const Findings& found) {
  const std::size_t bars = std::min(kMostBars, found.importance.columns.size());
  draw::Drawing drawing;
  drawing.width = kWidth;
  drawing.height = 130.0 + 26.0 * static_cast<double>(bars);
  const draw::Rect room =
      draw::lay_out(drawing, {.title = "What shuffling a column costs",
                              .subtitle = "lines: two standard errors to either side"});
  std::vector<double> ends{0.0};
  draw::AxisStyle names{.named = {}};
  for (std::size_t i = 0; i < bars; ++i) {
    const ColumnImportance& one = found.importance.columns[i];
    ends.push_back(one.loss + 2.0 * one.standard_error);
    ends.push_back(one.loss - 2.0 * one.standard_error);
    names.named.push_back({static_cast<double>(i),
                           draw::cut_to(found.model().schema().columns[one.column].name, 180.0)});
  }
  const draw::Panel panel(room, draw::range_of(ends), {static_cast<double>(bars) - 0.4, -0.6},
                          {.title = "increase of the log loss", .grid = true}, names);
  panel.draw_grid(drawing);
  draw::Layer& layer = panel.layer(drawing, "bars");
  for (std::size_t i = 0; i < bars; ++i) {
    const ColumnImportance& one = found.importance.columns[i];
    const auto y = static_cast<double>(i);
    const auto at = [&](double x, double shift) { return panel.at(x, y + shift); };
    layer.marks.emplace_back(draw::Path{
        .lines = {{at(0.0, -0.32), at(one.loss, -0.32), at(one.loss, 0.32), at(0.0, 0.32)}},
        .closed = true,
        .fill = draw::Fill{.paint = draw::class_color(0)},
        .tip = found.model().schema().columns[one.column].name + ": " + draw::short_text(one.loss) +
               " \u00b1 " + draw::short_text(2.0 * one.standard_error)});
    layer.marks.emplace_back(
        draw::Path{.lines = {{at(one.loss - 2.0 * one.standard_error, 0.0),
                              at(one.loss + 2.0 * one.standard_error, 0.0)}},
                   .stroke = draw::Stroke{.paint = draw::Role::ink, .width = 2.0}});
  }
  panel.draw_axes(drawing);
  return drawing;
}

}  // namespace

void write_importance(Page& page, const Findings& found) {
  const Importance& importance = found.importance;
  if (importance.columns.empty() && importance.left_out.empty()) { return; }
  page.section("Columns that matter most");
  if (!importance.columns.empty()) {
    page.paragraph(
        "Each column in turn gets the values of other rows, here in " + grouped(importance.rows) +
        " rows; what the log loss grows by is what the model owes to the column beside all others. "
        "Columns that tell the same share the credit.");
  }
  if (!importance.left_out.empty()) { page.paragraph(importance.left_out); }
  if (importance.columns.empty()) { return; }
  const ColumnImportance& first = importance.columns.front();
  if (first.loss <= 2.0 * first.standard_error) {
    page.paragraph(
        "No column surely costs something: others tell the same, or the rows leave no doubt "
        "without it.");
  }
  page.figures({importance_picture(found)});
}

}  // namespace logodds::report
