// Leave-one-out: the statistics of all rows, less those of one.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "choose/statistics_of_folds.hpp"

namespace logodds::choose {

/// Posteriors of complete rows under the models without each, as FoldModels::posteriors().
template <Family F>
using DirectPosteriors = std::vector<std::uint8_t> (*)(const typename F::Statistics&, const Schema&,
                                                       const Options&, const RowBlock&,
                                                       std::span<double>, const Context&);

template <Family F>
class StatisticsWithoutRow final : public FoldModels {
 public:
  /// `direct` may be null.
  StatisticsWithoutRow(const FamilyRecord& family, const Table& table, MissingRows missing,
                       DirectPosteriors<F> direct)
      : family_(family), table_(table), missing_(missing), direct_(direct) {}

  void prepare(const Options& options, const Context& context) override {
    if (find(options) != nullptr) { return; }
    const auto source = open_rows(table_, {{0, table_.rows}});
    const MissingRows rows = which_rows(options);
    Total total{rows, accumulate(*source, F::start(options), takes_missing(rows), rows, context)};
    totals_.push_back(std::move(total));
  }

  [[nodiscard]] Fit without(std::size_t row, const Options& options,
                            const Context& context) const override {
    return estimated<F>(family_.name, all_but(row, options, context), options, context);
  }

  [[nodiscard]] std::vector<std::uint8_t> posteriors(const Options& options, std::span<double> out,
                                                     const Context& context) const override {
    if (direct_ == nullptr || !table_.complete || table_.is_sparse()) { return {}; }
    RowBlock rows;
    rows.rows = table_.rows;
    rows.numeric = table_.numeric.data();
    rows.numeric_columns = rows.numeric_stride = table_.numeric_columns;
    rows.labels = table_.labels.data();
    rows.weights = table_.weights.empty() ? nullptr : table_.weights.data();
    const Rows& sum = find(options)->sum;
    return direct_(sum.statistics, sum.schema, options, rows, out, context);
  }

 private:
  using Statistic = typename F::Statistics;
  using Rows = Accumulated<Statistic>;

  struct Total {
    MissingRows rows;
    Rows sum;
  };

  [[nodiscard]] MissingRows which_rows(const Options& options) const {
    return logodds::missing_rows(options, missing_);
  }
  [[nodiscard]] bool takes_missing(MissingRows rows) const {
    return family_.capabilities.missing && rows == MissingRows::use;
  }

  [[nodiscard]] const Total* find(const Options& options) const {
    const Statistic start = F::start(options);
    for (const Total& total : totals_) {
      if (total.rows == which_rows(options) && start.compatible(total.sum.statistics)) {
        return &total;
      }
    }
    return nullptr;
  }

  /// A row so far from the others that without it their digits would be gone is never added.
  [[nodiscard]] Rows all_but(std::size_t row, const Options& options,
                             const Context& context) const {
    const Total& total = *find(options);
    Rows rest{statistics_in(total.sum.schema, {total.sum.statistics, total.sum.schema},
                            F::start(options)),
              total.sum.schema, total.sum.report};
    try {
      take_away(row, options, rest);
      return rest;
    } catch (const Error&) {
      const auto others = open_rows(table_, {{0, row}, {row + 1, table_.rows}});
      const MissingRows rows = which_rows(options);
      return accumulate(*others, F::start(options), takes_missing(rows), rows, context);
    }
  }

  void take_away(std::size_t row, const Options& options, Rows& rest) const {
    const auto source = open_rows(table_, {{row, row + 1}}, rest.schema);
    RowBuffer buffer;
    static_cast<void>(source->take(buffer));
    source->parse(buffer);
    if (!takes_missing(which_rows(options)) && !buffer.incomplete_rows().empty()) { return; }
    const auto& labels = rest.schema.labels;
    const auto& label = table_.schema.labels[static_cast<std::size_t>(table_.labels[row])];
    buffer.labels.assign(
        1, static_cast<std::int32_t>(std::ranges::find(labels, label) - labels.begin()));
    Statistic one = bound_to(*source, F::start(options));
    one.add(buffer.view(), shape_of(rest.schema));
    if constexpr (requires { one.finish(); }) { one.finish(); }
    rest.statistics.unmerge(one, rest.schema);
    Schema left = rest.statistics.remaining(rest.schema);
    if (left != rest.schema) {
      rest.statistics.recode(recoding_dropping(rest.schema, left));
      rest.schema = std::move(left);
    }
    rest.report.rows -= 1;
    rest.report = totals(rest.statistics, std::move(rest.report));
  }

  const FamilyRecord& family_;
  const Table& table_;
  MissingRows missing_;
  DirectPosteriors<F> direct_;
  std::vector<Total> totals_;
};

}  // namespace logodds::choose
