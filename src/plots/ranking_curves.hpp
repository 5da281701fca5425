// ROC and precision-recall curves: how well the posterior of a class ranks rows.
#pragma once

#include <string>
#include <vector>

#include "plots/support.hpp"

namespace logodds::plots {

/// Rows whose posterior of the class is at least some threshold: weights, and squared weights.
struct RankedPart {
  double positives = 0.0;
  double negatives = 0.0;
  double positive_squares = 0.0;
  double negative_squares = 0.0;
};

/// What tells the two kinds apart.
struct RankingKind {
  std::string name;   ///< of the picture: "roc"
  std::string title;  ///< "ROC curves"
  std::string x_title;
  std::string y_title;
  std::string area;         ///< "AUC"
  std::string band;         ///< of what: "true positive rate"
  bool steps = false;       ///< between thresholds y is that of the lower one
  bool keys_left = true;    ///< where the names stand
  bool one_chance = false;  ///< a score that tells nothing is the same line for every class
  measure::Estimate measure::ClassReport::* estimate;
  double (*x)(const RankedPart& part, const RankedPart& all);
  double (*y)(const RankedPart& part, const RankedPart& all);
  measure::Estimate (*y_interval)(const RankedPart& part, const RankedPart& all, double level);
  /// y of a score that tells nothing, at x = 0 and x = 1.
  std::pair<double, double> (*chance)(const RankedPart& all);
};

[[nodiscard]] Plot draw_ranking(const RankingKind& kind, const PlotInput& input,
                                const Options& options, const PageWish& page,
                                const Context& context);
[[nodiscard]] std::vector<OptionSpec> ranking_options();

}  // namespace logodds::plots
