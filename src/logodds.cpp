// The front door, written once for every family, over Learner, Classifier, DescriptiveModel and
// their faces alone.
#include <algorithm>
#include <cmath>

#include "kernels/kernels.hpp"
#include "logodds/logodds.hpp"
#include "logodds/measure/weights.hpp"
#include "logodds/models/accumulate.hpp"
#include "logodds/models/adjusted.hpp"
#include "logodds/parallel/blocks.hpp"
#include "logodds/posterior/posterior.hpp"
#include "scoring.hpp"

namespace logodds {

using scoring::run_scoring;
using scoring::Scoring;

namespace {

const Incremental& incremental_of(const Learner& learner, const Classifier& model) {
  const std::string& family = model.family();
  if (learner.incremental() == nullptr && record_of(model).capabilities.mergeable) {
    throw Error(ErrorCode::usage, "this model of family " + family +
                                      " has dropped rows, as its options say, so it cannot be "
                                      "changed; train a new one on all the rows");
  }
  if (learner.incremental() == nullptr) {
    throw Error(ErrorCode::usage,
                "a model of family " + family +
                    " keeps no statistics, so it cannot be changed; train a new "
                    "one, or take a family whose models can be merged, as 'logodds models NAME' "
                    "says");
  }
  return *learner.incremental();
}

/// What was fitted to validation rows would not fit another model.
void check_unadjusted(const Classifier& model) {
  if (adjustments_of(model) == nullptr) { return; }
  throw Error(ErrorCode::usage,
              "the model has a calibration or a threshold, which would not fit it once its rows "
              "change; change the model from before, then calibrate it again");
}

/// With the options of the model, some changed.
std::unique_ptr<Learner> learner_of(const Classifier& model, const OptionChanges& changed) {
  const FamilyRecord& record = record_of(model);
  OptionChanges values(model.options().values().begin(), model.options().values().end());
  for (const auto& [name, value] : changed) { values[name] = value; }
  return record.make_learner(Options(record.options, values));
}

}  // namespace

namespace {

/// A model that holds its parameters and not its statistics could be saved with infinite ones, and
/// not be loaded again.
void check_finite(const Classifier& model, const std::string& source) {
  for (const NamedArray& array : model.arrays()) {
    if (!kernels::all_finite(array.values.data(), 1, array.values.size(), array.values.size())) {
      throw Error(ErrorCode::numeric,
                  source + ": the numbers of the model (its " + array.name +
                      ") are too large for the machine; bring the columns to like scales, or give "
                      "a larger --decay");
    }
  }
}

}  // namespace

namespace {

Fit fit_record(const FamilyRecord& record, BlockSource& source,
               const std::map<std::string, std::string>& options, const Context& context,
               MissingRows missing) {
  const auto learner = record.make_learner(Options(record.options, options));
  Fit fit = learner->fit(source, missing, context);
  if (learner->incremental() == nullptr) { check_finite(*fit.model, source.name()); }
  return fit;
}

}  // namespace

Fit train(BlockSource& source, std::string_view family,
          const std::map<std::string, std::string>& options, const Context& context,
          MissingRows missing) {
  return fit_record(find_family(family), source, options, context, missing);
}

Fit cluster(BlockSource& source, std::string_view clustering,
            const std::map<std::string, std::string>& options, const Context& context,
            MissingRows missing) {
  return fit_record(find_clustering(clustering), source, options, context, missing);
}

Fit merge(std::span<const Classifier* const> models, const Context& context,
          const OptionChanges& changed) {
  if (models.empty()) { throw Error(ErrorCode::usage, "merging needs at least one model"); }
  for (const Classifier* model : models) { check_unadjusted(*model); }
  const auto learner = learner_of(*models.front(), changed);
  return incremental_of(*learner, *models.front()).merge(models, context);
}

Fit update(const Classifier& model, BlockSource& source, const Context& context,
           MissingRows missing, const OptionChanges& changed) {
  check_unadjusted(model);
  const auto learner = learner_of(model, changed);
  return incremental_of(*learner, model).update(model, source, missing, context);
}

Fit forget(const Classifier& model, BlockSource& source, const Context& context,
           MissingRows missing, const OptionChanges& changed) {
  check_unadjusted(model);
  const auto learner = learner_of(model, changed);
  return incremental_of(*learner, model).forget(model, source, missing, context);
}

namespace {

std::vector<double> priors_of(const Classifier& model) {
  std::vector<double> priors = model.array("priors").values;
  if (priors.size() == model.labels().size()) { return priors; }
  throw Error(ErrorCode::usage, "a model of family " + model.family() +
                                    " has no priors to change; train one that has, as gaussian "
                                    "and naive-bayes do");
}

}  // namespace

/// Calibrated posteriors take other priors by the ratio of the new to the old; the options of a
/// model that is calibrated stay otherwise.
Fit with_options(const Classifier& model, const OptionChanges& changed, const Context& context) {
  const Classifier& base = unadjusted(model);
  const Classifier* const models[] = {&base};
  Fit fit = merge(models, context, changed);
  const Adjustments* const found = adjustments_of(model);
  if (found == nullptr) { return fit; }
  Adjustments adjustments = *found;
  if (adjustments.calibration) {
    const std::vector<double> before = priors_of(base);
    const std::vector<double> after = priors_of(*fit.model);
    adjustments.prior_shift.assign(before.size(), 0.0);
    for (std::size_t k = 0; k < before.size(); ++k) {
      adjustments.prior_shift[k] = std::log(after[k]) - std::log(before[k]);
    }
    fit.model = merge(models, context).model;  // the posteriors that the calibration knows
  }
  fit.model = adjusted(std::move(fit.model), std::move(adjustments));
  return fit;
}

ScoreReport score(const Classifier& model, BlockSource& source,
                  const std::function<void(const ScoredBlock&)>& sink, const Context& context,
                  const ScoreRequest& request) {
  return run_scoring(
      model, source, context, request, [](Scoring&) {},
      [&](Scoring& block) { sink(block.view()); });
}

ScoreReport score_text(const Classifier& model, BlockSource& source,
                       const std::function<void(const ScoredBlock&, std::string&)>& render,
                       const std::function<void(const std::string&)>& write, const Context& context,
                       const ScoreRequest& request) {
  return run_scoring(
      model, source, context, request,
      [&](Scoring& block) {
        block.text.clear();
        render(block.view(), block.text);
      },
      [&](Scoring& block) { write(block.text); });
}

namespace {

/// Scores the blocks of a matrix, each at the place that `place` gives it, and hands them to `use`;
/// no block waits for another.
void score_matrix(const Classifier& model, const MatrixView& rows, MissingRows missing,
                  const Context& context, const std::function<std::span<double>(Scoring&)>& place,
                  const std::function<void(const RowBuffer&, std::span<double>)>& use) {
  const std::size_t classes = model.labels().size();
  const auto source = open_matrix(
      {.features = rows, .allow_missing = missing != MissingRows::error && model.takes_missing()},
      model.schema());
  const std::size_t blocks = std::max<std::size_t>(1, (rows.rows + kBlockRows - 1) / kBlockRows);
  parallel::run_blocks<Scoring>(
      parallel::useful_threads(context.threads, blocks), blocks,
      [&](Scoring& block) { return source->take(block.rows); },
      [&](Scoring& block) {
        source->parse(block.rows);
        const auto scores = place(block);
        try {
          model.log_scores(block.rows.view(), scores);
        } catch (const RowProblem& problem) { throw_at_place(*source, block.rows, problem); }
        scoring::check_scores(scores, classes, block.rows, *source);
        use(block.rows, scores);
      },
      [](Scoring&, std::size_t) {});
}

}  // namespace

void posteriors(const Classifier& model, const MatrixView& rows, std::span<double> out,
                const Context& context, MissingRows missing) {
  const std::size_t classes = model.labels().size();
  score_matrix(
      model, rows, missing, context,
      [&](Scoring& block) {
        return out.subspan(block.rows.first_row * classes, block.rows.rows * classes);
      },
      [&](const RowBuffer&, std::span<double> scores) {
        posterior::from_log_scores(scores, classes);
      });
}

void decisions(const Classifier& model, const MatrixView& rows, std::span<std::int32_t> out,
               const Context& context, MissingRows missing) {
  const std::size_t classes = model.labels().size();
  const decide::Policy policy = scoring::policy_of(model, {});
  score_matrix(
      model, rows, missing, context,
      [&](Scoring& block) {
        block.scores.resize(block.rows.rows * classes);
        return std::span(block.scores);
      },
      [&](const RowBuffer& block, std::span<double> scores) {
        if (policy.plain()) {
          kernels::argmax_rows(scores.data(), block.rows, classes, out.data() + block.first_row);
          return;
        }
        posterior::from_log_scores(scores, classes);
        for (std::size_t r = 0; r < block.rows; ++r) {
          out[block.first_row + r] = decide::decide(policy, scores.subspan(r * classes, classes));
        }
      });
}

Evaluation evaluate(const Classifier& model, BlockSource& source, const Context& context,
                    const ScoreRequest& request, const measure::MeasureOptions& options) {
  const std::size_t classes = model.labels().size();
  const bool generative = model.generative() != nullptr;
  measure::Measures total(classes, options);
  const decide::Policy policy = scoring::policy_of(model, request);
  measure::DecisionTotals decisions(policy.costs ? &*policy.costs : nullptr);
  Likelihood likelihood;
  const auto add_block = [&](Scoring& block) {
    const RowBlock rows = block.rows.view();
    if (rows.labels == nullptr && rows.rows > 0) {
      throw Error(ErrorCode::usage, "the rows carry no labels to compare with");
    }
    measure::check_weights(block.rows, source);
    for (std::size_t r = 0; r < rows.rows; ++r) {
      if (!block.skipped.empty() && block.skipped[r] != 0) { continue; }
      const auto truth = static_cast<std::size_t>(rows.labels[r]);
      const std::span<const double> row(block.posteriors.data() + r * classes, classes);
      decisions.add(truth, block.decisions[r], row, rows.weight(r));
      if (block.decisions[r] == kNoDecision) { continue; }
      total.add(truth, static_cast<std::size_t>(block.decisions[r]), row, rows.weight(r));
      likelihood.log_likelihood += rows.weight(r) * block.scores[r * classes + truth];
      likelihood.weight += rows.weight(r);
    }
  };
  const auto report =
      run_scoring(model, source, context, request, [](Scoring&) {}, add_block, generative);
  if (total.rows() == 0 && report.rows_rejected > 0) {
    throw Error(ErrorCode::input,
                source.name() +
                    ": every row is rejected, so there is no decision to evaluate; "
                    "lower --reject-below or the thresholds, or raise the cost of a "
                    "rejection");
  }
  if (total.rows() == 0) {
    throw Error(ErrorCode::input,
                source.name() +
                    ": no row is left to evaluate; give labelled rows that have every "
                    "value the model needs");
  }
  Evaluation evaluation{std::move(total), report};
  if (!policy.plain()) { evaluation.decisions = decisions; }
  if (generative) {
    likelihood.parameters = model.generative()->parameter_count();
    evaluation.likelihood = likelihood;
  }
  return evaluation;
}

DescriptiveFit describe(BlockSource& source, std::string_view kind,
                        const std::map<std::string, std::string>& options, const Context& context,
                        MissingRows missing) {
  const DescriptiveRecord* const record = find_descriptive(kind);
  if (record == nullptr) {
    std::vector<std::string> names;
    for (const auto& known : descriptive_records()) { names.push_back(known.name); }
    throw Error(ErrorCode::usage, "rows are not described by '" + std::string(kind) + "'" +
                                      did_you_mean(kind, names));
  }
  return record->fit(source, Options(record->options, options), missing, context);
}

DescriptiveFit merge(std::span<const DescriptiveModel* const> models, const Context& context) {
  if (models.empty()) { throw Error(ErrorCode::usage, "merging needs at least one model"); }
  return models.front()->merged(models.subspan(1), context);
}

namespace {

/// Of a row whose values are all there, every number is finite, or something has overflowed.
void check_filled(const RowBuffer& rows, std::span<const double> values, std::size_t width,
                  const BlockSource& source) {
  const auto finite = [](double value) { return std::isfinite(value); };
  if (std::ranges::all_of(values, finite)) { return; }
  const auto incomplete = rows.incomplete_rows();
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const bool lacking = !incomplete.empty() && incomplete[r] != 0;
    if (lacking || std::ranges::all_of(values.subspan(r * width, width), finite)) { continue; }
    throw Error(ErrorCode::input, source.place(rows.row_number(r)) +
                                      ": the values are so large that sums of them overflow; check "
                                      "the units of the columns");
  }
}

/// `width` numbers of every row of a block, by `fill`, handed to `sink` in the order of the rows.
void fill_rows(BlockSource& source, std::size_t width, const Context& context,
               const std::function<void(const RowBlock&, std::span<double>)>& fill,
               const RowsSink& sink) {
  struct Filled {
    RowBuffer rows;
    std::vector<double> values;
  };
  std::size_t rows_taken = 0;
  parallel::run_blocks<Filled>(
      context.threads, 1,
      [&](Filled& block) {
        const bool more = source.take(block.rows);
        rows_taken += more ? block.rows.rows : 0;
        if (context.progress) {
          context.progress(
              {.what = "projecting", .fraction = source.fraction_taken(), .rows = rows_taken});
        }
        return more;
      },
      [&](Filled& block) {
        source.parse(block.rows);
        block.rows.take_unseen_as_missing();
        block.values.resize(block.rows.rows * width);
        fill(block.rows.view(), block.values);
        check_filled(block.rows, block.values, width, source);
      },
      [&](Filled& block, std::size_t) { sink(block.rows.view(), block.values); });
}

void check_count(std::size_t asked, std::size_t there) {
  if (asked > 0 && asked <= there) { return; }
  throw Error(ErrorCode::usage, "the model has " + std::to_string(there) + " axes; ask for 1 to " +
                                    std::to_string(there));
}

}  // namespace

void project(const Axes& axes, BlockSource& source, std::size_t count, const RowsSink& sink,
             const Context& context) {
  check_count(count, axes.axis_count());
  fill_rows(
      source, count, context,
      [&](const RowBlock& block, std::span<double> out) { axes.project(block, count, out); }, sink);
}

void project(const Classifier& model, BlockSource& source, std::size_t axes, const RowsSink& sink,
             const Context& context) {
  const auto* const geometry = model.geometry();
  if (geometry == nullptr || geometry->axis_count() == 0) {
    throw Error(ErrorCode::usage,
                "this model has no axes that separate classes; train one of family gaussian with "
                "at least two classes");
  }
  project(*geometry, source, axes, sink, context);
}

void reconstruct(const FittedAxes& axes, BlockSource& source, std::size_t count,
                 const RowsSink& sink, const Context& context) {
  check_count(count, axes.axis_count());
  fill_rows(
      source, axes.column_names().size(), context,
      [&](const RowBlock& block, std::span<double> out) { axes.reconstruct(block, count, out); },
      sink);
}

void fitted_values(const FittedLine& line, BlockSource& source, const RowsSink& sink,
                   const Context& context) {
  fill_rows(
      source, 1, context,
      [&](const RowBlock& block, std::span<double> out) { line.fitted(block, out); }, sink);
}

void residuals(const FittedLine& line, BlockSource& source, const RowsSink& sink,
               const Context& context) {
  const auto fill = [&](const RowBlock& block, std::span<double> out) {
    std::vector<double> values(block.rows);
    line.fitted(block, values);
    for (std::size_t r = 0; r < block.rows; ++r) {
      const double y = block.numeric[r * block.numeric_stride + block.numeric_columns - 1];
      out[3 * r] = y;
      out[3 * r + 1] = values[r];
      out[3 * r + 2] = y - values[r];
    }
  };
  fill_rows(source, 3, context, fill, sink);
}

}  // namespace logodds
