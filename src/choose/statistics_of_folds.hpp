// Folds of a family whose model is a function of statistics that can be merged.
#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "choose/fold_models.hpp"
#include "logodds/models/family.hpp"
#include "logodds/models/kept_statistics.hpp"
#include "parallel/tasks.hpp"

namespace logodds::choose {

/// The model of statistics, as a learner with these options would make it.
template <Family F>
[[nodiscard]] Fit estimated(const std::string& family, Accumulated<typename F::Statistics> rows,
                            Options options, const Context& context) {
  if constexpr (requires {
                  F::settle(rows.statistics, options, rows.schema, context, rows.report);
                }) {
    F::settle(rows.statistics, options, rows.schema, context, rows.report);
  }
  auto model =
      std::make_unique<FittedClassifier<F>>(family, std::move(rows.schema), std::move(options),
                                            std::move(rows.statistics), context, rows.report);
  return {std::move(model), std::move(rows.report)};
}

/// A family that scores several of its models together where that is less work.
template <class F>
concept ScoresJointly = requires(std::span<const typename F::Discriminant* const> models,
                                 const Options& options, const Schema& schema) {
  { F::held_at_once(options, schema) } -> std::same_as<std::size_t>;
  { F::joint_runs(models) } -> std::same_as<std::vector<JointRun>>;
};

template <Family F>
class StatisticsOfFolds final : public FoldModels {
 public:
  StatisticsOfFolds(const FamilyRecord& family, const Table& table, std::vector<RowRange> folds,
                    MissingRows missing)
      : family_(family), table_(table), folds_(std::move(folds)), missing_(missing) {}

  void prepare(const Options& options, const Context& context) override {
    if (find(options) != nullptr) { return; }
    const auto sums = sums_of_folds(options, context);
    Training training{which_rows(options), {}};
    training.without.resize(folds_.size());
    parallel::run_tasks(folds_.size(), context, "joining folds", [&](std::size_t f) {
      training.without[f] = all_but(f, sums, F::start(options));
    });
    training_.push_back(std::move(training));
  }

  [[nodiscard]] Fit without(std::size_t fold, const Options& options,
                            const Context& context) const override {
    const Rows& rest = *find(options)->without[fold];
    const Statistic start = F::start(options);
    Rows rows{statistics_in(rest.schema, {rest.statistics, rest.schema}, start), rest.schema,
              rest.report};
    return estimated<F>(family_.name, std::move(rows), options, context);
  }

  [[nodiscard]] std::size_t held_at_once(const Options& options) const override {
    if constexpr (ScoresJointly<F>) { return F::held_at_once(options, table_.schema); }
    return 1;
  }

  [[nodiscard]] std::vector<JointRun> joint_runs(
      std::span<const Classifier* const> models) const override {
    if constexpr (ScoresJointly<F>) {
      std::vector<const typename F::Discriminant*> discriminants;
      for (const Classifier* const model : models) {
        discriminants.push_back(&static_cast<const FittedClassifier<F>&>(*model).discriminant());
      }
      return F::joint_runs(discriminants);
    }
    return {};
  }

 private:
  using Statistic = typename F::Statistics;
  using Rows = Accumulated<Statistic>;

  /// The training statistics of every fold, as some options asked for them.
  struct Training {
    MissingRows rows;
    std::vector<std::optional<Rows>> without;
  };

  [[nodiscard]] MissingRows which_rows(const Options& options) const {
    return logodds::missing_rows(options, missing_);
  }

  /// Statistics of which these options ask no more than is kept.
  [[nodiscard]] const Training* find(const Options& options) const {
    const Statistic start = F::start(options);
    for (const Training& training : training_) {
      const bool fits = training.rows == which_rows(options) &&
                        start.compatible(training.without.front()->statistics);
      if (fits) { return &training; }
    }
    return nullptr;
  }

  /// One pass over all rows, fold by fold; those outside of every fold come last.
  [[nodiscard]] std::vector<std::optional<Rows>> sums_of_folds(const Options& options,
                                                               const Context& context) const {
    std::vector<std::optional<Rows>> sums;
    for (const RowRange& fold : folds_) { sums.push_back(sum_of(fold, options, context)); }
    const RowRange rest{folds_.empty() ? 0 : folds_.back().end, table_.rows};
    if (rest.begin < rest.end) { sums.push_back(sum_of(rest, options, context)); }
    return sums;
  }

  /// Nothing when every row of the range is left out.
  [[nodiscard]] std::optional<Rows> sum_of(const RowRange& range, const Options& options,
                                           const Context& context) const {
    const MissingRows rows = which_rows(options);
    const bool takes_missing = family_.capabilities.missing && rows == MissingRows::use;
    const auto source = open_rows(table_, {range});
    if (!takes_missing && rows != MissingRows::error && all_incomplete(range)) { return {}; }
    return accumulate(*source, F::start(options), takes_missing, rows, context, &table_.schema);
  }

  [[nodiscard]] bool all_incomplete(const RowRange& range) const {
    if (table_.complete) { return false; }
    const auto source = open_rows(table_, {range});
    RowBuffer buffer;
    while (source->take(buffer)) {
      source->parse(buffer);
      const auto flags = buffer.incomplete_rows();
      if (flags.empty() || std::ranges::find(flags, 0) != flags.end()) { return false; }
    }
    return true;
  }

  [[nodiscard]] Rows all_but(std::size_t fold, const std::vector<std::optional<Rows>>& sums,
                             const Statistic& start) const {
    std::vector<KeptRows<Statistic>> others;
    FitReport report;
    for (std::size_t g = 0; g < sums.size(); ++g) {
      if (g == fold || !sums[g]) { continue; }
      others.push_back({sums[g]->statistics, sums[g]->schema});
      report.rows += sums[g]->report.rows;
      report.rows_skipped += sums[g]->report.rows_skipped;
      report.rows_incomplete += sums[g]->report.rows_incomplete;
    }
    if (others.empty()) {
      throw Error(ErrorCode::input, table_.source->name() +
                                        ": no row is left to train on without fold " +
                                        std::to_string(fold + 1) + "; take fewer folds");
    }
    Rows rest = joined(start, others);
    const Schema left = rest.statistics.remaining(rest.schema);
    if (left != rest.schema) {  // levels that a fold without a value was told of
      rest.statistics.recode(recoding_dropping(rest.schema, left));
      rest.schema = left;
    }
    rest.report.rows = report.rows;
    rest.report.rows_skipped = report.rows_skipped;
    rest.report.rows_incomplete = report.rows_incomplete;
    return rest;
  }

  const FamilyRecord& family_;
  const Table& table_;
  std::vector<RowRange> folds_;
  MissingRows missing_;
  std::vector<Training> training_;
};

}  // namespace logodds::choose
