// Why one row is decided as it is: the terms of its log odds as a waterfall.
#include <algorithm>
#include <cmath>

#include "logodds/explained_rows.hpp"
#include "plots/block_with_row.hpp"
#include "plots/class_marks.hpp"
#include "plots/plot_options.hpp"
#include "plots/support.hpp"

namespace logodds::plots {

namespace {

using draw::Align;
using draw::Baseline;
using draw::Panel;
using draw::Point;
using draw::Rect;
using draw::Text;

constexpr draw::Color kFor{0x00, 0x72, 0xB2};
constexpr draw::Color kAgainst{0xD5, 0x5E, 0x00};
constexpr draw::Color kTotal{0x66, 0x66, 0x66};

/// One bar of the waterfall.
struct Step {
  std::string name;
  double value = 0.0;
  double from = 0.0;  ///< the sum before it
  double to = 0.0;    ///< and after it
};

ExplainedRow explained_row(const PlotInput& input, const Classifier& model, const Options& options,
                           std::string& base_name, const Context& context) {
  const auto wanted = static_cast<std::size_t>(options.integer("row"));
  const ExplainedRows rows(model, static_cast<std::size_t>(options.integer("top")),
                           std::numbers::e);
  base_name = rows.base_name();
  std::optional<ExplainedRow> found;
  BlockWithRow source(input.open_rows(), wanted - 1);
  static_cast<void>(explain(
      model, source,
      [&](const ExplainedBlock& block) { found = rows.row(block, source.row_in_block()); },
      context));
  if (!found) {
    const std::size_t count = source.rows_read();
    throw Error(ErrorCode::usage, "option --row: the data has " + grouped(count) +
                                      (count == 1 ? " row" : " rows") + ", and " +
                                      std::to_string(wanted) + " is none of them");
  }
  found->number = wanted;
  if (!found->against) {
    throw Error(ErrorCode::input, "row " + std::to_string(wanted) +
                                      (found->rejected ? " is rejected" : " lacks a value") +
                                      ", so there is no decision to explain; give another --row");
  }
  return *found;
}

/// The sums may leave what is finite; the infinite terms come last, where they decide.
std::vector<Step> steps_of(const ExplainedRow& row, const std::string& base_name) {
  std::vector<Step> finite{{.name = base_name, .value = row.base}};
  std::vector<Step> infinite;
  const auto add = [&](std::string name, double value) {
    (std::isfinite(value) ? finite : infinite).push_back({.name = std::move(name), .value = value});
  };
  for (const ExplainedRow::Term& term : row.terms) { add(term_text(term), term.contribution); }
  if (row.others > 0) {
    add(grouped(row.others) + (row.others == 1 ? " other" : " others"), row.rest);
  }
  std::vector<Step> steps = std::move(finite);
  steps.insert(steps.end(), infinite.begin(), infinite.end());
  double sum = 0.0;
  for (Step& step : steps) {
    step.from = sum;
    sum = std::isinf(sum) ? sum : sum + step.value;
    step.to = sum;
  }
  steps.push_back({.name = "log odds", .value = row.log_odds, .from = 0.0, .to = row.log_odds});
  return steps;
}

/// All sums and 0, with room for the numbers beside the bars.
draw::Range range_of_sums(const std::vector<Step>& steps) {
  constexpr double kMargin = 0.16;
  std::vector<double> values{0.0};
  bool up = false;
  bool down = false;
  for (const Step& step : steps) {
    values.push_back(step.from);
    values.push_back(step.to);
    up = up || step.value == std::numeric_limits<double>::infinity();
    down = down || step.value == -std::numeric_limits<double>::infinity();
  }
  draw::Range range = draw::range_of(values, kMargin);
  if (up) { range.high += 0.25 * range.size(); }
  if (down) { range.low -= 0.25 * range.size(); }
  return range;
}

std::string signed_text(double value) {
  return (value > 0.0 ? "+" : "") + draw::short_text(value, 3);
}

class Waterfall {
 public:
  Waterfall(const Rect& room, const std::vector<Step>& steps, const ExplainedRow& row)
      : steps_(steps),
        names_(names_width(steps, room)),
        panel_(
            {room.x + names_, room.y, room.width - names_, room.height}, range_of_sums(steps),
            {0.0, static_cast<double>(steps.size())},
            {.title = "log odds: for " + cut(*row.decision, room.width / 3.0) +
                      " to the right, for " + cut(*row.against, room.width / 3.0) + " to the left",
             .grid = true},
            {.labels = false}) {}

  void draw(draw::Drawing& drawing) const {
    panel_.draw_grid(drawing);
    draw::Layer& layer = drawing.layer("waterfall");
    const double zero = panel_.x().place(0.0);
    layer.marks.emplace_back(
        draw::Path{.lines = {{{zero, panel_.area().y}, {zero, panel_.area().bottom()}}},
                   .stroke = draw::Stroke{.paint = draw::Role::muted}});
    for (std::size_t i = 0; i < steps_.size(); ++i) { draw_step(layer, i); }
    panel_.draw_axes(drawing);
  }

 private:
  static double names_width(const std::vector<Step>& steps, const Rect& room) {
    double widest = 0.0;
    for (const Step& step : steps) { widest = std::max(widest, draw::text_width(step.name)); }
    return std::min(1.12 * widest, 0.4 * room.width) + 12.0;
  }

  [[nodiscard]] double place(double value) const {
    const draw::Range& range = panel_.x().range();
    return panel_.x().place(std::clamp(value, range.low, range.high));
  }

  void draw_step(draw::Layer& layer, std::size_t i) const {
    const Step& step = steps_[i];
    const bool total = i + 1 == steps_.size();
    const double height = panel_.area().height / static_cast<double>(steps_.size());
    const double top = panel_.area().y + height * static_cast<double>(i);
    const double bar = std::min(0.66 * height, 26.0);
    const double y = top + height / 2.0;
    const double from = place(step.from);
    const double to = place(step.to);
    const draw::Color color = total ? kTotal : step.value < 0.0 ? kAgainst : kFor;
    layer.marks.emplace_back(draw::Path{.lines = {{{from, y - bar / 2.0},
                                                   {to, y - bar / 2.0},
                                                   {to, y + bar / 2.0},
                                                   {from, y + bar / 2.0}}},
                                        .closed = true,
                                        .fill = draw::Fill{.paint = color},
                                        .tip = step.name + ": " + signed_text(step.value)});
    if (i + 1 < steps_.size()) {  // to where the next bar begins
      const double next = y + height - bar / 2.0;
      layer.marks.emplace_back(
          draw::Path{.lines = {{{to, y + bar / 2.0}, {to, next}}},
                     .stroke = draw::Stroke{.paint = draw::Role::muted, .width = 0.8}});
    }
    write_step(layer, step, total, {step.value < 0.0 ? to - 5.0 : to + 5.0, y});
  }

  void write_step(draw::Layer& layer, const Step& step, bool total, Point at) const {
    const double area_x = panel_.area().x;
    layer.marks.emplace_back(Text{.at = {area_x - 8.0, at.y},
                                  .text = cut(step.name, names_ - 10.0),
                                  .align = Align::end,
                                  .baseline = Baseline::middle,
                                  .bold = total});
    const std::string text = signed_text(step.value);
    const double width = draw::text_width(text);
    bool left = step.value < 0.0;
    if (left && at.x - width < area_x) { left = false; }
    if (!left && at.x + width > panel_.area().right()) { at.x = panel_.area().right() - width; }
    layer.marks.emplace_back(Text{.at = at,
                                  .text = text,
                                  .align = left ? Align::end : Align::start,
                                  .baseline = Baseline::middle,
                                  .bold = total,
                                  .halo = true});
  }

  const std::vector<Step>& steps_;
  double names_;
  Panel panel_;
};

std::string posterior_text(double posterior) {
  if (posterior > 0.9995 && posterior < 1.0) {
    return "1 - " + draw::short_text(1.0 - posterior, 2);
  }
  return draw::short_text(posterior, 4);
}

Plot draw_evidence(const PlotInput& input, const Options& options, const PageWish& page,
                   const Context& context) {
  const Classifier& model = classifier_of(input, "evidence");
  std::string base_name;
  const ExplainedRow row = explained_row(input, model, options, base_name, context);
  const std::vector<Step> steps = steps_of(row, base_name);
  Plot plot{.drawing = new_drawing(page, 720.0, 150.0 + 30.0 * static_cast<double>(steps.size())),
            .notes = {},
            .arrays = {}};
  const Rect room = lay_out(
      plot.drawing, {.title = title_or(page, "Row " + std::to_string(row.number) + ": " +
                                                 cut(*row.decision, 250.0) + " against " +
                                                 cut(*row.against, 250.0)),
                     .subtitle = "log odds " + signed_text(row.log_odds) + ", posterior of " +
                                 cut(*row.decision, 250.0) + " " + posterior_text(row.posterior),
                     .notes = {}});
  Waterfall(room, steps, row).draw(plot.drawing);
  NamedArray array{"waterfall", {steps.size(), 3}, {}};
  for (const Step& step : steps) {
    array.values.insert(array.values.end(), {step.value, step.from, step.to});
  }
  plot.arrays.push_back(std::move(array));
  plot.arrays.push_back({"posterior", {1}, {row.posterior}});
  return plot;
}

}  // namespace

PlotRecord evidence_plot() {
  return {.name = "evidence",
          .summary = "what each column, or word, adds to the log odds of one row: a waterfall",
          .needs = Needs::rows,
          .options = {{.name = "row",
                       .type = OptionType::integer,
                       .default_value = "1",
                       .help = "number of the row, from 1",
                       .minimum = 1.0},
                      top_option()},
          .example = "evidence penguins.model penguins.csv --row 3 -o evidence.svg",
          .draw = draw_evidence};
}

}  // namespace logodds::plots
