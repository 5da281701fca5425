#include "plots/cost_curve.hpp"

#include <algorithm>
#include <limits>

#include "measure/intervals.hpp"

namespace logodds::plots {

namespace {

using decide::ThresholdRow;
using measure::Measures;

/// A row with what its posteriors expect besides what it came to.
struct PricedRow {
  ThresholdRow row;
  double expected_if_decided = 0.0;
  double expected_if_not = 0.0;
};

std::vector<PricedRow> priced_rows(const measure::KeptRows& rows, const decide::Costs& costs,
                                   std::size_t label) {
  const auto decision = static_cast<std::int32_t>(label);
  std::vector<PricedRow> priced;
  priced.reserve(rows.rows());
  for (const measure::KeptRows::Chunk& chunk : rows.chunks()) {
    for (std::size_t r = 0; r < chunk.truths.size(); ++r) {
      const std::span<const double> posteriors{chunk.posteriors.data() + r * rows.classes(),
                                               rows.classes()};
      const auto truth = static_cast<std::size_t>(chunk.truths[r]);
      const auto other = static_cast<std::int32_t>(decide::argmax_of_others(posteriors, label));
      priced.push_back({.row = {.posterior = posteriors[label],
                                .positive = truth == label,
                                .cost_if_decided = costs.cost(truth, decision),
                                .cost_if_not = costs.cost(truth, other),
                                .weight = chunk.weights[r]},
                        .expected_if_decided = costs.expected(posteriors, decision),
                        .expected_if_not = costs.expected(posteriors, other)});
    }
  }
  std::ranges::stable_sort(priced, std::greater<>{},
                           [](const PricedRow& one) { return one.row.posterior; });
  return priced;
}

/// Sums over rows from some place on, so that no sum is a difference.
struct RestSums {
  Measures::LossSums losses;
  double expected = 0.0;
};

std::vector<RestSums> rest_sums(const std::vector<PricedRow>& rows) {
  std::vector<RestSums> rest(rows.size() + 1);
  for (std::size_t i = rows.size(); i-- > 0;) {
    rest[i] = rest[i + 1];
    rest[i].losses.add(rows[i].row.cost_if_not, rows[i].row.weight);
    rest[i].expected += rows[i].row.weight * rows[i].expected_if_not;
  }
  return rest;
}

measure::RowWeights weights_of(const std::vector<PricedRow>& rows) {
  measure::RowWeights weights;
  for (const PricedRow& one : rows) {
    weights.sum += one.row.weight;
    weights.squares += one.row.weight * one.row.weight;
  }
  return weights;
}

}  // namespace

CostCurve cost_curve(const measure::KeptRows& rows, const decide::Costs& costs, std::size_t label,
                     double level) {
  constexpr double kAny = std::numeric_limits<double>::max();
  const std::vector<PricedRow> priced = priced_rows(rows, costs, label);
  const std::vector<RestSums> rest = rest_sums(priced);
  const measure::RowWeights weights = weights_of(priced);
  CostCurve curve;
  RestSums decided;
  double high = 1.0;
  const auto add = [&](std::size_t rows_decided, double low) {
    if (low >= high) { return; }
    Measures::LossSums losses = decided.losses;
    losses.merge(rest[rows_decided].losses);
    curve.steps.push_back({low, high, measure::mean_of(losses, weights, level, -kAny, kAny),
                           (decided.expected + rest[rows_decided].expected) / weights.sum});
    high = low;
  };
  std::vector<ThresholdRow> threshold_rows;
  threshold_rows.reserve(priced.size());
  for (std::size_t i = 0; i < priced.size(); ++i) {
    const PricedRow& one = priced[i];
    add(i, one.row.posterior);  // nothing between rows of one posterior
    decided.losses.add(one.row.cost_if_decided, one.row.weight);
    decided.expected += one.row.weight * one.expected_if_decided;
    threshold_rows.push_back(one.row);
  }
  add(priced.size(), 0.0);
  curve.cheapest = decide::cheapest_threshold(std::move(threshold_rows));
  return curve;
}

std::optional<double> ideal_threshold(const decide::Costs& costs, std::size_t label) {
  if (costs.classes() != 2) { return {}; }
  const std::size_t other = 1 - label;
  const auto regret = [&](std::size_t truth) {  // of the wrong decision, beyond the right one
    return costs.cost(truth, static_cast<std::int32_t>(1 - truth)) -
           costs.cost(truth, static_cast<std::int32_t>(truth));
  };
  // Deciding for the label costs less from p regret(label) = (1 - p) regret(other) on.
  if (!(regret(label) > 0.0) || !(regret(other) > 0.0)) { return {}; }
  return regret(other) / (regret(label) + regret(other));
}

}  // namespace logodds::plots
