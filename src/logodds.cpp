// The front door, written once for every family, over Learner, Classifier and its two faces alone.
#include <algorithm>

#include "kernels/kernels.hpp"
#include "logodds/decide/decide.hpp"
#include "logodds/logodds.hpp"
#include "logodds/models/accumulate.hpp"
#include "logodds/parallel/blocks.hpp"
#include "logodds/posterior/posterior.hpp"

namespace logodds {

namespace {

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
  std::size_t incomplete = 0;
  std::string text;

  [[nodiscard]] ScoredBlock view() {
    return {rows.view(), posteriors, skipped, decisions, log_densities, p_values, distances};
  }
};

/// A row that is so far out that its scores overflow has no posterior: says where it stands.
void check_scores(std::span<const double> scores, std::size_t classes, const RowBuffer& rows,
                  const BlockSource& source) {
  const std::size_t row = posterior::first_overflow(scores, classes);
  if (row == rows.rows) { return; }
  throw Error(ErrorCode::input,
              source.place(rows.row_number(row)) +
                  ": the values are so far from the training rows that the scores overflow; check "
                  "the units of the columns");
}

/// What every block is asked for, and by which model.
class Scorer {
 public:
  /// `joint`: scores are to be ln p(x, C_k).
  Scorer(const Classifier& model, const ScoreRequest& request, bool joint)
      : model_(model),
        request_(request),
        classes_(model.labels().size()),
        uses_missing_(model.takes_missing() && request.missing == MissingRows::use),
        joint_(joint) {
    const bool generative = request.densities || request.reject_outliers > 0.0 ||
                            request.rule == decide::Rule::likelihood;
    if (generative && model.generative() == nullptr) {
      throw Error(ErrorCode::usage, "a model of family " + model.family() +
                                        " has no densities of the rows; take a generative one, as "
                                        "gaussian is");
    }
    if (request.distances) { count_boundaries(); }
  }

  void score(const BlockSource& source, Scoring& block) const {
    source.parse(block.rows);
    deal_with_missing(source, block);
    block.scores.resize(block.rows.rows * classes_);
    const RowBlock rows = block.rows.view();
    if (joint_) {
      model_.generative()->log_joint(rows, block.scores);
    } else {
      model_.log_scores(rows, block.scores);
    }
    check_scores(block.scores, classes_, block.rows, source);
    block.posteriors = block.scores;
    fill_extras(rows, block);
    decide_rows(block);
  }

 private:
  void count_boundaries() {
    const auto* const geometry = model_.geometry();
    if (geometry != nullptr) {
      for (const auto& boundary : geometry->boundaries()) {
        linear_ += boundary.linear() ? 1U : 0U;
      }
    }
    if (linear_ == 0) {
      throw Error(ErrorCode::usage,
                  "no boundary of this model is linear, so no distance from one is known; train it "
                  "with --model gaussian --covariance shared");
    }
  }

  void deal_with_missing(const BlockSource& source, Scoring& block) const {
    block.skipped.clear();
    block.incomplete = 0;
    if (uses_missing_) {
      const auto flags = block.rows.incomplete_rows();
      block.incomplete = static_cast<std::size_t>(std::count(flags.begin(), flags.end(), 1));
    } else if (request_.missing == MissingRows::error) {
      drop_incomplete(block.rows, source, MissingRows::error);
    } else {
      block.skipped = block.rows.incomplete_rows();
      if (!block.skipped.empty()) { block.rows.fill_missing(block.skipped); }
    }
  }

  void fill_extras(const RowBlock& rows, Scoring& block) const {
    if (request_.densities) {
      block.log_densities.resize(rows.rows);
      posterior::from_log_scores(block.posteriors, classes_, block.log_densities);
    } else {
      posterior::from_log_scores(block.posteriors, classes_);
    }
    if (request_.densities || request_.reject_outliers > 0.0) {
      block.p_values.resize(rows.rows);
      model_.generative()->outlier_p_values(rows, block.p_values);
    }
    if (request_.distances) {
      block.distances.resize(rows.rows * linear_);
      model_.geometry()->signed_distances(rows, block.distances);
    }
  }

  void decide_rows(Scoring& block) const {
    const std::size_t rows = block.rows.rows;
    block.decisions.resize(rows);
    std::vector<double> likelihoods(classes_);
    for (std::size_t r = 0; r < rows; ++r) {
      std::span<const double> row(block.posteriors.data() + r * classes_, classes_);
      if (request_.rule == decide::Rule::likelihood) {
        const auto priors = model_.generative()->log_priors();
        for (std::size_t k = 0; k < classes_; ++k) {
          likelihoods[k] = block.scores[r * classes_ + k] - priors[k];
        }
        row = likelihoods;
      }
      const bool rejected =
          request_.reject_outliers > 0.0 && block.p_values[r] < request_.reject_outliers;
      const bool skipped = !block.skipped.empty() && block.skipped[r] != 0;
      block.decisions[r] =
          rejected || skipped ? kNoDecision : static_cast<std::int32_t>(decide::argmax(row));
    }
  }

  const Classifier& model_;
  const ScoreRequest& request_;
  std::size_t classes_;
  bool uses_missing_;
  bool joint_;
  std::size_t linear_ = 0;  ///< boundaries
};

/// The pipeline behind score(), score_text() and evaluate(): `work` runs in parallel after a block
/// is scored, `commit` in the order of the rows.
ScoreReport run_scoring(const Classifier& model, BlockSource& source, const Context& context,
                        const ScoreRequest& request, const std::function<void(Scoring&)>& work,
                        const std::function<void(Scoring&)>& commit, bool joint = false) {
  ScoreReport report;
  const Scorer scorer(model, request, joint || request.densities);
  std::size_t rows_taken = 0;
  parallel::run_blocks<Scoring>(
      context.threads, 1,
      [&](Scoring& block) {
        const bool more = source.take(block.rows);
        rows_taken += more ? block.rows.rows : 0;
        if (context.progress) {
          context.progress(
              {.what = "scoring", .fraction = source.fraction_taken(), .rows = rows_taken});
        }
        return more;
      },
      [&](Scoring& block) {
        scorer.score(source, block);
        work(block);
      },
      [&](Scoring& block, std::size_t) {
        const auto undecided = static_cast<std::size_t>(
            std::count(block.decisions.begin(), block.decisions.end(), kNoDecision));
        const auto skipped = static_cast<std::size_t>(
            std::count(block.skipped.begin(), block.skipped.end(), std::uint8_t{1}));
        report.rows += block.rows.rows - skipped;
        report.rows_skipped += skipped;
        report.rows_rejected += undecided - skipped;
        report.rows_incomplete += block.incomplete;
        report.unseen_levels += block.rows.unseen_levels;
        commit(block);
      });
  return report;
}

const Incremental& incremental_of(const Learner& learner, const std::string& family) {
  if (learner.incremental() == nullptr) {
    throw Error(ErrorCode::usage,
                "a model of family " + family +
                    " keeps no statistics, so it cannot be changed; train a new "
                    "one, or take a family that 'logodds models' calls mergeable");
  }
  return *learner.incremental();
}

/// With the options of the model, some changed.
std::unique_ptr<Learner> learner_of(const Classifier& model, const OptionChanges& changed) {
  const FamilyRecord& record = find_family(model.family());
  OptionChanges values(model.options().values().begin(), model.options().values().end());
  for (const auto& [name, value] : changed) { values[name] = value; }
  return record.make_learner(Options(record.options, values));
}

}  // namespace

Fit train(BlockSource& source, std::string_view family,
          const std::map<std::string, std::string>& options, const Context& context,
          MissingRows missing) {
  const FamilyRecord& record = find_family(family);
  return record.make_learner(Options(record.options, options))->fit(source, missing, context);
}

Fit merge(std::span<const Classifier* const> models, const Context& context,
          const OptionChanges& changed) {
  if (models.empty()) { throw Error(ErrorCode::usage, "merging needs at least one model"); }
  const auto learner = learner_of(*models.front(), changed);
  return incremental_of(*learner, models.front()->family()).merge(models, context);
}

Fit update(const Classifier& model, BlockSource& source, const Context& context,
           MissingRows missing, const OptionChanges& changed) {
  const auto learner = learner_of(model, changed);
  return incremental_of(*learner, model.family()).update(model, source, missing, context);
}

Fit forget(const Classifier& model, BlockSource& source, const Context& context,
           MissingRows missing, const OptionChanges& changed) {
  const auto learner = learner_of(model, changed);
  return incremental_of(*learner, model.family()).forget(model, source, missing, context);
}

Fit with_options(const Classifier& model, const OptionChanges& changed, const Context& context) {
  const Classifier* const models[] = {&model};
  return merge(models, context, changed);
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
        model.log_scores(block.rows.view(), scores);
        check_scores(scores, classes, block.rows, *source);
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
  score_matrix(
      model, rows, missing, context,
      [&](Scoring& block) {
        block.scores.resize(block.rows.rows * classes);
        return std::span(block.scores);
      },
      [&](const RowBuffer& block, std::span<double> scores) {
        kernels::argmax_rows(scores.data(), block.rows, classes, out.data() + block.first_row);
      });
}

Evaluation evaluate(const Classifier& model, BlockSource& source, const Context& context,
                    const ScoreRequest& request) {
  const std::size_t classes = model.labels().size();
  const bool generative = model.generative() != nullptr;
  measure::Measures total(classes);
  Likelihood likelihood;
  const auto add_block = [&](Scoring& block) {
    const RowBlock rows = block.rows.view();
    if (rows.labels == nullptr && rows.rows > 0) {
      throw Error(ErrorCode::usage, "the rows carry no labels to compare with");
    }
    for (std::size_t r = 0; r < rows.rows; ++r) {
      if (block.decisions[r] == kNoDecision) { continue; }
      const auto truth = static_cast<std::size_t>(rows.labels[r]);
      total.add(truth, static_cast<std::size_t>(block.decisions[r]),
                {block.posteriors.data() + r * classes, classes}, rows.weight(r));
      likelihood.log_likelihood += rows.weight(r) * block.scores[r * classes + truth];
      likelihood.weight += rows.weight(r);
    }
  };
  const auto report =
      run_scoring(model, source, context, request, [](Scoring&) {}, add_block, generative);
  if (total.rows() == 0) {
    throw Error(ErrorCode::input,
                source.name() +
                    ": no row is left to evaluate; give labelled rows that have every "
                    "value the model needs");
  }
  Evaluation evaluation{std::move(total), report};
  if (generative) {
    likelihood.parameters = model.generative()->parameter_count();
    evaluation.likelihood = likelihood;
  }
  return evaluation;
}

void project(const Classifier& model, BlockSource& source, std::size_t axes,
             const std::function<void(const RowBlock&, std::span<const double>)>& sink,
             const Context& context) {
  const auto* const geometry = model.geometry();
  if (geometry == nullptr || geometry->axis_count() == 0) {
    throw Error(ErrorCode::usage,
                "this model has no axes that separate classes; train one of family gaussian with "
                "at least two classes");
  }
  if (axes == 0 || axes > geometry->axis_count()) {
    throw Error(ErrorCode::usage, "the model has " + std::to_string(geometry->axis_count()) +
                                      " axes; ask for 1 to " +
                                      std::to_string(geometry->axis_count()));
  }
  parallel::run_blocks<Scoring>(
      context.threads, 1, [&](Scoring& block) { return source.take(block.rows); },
      [&](Scoring& block) {
        source.parse(block.rows);
        block.distances.resize(block.rows.rows * axes);
        geometry->project(block.rows.view(), axes, block.distances);
      },
      [&](Scoring& block, std::size_t) { sink(block.rows.view(), block.distances); });
}

}  // namespace logodds
