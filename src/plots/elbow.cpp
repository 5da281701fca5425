// How well clusterings into more and more clusters fit, and what each further cluster gains.
#include <algorithm>
#include <cmath>

#include "logodds/error.hpp"
#include "models/clusters/cluster_rows.hpp"
#include "plots/measuring.hpp"
#include "plots/plot_options.hpp"
#include "plots/unbound_rows.hpp"

namespace logodds::plots {

namespace {

using draw::Path;
using draw::Point;
using draw::Rect;
using draw::Text;
using OptionValues = std::map<std::string, std::string>;

constexpr draw::Color kLine = draw::kBlue;
constexpr draw::Color kRise = draw::kVermilion;
constexpr double kTickRoom = 46.0;
constexpr std::size_t kMostNumbers = 25;  ///< K up to which each has its gap in figures

/// A criterion, the less the better, by the number of clusters.
struct Elbow {
  std::string clustering;  ///< "k-means" or "mixture"
  std::string criterion;   ///< "E" or "BIC"
  std::vector<double> counts{};
  std::vector<double> values{};
  std::vector<double> collapsed{};  ///< K without a value
  std::size_t rows_skipped = 0;
};

std::string clustering_of(const Classifier& model) {
  if (is_clustering(model.family())) { return model.family(); }
  if (may_be_mixture(model)) { return "mixture"; }
  throw Error(ErrorCode::usage, "plot elbow draws what 'logodds cluster' makes, and this model (" +
                                    model.family() +
                                    ") was trained with labels; plot confusion or plot roc show "
                                    "how good it is");
}

/// Those of the model that its clustering has, for other numbers of clusters.
OptionValues options_for(const Classifier& model, const std::string& clustering,
                         const Options& options) {
  OptionValues values;
  const bool mixture = clustering == "mixture";
  for (const OptionSpec& spec : find_clustering(clustering).options) {
    // Of the family gaussian these two are about labels, see src/models/mixture/record.cpp.
    const bool other = mixture && (spec.name == "max-iterations" || spec.name == "tolerance");
    if (model.options().has(spec.name) && !other) {
      values[spec.name] = model.options().text(spec.name);
    }
  }
  if (values.contains("init") && values["init"] == "given") { values.erase("init"); }
  if (!options.text("restarts").empty()) { values["restarts"] = options.text("restarts"); }
  values["k"] = options.text("k");
  return values;
}

std::size_t column_of(const DescriptionTable& table, const std::string& name) {
  const auto found = std::ranges::find(table.columns, name);
  return static_cast<std::size_t>(found - table.columns.begin());
}

double number_of(const Cell& cell) {
  if (const auto* const whole = std::get_if<std::int64_t>(&cell)) {
    return static_cast<double>(*whole);
  }
  return std::get<double>(cell);
}

/// The table over K of a report.
Elbow elbow_of(const FitReport& report, const std::string& clustering) {
  Elbow elbow{.clustering = clustering, .criterion = clustering == "mixture" ? "BIC" : "E"};
  const DescriptionTable& table = report.tables.front();
  const std::size_t count = column_of(table, "K");
  const std::size_t value = column_of(table, elbow.criterion);
  for (const std::vector<Cell>& row : table.rows) {
    if (!std::holds_alternative<double>(row[value])) {
      elbow.collapsed.push_back(number_of(row[count]));
      continue;
    }
    elbow.counts.push_back(number_of(row[count]));
    elbow.values.push_back(number_of(row[value]));
  }
  return elbow;
}

Elbow computed(const PlotInput& input, const Classifier& model, const Options& options,
               const Context& context) {
  const std::string clustering = clustering_of(model);
  const auto range = models::clusters::parse_range(options.text("k"));
  if (range.one()) {
    throw Error(ErrorCode::usage,
                "option --k: one number of clusters is no curve; give a range, "
                "as 1-15 is");
  }
  const auto source = unbound_rows(input.open_rows(), model.schema());
  const Fit fit = cluster(*source, clustering, options_for(model, clustering, options), context,
                          clustering == "mixture" ? MissingRows::use : MissingRows::skip);
  Elbow elbow = elbow_of(fit.report, clustering);
  elbow.rows_skipped = fit.report.rows_skipped;
  return elbow;
}

std::vector<draw::Tick> count_ticks(const Elbow& elbow) {
  const double stride =
      std::max(1.0, std::ceil(static_cast<double>(elbow.counts.size()) / kMostNumbers));
  std::vector<draw::Tick> ticks;
  for (std::size_t i = 0; i < elbow.counts.size(); ++i) {
    if (std::fmod(static_cast<double>(i), stride) == 0.0) {
      ticks.push_back({elbow.counts[i], draw::short_text(elbow.counts[i], 8)});
    }
  }
  return ticks;
}

draw::Range count_range(const Elbow& elbow) {
  return {elbow.counts.front() - 0.6, elbow.counts.back() + 0.6};
}

/// K of the model, or of the least BIC, named on the side of the line where there is room.
void draw_mark(draw::Drawing& drawing, const draw::Panel& panel, const Elbow& elbow, std::size_t i,
               const std::string& text) {
  constexpr double kBeside = 6.0;
  constexpr double kAway = 15.0;
  const Point place = panel.at(elbow.counts[i], elbow.values[i]);
  draw::Layer& layer = drawing.layer("marks");
  layer.marks.emplace_back(
      draw::Symbols{.size = 13.0,
                    .places = {place},
                    .fill = {.opacity = 0.0},
                    .outline = draw::Stroke{.paint = draw::Role::ink, .width = 1.5}});
  const bool left = place.x > panel.area().x + 0.75 * panel.area().width;
  const std::size_t next = left ? i - std::min<std::size_t>(i, 1) : i + 1;
  const bool below = next < elbow.values.size() && elbow.values[next] > elbow.values[i] &&
                     place.y + 1.5 * kAway < panel.area().bottom();
  layer.marks.emplace_back(
      Text{.at = {place.x + (left ? -kBeside : kBeside), place.y + (below ? kAway : -kAway)},
           .text = text,
           .align = left ? draw::Align::end : draw::Align::start,
           .baseline = draw::Baseline::middle,
           .halo = true});
}

void draw_values(Plot& plot, const Elbow& elbow, const Rect& room, std::size_t model_clusters) {
  draw::Range range = draw::range_of(elbow.values, 0.12);
  if (elbow.criterion == "E") { range.low = 0.0; }
  const draw::Panel panel(room, count_range(elbow), range,
                          {.labels = false, .grid = true, .named = count_ticks(elbow)},
                          {.title = elbow.criterion, .room = kTickRoom, .grid = true});
  panel.draw_grid(plot.drawing);
  draw::Layer& layer = panel.layer(plot.drawing, "values");
  draw::Symbols points{.size = 8.0, .places = {}, .fill = {.paint = kLine}};
  std::vector<Point> line;
  for (std::size_t i = 0; i < elbow.counts.size(); ++i) {
    line.push_back(panel.at(elbow.counts[i], elbow.values[i]));
    points.tips.push_back("K = " + draw::short_text(elbow.counts[i], 8) + ": " + elbow.criterion +
                          " " + draw::short_text(elbow.values[i], 6));
  }
  points.places = line;
  layer.marks.emplace_back(
      Path{.lines = {line}, .stroke = draw::Stroke{.paint = kLine, .width = 1.8}});
  layer.marks.emplace_back(std::move(points));
  panel.draw_axes(plot.drawing);
  const auto least =
      static_cast<std::size_t>(std::ranges::min_element(elbow.values) - elbow.values.begin());
  const auto own = static_cast<std::size_t>(
      std::ranges::find(elbow.counts, static_cast<double>(model_clusters)) - elbow.counts.begin());
  const bool by_least = elbow.criterion == "BIC";
  if (by_least) {
    draw_mark(plot.drawing, panel, elbow, least,
              own == least ? "least BIC, the model" : "least BIC");
  }
  if (own < elbow.counts.size() && !(by_least && own == least)) {
    draw_mark(plot.drawing, panel, elbow, own, "the model");
  }
}

/// Three digits, or all before the point of up to six: "7788", "12.4".
std::string gap_text(double gap) {
  const double size = std::abs(gap);
  return size >= 1e3 && size < 1e6 ? draw::decimal_text(gap, 0) : draw::short_text(gap, 3);
}

void draw_gaps(Plot& plot, const Elbow& elbow, const Rect& room) {
  constexpr double kHalf = 0.3;
  std::vector<double> gaps{0.0};
  for (std::size_t i = 1; i < elbow.values.size(); ++i) {
    gaps.push_back(elbow.values[i - 1] - elbow.values[i]);
  }
  draw::Range range = draw::range_of(gaps, 0.18);
  if (*std::ranges::min_element(gaps) >= 0.0) { range.low = 0.0; }
  const draw::Panel panel(room, count_range(elbow), range,
                          {.title = elbow.criterion == "BIC" ? "components K" : "clusters K",
                           .named = count_ticks(elbow)},
                          {.title = "gain", .ticks = 3, .room = kTickRoom});
  draw::Layer& layer = panel.layer(plot.drawing, "gaps");
  for (std::size_t i = 1; i < gaps.size(); ++i) {
    const double k = elbow.counts[i];
    const bool falls = gaps[i] >= 0.0;
    layer.marks.emplace_back(
        Path{.lines = {{panel.at(k - kHalf, 0.0), panel.at(k - kHalf, gaps[i]),
                        panel.at(k + kHalf, gaps[i]), panel.at(k + kHalf, 0.0)}},
             .closed = true,
             .fill = draw::Fill{.paint = falls ? kLine : kRise, .opacity = 0.6},
             .tip = elbow.criterion + (falls ? " falls by " : " rises by ") +
                    draw::short_text(std::abs(gaps[i]), 5) + " from K = " +
                    draw::short_text(elbow.counts[i - 1], 8) + " to " + draw::short_text(k, 8)});
    if (gaps.size() > kMostNumbers) { continue; }
    const Point at = panel.at(k, gaps[i]);
    layer.marks.emplace_back(Text{.at = {at.x, at.y + (falls ? -7.0 : 8.0)},
                                  .text = gap_text(gaps[i]),
                                  .size = 10.0,
                                  .align = draw::Align::middle,
                                  .baseline = draw::Baseline::middle,
                                  .paint = draw::Role::muted,
                                  .halo = true});
  }
  panel.draw_axes(plot.drawing);
  plot.arrays.push_back({"gaps", {gaps.size()}, gaps});
}

void add_notes(const Elbow& elbow, std::vector<std::string>& notes) {
  add_row_notes(notes, {.rows_skipped = elbow.rows_skipped});
  if (!elbow.collapsed.empty()) {
    std::string list;
    for (const double k : elbow.collapsed) {
      list += (list.empty() ? "" : ", ") + draw::short_text(k, 8);
    }
    notes.push_back("a component collapsed, so there is no value for K = " + list);
  }
  if (elbow.criterion != "E") { return; }
  for (std::size_t i = 1; i < elbow.values.size(); ++i) {
    if (elbow.values[i] <= elbow.values[i - 1]) { continue; }
    notes.push_back("E rises to K = " + draw::short_text(elbow.counts[i], 8) +
                    ", which the best clustering never does; give more --restarts");
    return;
  }
}

Plot draw_elbow(const PlotInput& input, const Options& options, const PageWish& page,
                const Context& context) {
  const Classifier& model = classifier_of(input, "elbow");
  const Elbow elbow = computed(input, model, options, context);
  if (elbow.counts.empty()) {
    throw Error(ErrorCode::numeric,
                "no mixture of this range could be fitted; give fewer components by --k");
  }
  Plot plot{.drawing = new_drawing(page, 620.0, 560.0), .notes = {}, .arrays = {}};
  add_notes(elbow, plot.notes);
  std::vector<std::string> foot{elbow.criterion == "E"
                                    ? "E: sum of squared distances to the centers. Gain: how much "
                                      "it falls by one more cluster."
                                    : "BIC: the less the better. Gain: how much it falls by one "
                                      "more component."};
  foot.insert(foot.end(), plot.notes.begin(), plot.notes.end());
  const Rect room =
      lay_out(plot.drawing,
              {.title = title_or(page, elbow.criterion + " against the number of " +
                                           (elbow.criterion == "BIC" ? "components" : "clusters")),
               .subtitle = model_title(model),
               .notes = foot});
  const double split = 0.62 * room.height;
  draw_values(plot, elbow, {room.x, room.y, room.width, split - 4.0}, model.labels().size());
  draw_gaps(plot, elbow, {room.x, room.y + split + 4.0, room.width, room.height - split - 4.0});
  plot.arrays.push_back({"K", {elbow.counts.size()}, elbow.counts});
  plot.arrays.push_back({elbow.criterion, {elbow.values.size()}, elbow.values});
  return plot;
}

}  // namespace

PlotRecord elbow_plot() {
  return {.name = "elbow",
          .summary =
              "E of K-means, or BIC of mixtures, against the number of clusters, and the "
              "gaps",
          .needs = Needs::rows,
          .options = {{.name = "k",
                       .type = OptionType::text,
                       .default_value = "1-10",
                       .help = "numbers of clusters to fit, with the options of the model",
                       .form = "A-B",
                       .canonical = models::clusters::canonical_range},
                      {.name = "restarts",
                       .type = OptionType::text,
                       .default_value = "",
                       .help = "starts of each number of clusters; without it as many as the "
                               "model's",
                       .form = "N"}},
          .example = "elbow geyser.model geyser.csv --k 1-15 -o elbow.svg",
          .draw = draw_elbow};
}

}  // namespace logodds::plots
