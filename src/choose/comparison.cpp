#include "logodds/choose/comparison.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <tuple>

#include "choose/estimates.hpp"
#include "choose/validation.hpp"
#include "logodds/decide/decide.hpp"
#include "logodds/error.hpp"
#include "logodds/measure/measures.hpp"

namespace logodds::choose {

namespace {

using Clock = std::chrono::steady_clock;

/// Why the family is not made for such rows, or nothing.
std::string unfit(const FamilyRecord& family, const Schema& schema) {
  if (!family.capabilities.many_classes && schema.labels.size() > 2) {
    return "it decides between two classes, and there are " + std::to_string(schema.labels.size());
  }
  const bool reads =
      std::ranges::find(family.options, "tokens", &OptionSpec::name) != family.options.end();
  for (const Column& column : schema.columns) {
    if (column.text() && !reads) { return "it reads no documents (column '" + column.name + "')"; }
    if (column.kind == ColumnKind::real && !family.capabilities.numbers) {
      return "it takes no real numbers (column '" + column.name + "')";
    }
  }
  return {};
}

/// What a candidate said of every row of one repeat, in the order of the rows; the terms of
/// measure::Measures, row by row.
struct RowLosses {
  std::vector<float> wrong;      ///< 1 where another class was decided
  std::vector<double> log_loss;  ///< NaN: skipped
  std::vector<double> brier;
  std::vector<double> log_joint;  ///< empty: not generative

  explicit RowLosses(std::size_t rows)
      : wrong(rows, 0.0F),
        log_loss(rows, std::numeric_limits<double>::quiet_NaN()),
        brier(rows, 0.0) {}
};

/// One candidate on its way.
struct Trial {
  std::size_t number = 0;  ///< among the candidates
  const FamilyRecord* family = nullptr;
  std::vector<Options> options;  ///< one
  Compared result;
  std::vector<RowLosses> repeats;
  std::vector<FoldResult> folds;
  [[nodiscard]] bool open() const { return result.failure.empty(); }
};

class Comparer {
 public:
  Comparer(const ComparisonRequest& request, const Table& table)
      : request_(request), table_(table), plan_{request.folds, false, request.repeats} {
    const auto candidates = request.candidates.empty() ? all_candidates() : request.candidates;
    for (const Candidate& candidate : candidates) {
      Trial trial;
      trial.number = trials_.size();
      trial.family = &find_family(candidate.family);
      trial.options.emplace_back(trial.family->options, candidate.options);
      trial.result.candidate = candidate;
      trial.result.failure = unfit(*trial.family, table.schema);
      trial.result.fits = trial.open();
      trials_.push_back(std::move(trial));
    }
  }

  Comparison run(const Context& context) {
    check_plan(plan_, table_);
    for (std::size_t repeat = 0; repeat < plan_.repeats; ++repeat) {
      const FoldedTable rows = fold_table(table_, plan_, context.seed, repeat);
      fold_of_.push_back(folds_by_row(rows));
      for (Trial& trial : trials_) {
        if (trial.open()) { run_trial(trial, rows, context); }
      }
    }
    check_any();
    Comparison result;
    result.rows_skipped = flag_skipped();
    sum_folds();
    rank();
    for (Trial& trial : trials_) {
      if (trial.open()) { compare_with_best(trial); }
    }
    fit_all(context, result);
    describe(result);
    return result;
  }

 private:
  [[nodiscard]] std::size_t classes() const { return table_.schema.labels.size(); }

  [[nodiscard]] std::vector<std::size_t> folds_by_row(const FoldedTable& rows) const {
    std::vector<std::size_t> folds(table_.rows);
    for (std::size_t f = 0; f < rows.folds.size(); ++f) {
      for (std::size_t r = rows.folds[f].begin; r < rows.folds[f].end; ++r) {
        folds[rows.order[r]] = f;
      }
    }
    return folds;
  }

  void run_trial(Trial& trial, const FoldedTable& rows, const Context& context) {
    const auto begin = Clock::now();
    RowLosses losses(table_.rows);
    const bool generative = trial.family->capabilities.generative;
    if (generative) { losses.log_joint.assign(table_.rows, 0.0); }
    std::vector<std::uint8_t> densities(rows.folds.size(), 0);
    const auto sink = [&](std::size_t, std::size_t fold, const HeldOut& block) {
      densities[fold] = block.log_joint.empty() ? 0 : 1;
      for (std::size_t r = 0; r < block.rows; ++r) {
        if (block.skipped.empty() || block.skipped[r] == 0) { add(block, rows, r, losses); }
      }
    };
    try {
      const auto failures =
          hold_out(*trial.family, trial.options, rows, false,
                   {.missing = request_.missing, .joint = generative}, context, sink);
      for (const auto& failure : failures) {
        if (trial.open()) { trial.result.failure = failure; }
      }
    } catch (const Error& error) { trial.result.failure = error.what(); }
    if (std::ranges::count(densities, 0) > 0) { losses.log_joint.clear(); }
    trial.repeats.push_back(std::move(losses));
    trial.result.seconds += std::chrono::duration<double>(Clock::now() - begin).count();
  }

  void add(const HeldOut& block, const FoldedTable& rows, std::size_t r, RowLosses& losses) const {
    const std::size_t row = rows.order[block.first + r];
    const auto truth = static_cast<std::size_t>(table_.labels[row]);
    const auto posteriors = block.posteriors.subspan(r * classes(), classes());
    const RowLoss loss = row_loss(truth, posteriors);
    losses.wrong[row] = loss.wrong ? 1.0F : 0.0F;
    losses.log_loss[row] = loss.log_loss;
    losses.brier[row] = loss.brier;
    if (!losses.log_joint.empty() && !block.log_joint.empty()) {
      losses.log_joint[row] = block.log_joint[r];
    }
  }

  void check_any() const {
    if (std::ranges::any_of(trials_, &Trial::open)) { return; }
    const Compared& first = trials_.front().result;
    throw Error(ErrorCode::usage,
                "no model can be fitted; " + first.candidate.title() + ": " + first.failure);
  }

  /// A row that one model could not score counts for none, so that all are measured by the same.
  std::size_t flag_skipped() {
    std::size_t count = 0;
    skipped_.assign(plan_.repeats, std::vector<std::uint8_t>(table_.rows, 0));
    for (std::size_t repeat = 0; repeat < plan_.repeats; ++repeat) {
      for (const Trial& trial : trials_) {
        for (std::size_t r = 0; trial.open() && r < table_.rows; ++r) {
          if (std::isnan(trial.repeats[repeat].log_loss[r])) { skipped_[repeat][r] = 1; }
        }
      }
      if (repeat == 0) {
        count = static_cast<std::size_t>(std::ranges::count(skipped_[repeat], std::uint8_t{1}));
      }
    }
    if (count < table_.rows) { return count; }
    throw Error(ErrorCode::input,
                table_.source->name() +
                    ": every row lacks a value that some model needs; leave out the columns that "
                    "are mostly empty with --ignore, or name models that use such rows with "
                    "--models");
  }

  void sum_folds() {
    // What row_loss() counts for a posterior of 0.
    const double infinite = -std::log(std::numeric_limits<double>::min());
    for (Trial& trial : trials_) {
      if (!trial.open()) { continue; }
      trial.folds.assign(plan_.repeats * plan_.folds, FoldResult{});
      double joint = 0.0;
      double weight = 0.0;
      bool generative = true;
      for (std::size_t repeat = 0; repeat < plan_.repeats; ++repeat) {
        const RowLosses& losses = trial.repeats[repeat];
        generative = generative && !losses.log_joint.empty();
        for (std::size_t r = 0; r < table_.rows; ++r) {
          if (skipped_[repeat][r] != 0) { continue; }
          const double w = table_.weight(r);
          FoldResult& fold = trial.folds[repeat * plan_.folds + fold_of_[repeat][r]];
          ++fold.rows;
          fold.weight += w;
          fold.error_rate += w * static_cast<double>(losses.wrong[r]);
          fold.log_loss += w * losses.log_loss[r];
          fold.brier += w * losses.brier[r];
          trial.result.rows_ruled_out += losses.log_loss[r] >= infinite ? 1U : 0U;
          weight += w;
          if (generative) { joint += w * losses.log_joint[r]; }
        }
      }
      finish_folds(trial);
      if (generative) { trial.result.log_likelihood = joint / weight; }
    }
  }

  void finish_folds(Trial& trial) const {
    for (FoldResult& fold : trial.folds) {
      if (fold.rows == 0) { continue; }
      fold.error_rate /= fold.weight;
      fold.log_loss /= fold.weight;
      fold.brier /= fold.weight;
    }
    set_estimates(trial.result, trial.folds, plan_.repeats);
  }

  void rank() {
    std::ranges::sort(trials_, {}, [](const Trial& trial) {
      const double loss = trial.open() ? trial.result.log_loss.value : 0.0;
      return std::tuple(!trial.open(), !trial.result.fits, loss, trial.number);
    });
  }

  void compare_with_best(Trial& trial) const {
    const Trial& best = trials_.front();
    trial.result.log_loss_difference =
        difference_over(trial.folds, best.folds, &FoldResult::log_loss, plan_.repeats);
    trial.result.error_rate_difference =
        difference_over(trial.folds, best.folds, &FoldResult::error_rate, plan_.repeats);
    McNemar& test = trial.result.mcnemar;
    for (std::size_t r = 0; r < table_.rows; ++r) {
      if (skipped_.front()[r] != 0) { continue; }
      const float mine = trial.repeats.front().wrong[r];
      const float other = best.repeats.front().wrong[r];
      test.only_best += mine > other ? 1U : 0U;
      test.only_other += other > mine ? 1U : 0U;
    }
    test.p_value = exact_mcnemar(test.only_best, test.only_other);
  }

  /// The models of all rows, on these rows; the best is kept.
  void fit_all(const Context& context, Comparison& result) {
    for (Trial& trial : trials_) {
      if (!trial.open()) { continue; }
      const auto begin = Clock::now();
      const auto source = open_rows(table_, {{0, table_.rows}});
      Fit fit = trial.family->make_learner(trial.options.front())
                    ->fit(*source, request_.missing, context);
      measure::Measures total(classes());
      score_held_out(*fit.model, table_, {0, table_.rows}, {.missing = request_.missing}, context,
                     [&](const HeldOut& block) { add_trained(block, total); });
      trial.result.train_error_rate = total.error_rate();
      trial.result.train_log_loss = total.log_loss();
      trial.result.seconds += std::chrono::duration<double>(Clock::now() - begin).count();
      if (&trial == trials_.data()) { result.winner = std::move(fit.model); }
    }
  }

  void add_trained(const HeldOut& block, measure::Measures& total) const {
    for (std::size_t r = 0; r < block.rows; ++r) {
      const std::size_t row = block.first + r;
      if (skipped_.front()[row] != 0 || (!block.skipped.empty() && block.skipped[r] != 0)) {
        continue;
      }
      total.add(static_cast<std::size_t>(table_.labels[row]),
                block.posteriors.subspan(r * classes(), classes()), table_.weight(row));
    }
  }

  void describe(Comparison& result) {
    result.labels = table_.schema.labels;
    result.rows = table_.rows - result.rows_skipped;
    result.folds = plan_.folds;
    result.repeats = plan_.repeats;
    result.notes = table_.notes;
    for (Trial& trial : trials_) { result.models.push_back(std::move(trial.result)); }
  }

  const ComparisonRequest& request_;
  const Table& table_;
  Plan plan_;
  std::vector<Trial> trials_;
  std::vector<std::vector<std::size_t>> fold_of_;   ///< by repeat and row
  std::vector<std::vector<std::uint8_t>> skipped_;  ///< by repeat and row
};

}  // namespace

Comparison compare(BlockSource& source, const ComparisonRequest& request, const Context& context) {
  if (request.folds < 2) {
    throw Error(ErrorCode::usage,
                "--folds: at least 2 are needed, one to hold out and one to train on");
  }
  const Table table = read_table(source, context);
  return Comparer(request, table).run(context);
}

}  // namespace logodds::choose
