#include "choose/validation.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "choose/folds.hpp"
#include "logodds/error.hpp"
#include "parallel/tasks.hpp"

namespace logodds::choose {

namespace {

std::string number(std::size_t value) { return std::to_string(value); }

FoldedTable one_fold_a_row(const Table& table) {
  FoldedTable result{table, {}, std::vector<std::size_t>(table.rows)};
  std::iota(result.order.begin(), result.order.end(), std::size_t{0});
  for (std::size_t r = 0; r < table.rows; ++r) { result.folds.push_back({r, r + 1}); }
  return result;
}

/// One run over points and folds.
class HoldOut {
 public:
  HoldOut(const FamilyRecord& family, std::span<const Options> points, const FoldedTable& rows,
          bool leave_one_out, const Scoreable& wanted, const FoldSink& sink)
      : family_(family),
        points_(points),
        rows_(rows),
        wanted_(wanted),
        sink_(sink),
        one_row_folds_(leave_one_out),
        models_(leave_one_out ? row_models(family, rows.table, wanted.missing)
                              : fold_models(family, rows.table, rows.folds, wanted.missing)),
        failures_(points.size() * rows.folds.size()) {}

  std::vector<std::string> run(const Context& context) {
    for (const Options& options : points_) { models_->prepare(options, context); }
    hand_on_posteriors(context);
    // A family in closed form goes to every point by itself; an optimiser along the points.
    const bool apart = from_statistics(family_);
    const auto groups = apart ? groups_of_points() : std::vector<PointRange>{{0, points_.size()}};
    const std::size_t folds = rows_.folds.size();
    const std::size_t tasks = folds * groups.size();
    const int threads = parallel::useful_threads(context.threads, tasks);
    Context inner = context;
    if (threads > 1) {
      inner.threads = 1;
      inner.progress = nullptr;
    }
    parallel::run_tasks(tasks, context, "cross-validating", [&](std::size_t task) {
      const PointRange& group = groups[task / folds];
      const std::size_t fold = task % folds;
      if (!apart) {
        follow(fold, inner);
      } else if (group.end - group.begin > 1) {
        fit_and_score_all(group, fold, inner);
      } else if (done_.empty() || done_[task] == 0) {
        static_cast<void>(fit_and_score(group.begin, fold, inner));
      }
    });
    return std::move(failures_);
  }

 private:
  /// Points begin ... end - 1 of the grid.
  struct PointRange {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  /// Neighbors of the grid that may be scored together.
  [[nodiscard]] std::vector<PointRange> groups_of_points() const {
    std::vector<PointRange> groups;
    std::size_t most = 0;
    for (std::size_t p = 0; p < points_.size(); ++p) {
      const std::size_t held = models_->held_at_once(points_[p]);
      most = std::min(most, held);
      if (!groups.empty() && p - groups.back().begin < most) {
        groups.back().end = p + 1;
      } else {
        groups.push_back({p, p + 1});
        most = held;
      }
    }
    return groups;
  }

  /// Rows whose posteriors are known without a model; each is a fold.
  void hand_on_posteriors(const Context& context) {
    const std::size_t rows = rows_.table.rows;
    const std::size_t classes = rows_.table.schema.labels.size();
    if (!one_row_folds_) { return; }
    std::vector<double> posteriors(rows * classes);
    for (std::size_t point = 0; point < points_.size(); ++point) {
      const auto done = known_posteriors(points_[point], posteriors, context);
      if (done.empty()) { continue; }
      done_.resize(points_.size() * rows, 0);
      for (std::size_t r = 0; r < rows; ++r) {
        if (done[r] == 0) { continue; }
        done_[point * rows + r] = 1;
        sink_(point, r,
              {.first = r,
               .rows = 1,
               .posteriors = std::span(posteriors).subspan(r * classes, classes)});
      }
    }
  }

  /// A covariance that is singular with all rows may be no more so without one.
  [[nodiscard]] std::vector<std::uint8_t> known_posteriors(const Options& options,
                                                           std::span<double> out,
                                                           const Context& context) const {
    try {
      return models_->posteriors(options, out, context);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::numeric) { throw; }
      return {};
    }
  }

  /// Each fit starts where the one before it ended, if all starts lead to one answer.
  void follow(std::size_t fold, const Context& context) {
    std::unique_ptr<Classifier> last;
    for (std::size_t point = 0; point < points_.size(); ++point) {
      Context warm = context;
      warm.warm_start = family_.capabilities.one_answer ? last.get() : nullptr;
      auto model = fit_and_score(point, fold, warm);
      if (model != nullptr) { last = std::move(model); }
    }
  }

  std::unique_ptr<Classifier> fit_and_score(std::size_t point, std::size_t fold,
                                            const Context& context) {
    std::unique_ptr<Classifier> model;
    if_numbers_allow(point, fold, [&] {
      model = models_->without(fold, points_[point], context).model;
      score(*model, point, fold, rows_.folds[fold], context);
    });
    return failed(point, fold) ? nullptr : std::move(model);
  }

  /// Together where that is less work.
  void fit_and_score_all(const PointRange& group, std::size_t fold, const Context& context) {
    std::vector<Held> held;
    for (std::size_t point = group.begin; point < group.end; ++point) {
      if_numbers_allow(point, fold, [&] {
        held.push_back(
            {models_->without(fold, points_[point], context).model, point, rows_.folds[fold]});
      });
    }
    score_in_runs(held, fold);
    for (const Held& each : held) {
      if (each.left.begin == each.left.end) { continue; }
      if_numbers_allow(each.point, fold,
                       [&] { score(*each.model, each.point, fold, each.left, context); });
    }
  }

  /// A model, and the rows that it has yet to score.
  struct Held {
    std::unique_ptr<Classifier> model;
    std::size_t point = 0;
    RowRange left;
  };

  void score_in_runs(std::span<Held> held, std::size_t fold) const {
    std::vector<const Classifier*> models;
    for (const Held& each : held) {
      if (!needs_scores_alone(*each.model, rows_.table, wanted_)) { return; }
      models.push_back(each.model.get());
    }
    for (const JointRun& run : models_->joint_runs(models)) {
      const auto together = held.subspan(run.first, run.count);
      const std::size_t next = score_together(
          *run.scores, run.count, rows_.table, rows_.folds[fold], wanted_,
          [&](std::size_t m, const HeldOut& block) { sink_(together[m].point, fold, block); });
      for (Held& each : together) { each.left.begin = next; }
    }
  }

  void score(const Classifier& model, std::size_t point, std::size_t fold, const RowRange& rows,
             const Context& context) const {
    score_held_out(model, rows_.table, rows, wanted_, context,
                   [&](const HeldOut& block) { sink_(point, fold, block); });
  }

  template <class Work>
  void if_numbers_allow(std::size_t point, std::size_t fold, const Work& work) {
    try {
      work();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::numeric) { throw; }
      failures_[point * rows_.folds.size() + fold] = error.what();
    }
  }
  [[nodiscard]] bool failed(std::size_t point, std::size_t fold) const {
    return !failures_[point * rows_.folds.size() + fold].empty();
  }

  const FamilyRecord& family_;
  std::span<const Options> points_;
  const FoldedTable& rows_;
  const Scoreable& wanted_;
  const FoldSink& sink_;
  bool one_row_folds_;
  std::unique_ptr<FoldModels> models_;
  std::vector<std::string> failures_;
  std::vector<std::uint8_t> done_;  ///< points x folds that need no model; empty: none
};

}  // namespace

void check_plan(const Plan& plan, const Table& table) {
  const std::vector<std::string>& labels = table.schema.labels;
  std::vector<std::size_t> counts(labels.size(), 0);
  for (const std::int32_t label : table.labels) { ++counts[static_cast<std::size_t>(label)]; }
  if (counts.size() < 2) {
    throw Error(ErrorCode::usage, table.source->name() + ": every row is of class '" +
                                      labels.front() + "', so there is nothing to decide; is '" +
                                      table.schema.target + "' the right target?");
  }
  const auto least = static_cast<std::size_t>(std::ranges::min_element(counts) - counts.begin());
  const std::size_t needed = plan.leave_one_out ? 2 : plan.folds;
  if (counts[least] >= needed) { return; }
  const std::string rows = number(counts[least]) + (counts[least] == 1 ? " row" : " rows");
  if (counts[least] < 2) {
    throw Error(ErrorCode::usage, "class '" + labels[least] + "' has " + rows +
                                      ", and when that is held out nothing knows the class; leave "
                                      "it out of the data, or give more rows of it");
  }
  throw Error(ErrorCode::usage, "class '" + labels[least] + "' has " + rows + ", too few for " +
                                    number(plan.folds) + " folds; take --folds " +
                                    number(counts[least]) + " or --leave-one-out");
}

FoldedTable fold_table(const Table& table, const Plan& plan, std::uint64_t seed,
                       std::size_t repeat) {
  if (plan.leave_one_out) { return one_fold_a_row(table); }
  const auto fold_of =
      stratified_folds(table.labels, table.schema.labels.size(), plan.folds, seed, repeat);
  FoldedTable result;
  result.folds.resize(plan.folds + 1);  // the last: rows that are never held out
  for (const std::size_t fold : fold_of) { ++result.folds[fold].end; }
  std::size_t begin = 0;
  for (RowRange& fold : result.folds) {
    begin += fold.end;
    fold = {begin - fold.end, begin};
  }
  std::vector<RowRange> left = result.folds;
  result.order.resize(table.rows);
  for (std::size_t r = 0; r < table.rows; ++r) { result.order[left[fold_of[r]].begin++] = r; }
  result.folds.pop_back();
  result.table = table.reordered(result.order);
  return result;
}

std::vector<std::string> hold_out(const FamilyRecord& family, std::span<const Options> points,
                                  const FoldedTable& rows, bool leave_one_out,
                                  const Scoreable& wanted, const Context& context,
                                  const FoldSink& sink) {
  return HoldOut(family, points, rows, leave_one_out, wanted, sink).run(context);
}

}  // namespace logodds::choose
