// The four ideas that carry everything, as concepts (the fourth, Objective, is in optimize/).
#pragma once

#include <concepts>
#include <span>
#include <string>
#include <vector>

#include "logodds/context.hpp"
#include "logodds/data/row_block.hpp"
#include "logodds/data/schema.hpp"
#include "logodds/models/description.hpp"
#include "logodds/models/learner.hpp"
#include "logodds/registry/options.hpp"
#include "logodds/stats/shape.hpp"

namespace logodds {

/// What a pass over the rows leaves behind. A copyable value; add() blocks to it, merge() two that
/// are compatible() (an empty one is compatible with any of its kind), recode() it when labels and
/// levels get their final order.
template <class S>
concept Statistics = std::copyable<S> && requires(S s, const S other, const RowBlock& block,
                                                  const Shape& shape, const Recoding& map) {
  s.add(block, shape);
  s.merge(other);
  s.recode(map);
  { other.compatible(other) } -> std::same_as<bool>;
  { other.weight() } -> std::convertible_to<double>;
  { other.size_for(shape) } -> std::convertible_to<std::size_t>;
};

/// All that a fitted model must do: scores a_k(x), row-major rows x classes, and a description.
template <class D>
concept Discriminant = requires(const D d, const RowBlock& block, std::span<double> out) {
  d.log_scores(block, out);
  { d.describe() } -> std::same_as<Description>;
};

/// What an estimator knows besides the statistics, and where it leaves word for the user.
struct EstimatorInput {
  const Schema& schema;
  const Options& options;
  const Context& context;
  FitReport& report;
};

/// Parameters are a pure function of statistics and options: F::estimate(statistics, input) gives
/// the discriminant. F::start(options) is the empty statistic.
template <class F>
concept Estimator = requires(const typename F::Statistics& statistics, EstimatorInput input,
                             const Options& options) {
  { F::start(options) } -> std::same_as<typename F::Statistics>;
  { F::estimate(statistics, input) } -> std::same_as<typename F::Discriminant>;
};

/// A family: a statistic, an estimator and a discriminant. `keeps_statistics` says what a model
/// file holds: the statistics, from which the discriminant is estimated again on loading (such
/// models can be merged), or the discriminant alone.
///
/// Optional, found by name: F::settle (options, and labels of clusters, that only the statistics
/// tell), F::likelihood, F::Expectation (models/em.hpp); on the discriminant takes_missing(),
/// takes_unseen_levels(), takes_sparse(), arrays(), array(name), evidence(), generative(),
/// words_face(), natural_parameters(), and the bases Generative, Geometry, Evidence, Coefficients,
/// Centers and Words; on the statistic kTakesText, kTakesSparse, finish() (called once a lane has
/// read all its blocks), join(lanes, threads) (called in its place, once for all), bind(columns)
/// (told which columns are read, before the first block), kIdentifiersFit, class_weights(),
/// rows_incomplete(), add_shares(), and unmerge() with remaining().
template <class F>
concept Family = Statistics<typename F::Statistics> && Discriminant<typename F::Discriminant> &&
                 Estimator<F> && requires {
                   { F::keeps_statistics } -> std::convertible_to<bool>;
                 };

}  // namespace logodds
