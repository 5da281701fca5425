// Arithmetic on the statistics that models keep: rows joined, added and taken away, whatever the
// rows are used for.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "logodds/error.hpp"
#include "logodds/models/accumulate.hpp"

namespace logodds {

/// The schema that holds the columns and labels of both; throws when the columns do not agree.
[[nodiscard]] Schema united_schema(const Schema& a, const Schema& b);
/// From the codes of `from` to those of `to`, which knows all of them.
[[nodiscard]] Recoding recoding_between(const Schema& from, const Schema& to);
/// From the codes of `from` to those of `to`, which lacks some: -1 for these.
[[nodiscard]] Recoding recoding_dropping(const Schema& from, const Schema& to);
/// Throws Error(input) naming a class or level of `rows` that `model` does not know, or
/// Error(usage) when the columns do not agree: such rows cannot be forgotten.
void check_known(const Schema& rows, const Schema& model);
/// Throws Error(usage): the rows of `source` were all that the model had.
[[noreturn]] void throw_nothing_left(const BlockSource& source);

/// What a model keeps of its rows, and the columns that they have.
template <class S>
struct KeptRows {
  const S& statistics;
  const Schema& schema;
};

/// The statistics of a model in the codes of `schema`, as far as `start`, which is empty, asks for
/// them.
template <class S>
[[nodiscard]] S statistics_in(const Schema& schema, const KeptRows<S>& model, const S& start) {
  S statistics = model.statistics;
  statistics.recode(recoding_between(model.schema, schema));
  if (!start.compatible(statistics)) {
    throw Error(ErrorCode::usage,
                "the model keeps other statistics than the options ask for; train it with the "
                "same options");
  }
  S asked_for = start;
  asked_for.merge(statistics);
  return asked_for;
}

/// The report with the weights of all rows of the model; those by class where the statistic knows.
template <class S>
[[nodiscard]] FitReport totals(const S& statistics, FitReport report = {}) {
  report.weight = statistics.weight();
  report.class_weights.clear();
  if constexpr (requires { statistics.class_weights(); }) {
    report.class_weights = statistics.class_weights();
  }
  return report;
}

/// All the rows together.
template <class S>
[[nodiscard]] Accumulated<S> joined(const S& start, const std::vector<KeptRows<S>>& models) {
  if (models.empty()) { throw Error(ErrorCode::usage, "merging needs at least one model"); }
  Schema schema = models.front().schema;
  for (const auto& model : models) { schema = united_schema(schema, model.schema); }
  S sum = start;
  for (const auto& model : models) { sum.merge(statistics_in(schema, model, start)); }
  FitReport report = totals(sum);
  return {std::move(sum), std::move(schema), std::move(report)};
}

/// With the rows that were found added.
template <class S>
[[nodiscard]] Accumulated<S> extended(const S& start, const KeptRows<S>& model,
                                      Accumulated<S> found) {
  Schema schema = united_schema(model.schema, found.schema);
  S sum = statistics_in(schema, model, start);
  found.statistics.recode(recoding_between(found.schema, schema));
  sum.merge(found.statistics);
  FitReport report = totals(sum, std::move(found.report));
  return {std::move(sum), std::move(schema), std::move(report)};
}

/// Without the rows that were found in `source`; classes and levels that no row is left of go.
template <class S>
[[nodiscard]] Accumulated<S> reduced(const S& start, const KeptRows<S>& model, Accumulated<S> found,
                                     const BlockSource& source) {
  check_known(found.schema, model.schema);
  S rest = statistics_in(model.schema, model, start);
  found.statistics.recode(recoding_between(found.schema, model.schema));
  rest.unmerge(found.statistics, model.schema);
  Schema schema = rest.remaining(model.schema);
  const bool no_class = schema.labels.empty() && !model.schema.labels.empty();
  if (no_class || !(rest.weight() > 0.0)) { throw_nothing_left(source); }
  rest.recode(recoding_dropping(model.schema, schema));
  FitReport report = totals(rest, std::move(found.report));
  return {std::move(rest), std::move(schema), std::move(report)};
}

}  // namespace logodds
