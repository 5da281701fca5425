// Precision-recall curves, drawn in the steps whose area is the average precision.
#include "measure/intervals.hpp"
#include "plots/ranking_curves.hpp"

namespace logodds::plots {

namespace {

Plot draw_pr(const PlotInput& input, const Options& options, const PageWish& page,
             const Context& context) {
  using Part = RankedPart;
  const RankingKind kind{
      .name = "pr",
      .title = "Precision and recall",
      .x_title = "recall",
      .y_title = "precision",
      .area = "average precision",
      .band = "precision",
      .steps = true,
      .keys_left = true,
      .estimate = &measure::ClassReport::average_precision,
      .x = [](const Part& part, const Part& all) { return part.positives / all.positives; },
      .y = [](const Part& part,
              const Part&) { return part.positives / (part.positives + part.negatives); },
      .y_interval =
          [](const Part& part, const Part&, double level) {
            return measure::exact_share(
                {part.positives, part.positive_squares, part.positives + part.negatives,
                 part.positive_squares + part.negative_squares},
                level);
          },
      .chance =
          [](const Part& all) {
            const double share = all.positives / (all.positives + all.negatives);
            return std::pair{share, share};
          }};
  return draw_ranking(kind, input, options, page, context);
}

}  // namespace

PlotRecord pr_plot() {
  return {.name = "pr",
          .summary =
              "precision against recall over all thresholds, with average precision and its "
              "interval",
          .needs = Needs::labels,
          .options = ranking_options(),
          .example = "pr penguins.model held_out.csv -o pr.svg",
          .draw = draw_pr};
}

}  // namespace logodds::plots
