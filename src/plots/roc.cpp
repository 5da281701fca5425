// ROC curves: the true positive rate against the false positive rate.
#include "measure/intervals.hpp"
#include "plots/ranking_curves.hpp"

namespace logodds::plots {

namespace {

Plot draw_roc(const PlotInput& input, const Options& options, const PageWish& page,
              const Context& context) {
  using Part = RankedPart;
  const RankingKind kind{
      .name = "roc",
      .title = "ROC",
      .x_title = "false positive rate",
      .y_title = "true positive rate",
      .area = "AUC",
      .band = "true positive rate",
      .keys_left = false,
      .one_chance = true,
      .estimate = &measure::ClassReport::auc,
      .x = [](const Part& part, const Part& all) { return part.negatives / all.negatives; },
      .y = [](const Part& part, const Part& all) { return part.positives / all.positives; },
      .y_interval =
          [](const Part& part, const Part& all, double level) {
            return measure::exact_share(
                {part.positives, part.positive_squares, all.positives, all.positive_squares},
                level);
          },
      .chance = [](const Part&) { return std::pair{0.0, 1.0}; }};
  return draw_ranking(kind, input, options, page, context);
}

}  // namespace

PlotRecord roc_plot() {
  return {.name = "roc",
          .summary =
              "true against false positives over all thresholds, with the area and its "
              "interval",
          .needs = Needs::labels,
          .options = ranking_options(),
          .example = "roc penguins.model held_out.csv -o roc.svg",
          .draw = draw_roc};
}

}  // namespace logodds::plots
