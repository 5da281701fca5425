// The pipeline behind score(), evaluate() and explain(): blocks are read, scored and decided.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "logodds/logodds.hpp"

namespace logodds::scoring {

/// What explain() adds to a scored block; see ExplainedBlock.
struct Explanation {
  std::vector<std::int32_t> winners;    ///< as Evidence wants them: never kNoDecision
  std::vector<std::int32_t> opponents;  ///< the same
  std::vector<std::int32_t> against;
  std::vector<double> log_odds;
  std::vector<double> base;
  std::vector<double> contributions;
};

/// A block on its way through scoring.
struct Scoring {
  RowBuffer rows;
  std::vector<double> scores;  ///< ln p(x, C_k) where densities are asked for, else a_k(x)
  std::vector<double> posteriors;
  std::vector<std::uint8_t> skipped;
  std::vector<std::int32_t> decisions;
  std::vector<double> log_densities;
  std::vector<double> p_values;
  std::vector<double> distances;
  std::vector<std::int64_t> neighbors;
  std::vector<double> neighbor_distances;
  std::size_t incomplete = 0;
  std::size_t unsure = 0;
  std::string text;
  Explanation explanation;

  [[nodiscard]] ScoredBlock view() {
    return {.rows = rows.view(),
            .posteriors = posteriors,
            .skipped = skipped,
            .decisions = decisions,
            .log_densities = log_densities,
            .p_values = p_values,
            .distances = distances,
            .neighbors = neighbors,
            .neighbor_distances = neighbor_distances};
  }
};

/// A row that is so far out that its scores overflow has no posterior: says where it stands.
void check_scores(std::span<const double> scores, std::size_t classes, const RowBuffer& rows,
                  const BlockSource& source);

/// Throws Error(usage) when the model has no Neighborhood, or not so many rows.
void check_neighbors(const Classifier& model, std::size_t count);

/// How a model decides where a request says nothing: by its thresholds, or by the largest
/// posterior.
[[nodiscard]] decide::Policy policy_of(const Classifier& model, const ScoreRequest& request);

/// `work` runs in parallel after a block is scored, `commit` in the order of the rows. `joint`:
/// scores are to be ln p(x, C_k). `dense`: the rows are not to stay sparse, whatever the model
/// takes.
ScoreReport run_scoring(const Classifier& model, BlockSource& source, const Context& context,
                        const ScoreRequest& request, const std::function<void(Scoring&)>& work,
                        const std::function<void(Scoring&)>& commit, bool joint = false,
                        bool dense = false);

}  // namespace logodds::scoring
