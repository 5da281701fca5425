#include "scoring.hpp"

#include <algorithm>
#include <limits>

#include "logodds/decide/decide.hpp"
#include "logodds/models/accumulate.hpp"
#include "logodds/models/adjusted.hpp"
#include "logodds/models/row_problem.hpp"
#include "logodds/parallel/blocks.hpp"
#include "logodds/posterior/posterior.hpp"

namespace logodds::scoring {

void check_scores(std::span<const double> scores, std::size_t classes, const RowBuffer& rows,
                  const BlockSource& source) {
  const std::size_t row = posterior::first_overflow(scores, classes);
  if (row == rows.rows) { return; }
  throw Error(ErrorCode::input,
              source.place(rows.row_number(row)) +
                  ": the values are so far from the training rows that the scores overflow; check "
                  "the units of the columns");
}

void check_neighbors(const Classifier& model, std::size_t count) {
  const Neighborhood* const neighborhood = model.neighborhood();
  if (neighborhood == nullptr) {
    throw Error(ErrorCode::usage, "a model of family " + model.family() +
                                      " does not decide by rows that are near; train one with "
                                      "--model neighbors");
  }
  if (count == 0 || count > neighborhood->neighbor_rows()) {
    throw Error(ErrorCode::usage, std::to_string(count) + " neighbors are asked for of a model " +
                                      "that holds " +
                                      std::to_string(neighborhood->neighbor_rows()) +
                                      " rows; ask for at least 1 and at most so many");
  }
}

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What every block is asked for, and by which model.
class Scorer {
 public:
  /// `joint`: scores are to be ln p(x, C_k).
  Scorer(const Classifier& model, const ScoreRequest& request, bool joint)
      : model_(model),
        request_(request),
        policy_(policy_of(model, request)),
        classes_(model.labels().size()),
        uses_missing_(model.takes_missing() && request.missing == MissingRows::use),
        joint_(joint),
        adjusted_(adjustments_of(model) != nullptr) {
    const bool generative = request.densities || request.reject_outliers > 0.0 ||
                            request.rule == decide::Rule::likelihood;
    if (generative && model.generative() == nullptr) {
      throw Error(ErrorCode::usage, "a model of family " + model.family() +
                                        " has no densities of the rows; take a generative one, as "
                                        "gaussian is");
    }
    if (request.distances) { count_boundaries(); }
    if (request.neighbors > 0) { check_neighbors(model, request.neighbors); }
  }

  void score(const BlockSource& source, Scoring& block) const {
    source.parse(block.rows);
    deal_with_missing(source, block);
    block.scores.resize(block.rows.rows * classes_);
    block.rows.tally = {};
    const RowBlock rows = block.rows.view();
    try {
      fill_scores(rows, block);
    } catch (const RowProblem& problem) { throw_at_place(source, block.rows, problem); }
    check_scores(block.posteriors, classes_, block.rows, source);
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

  /// ln p(x, C_k) is -infinity in every class.
  [[nodiscard]] bool impossible(const Scoring& block, std::size_t r) const {
    const auto row = block.scores.begin() + static_cast<std::ptrdiff_t>(r * classes_);
    return std::all_of(row, row + static_cast<std::ptrdiff_t>(classes_),
                       [](double score) { return score == -kInfinity; });
  }

  /// Scores, and the same where posteriors are to be. A row that is impossible in every class has
  /// no ln p(x, C_k) to compare: its posteriors come from the scores alone.
  void fill_scores(const RowBlock& rows, Scoring& block) const {
    if (!joint_) {
      fill_log_scores(rows, block);
      block.posteriors = block.scores;
      return;
    }
    model_.generative()->log_joint(rows, block.scores);
    block.posteriors = block.scores;
    // Calibration makes posteriors of many rows equal, and adding ln p(x) would round them apart.
    if (adjusted_) { return model_.log_scores(rows, block.posteriors); }
    std::vector<double> scores;
    for (std::size_t r = 0; r < rows.rows; ++r) {
      if (!impossible(block, r)) { continue; }
      if (scores.empty()) {
        scores.resize(block.scores.size());
        model_.log_scores(rows, scores);
      }
      std::copy_n(scores.begin() + static_cast<std::ptrdiff_t>(r * classes_), classes_,
                  block.posteriors.begin() + static_cast<std::ptrdiff_t>(r * classes_));
    }
  }

  /// The nearest rows come from the search that finds the voters.
  void fill_log_scores(const RowBlock& rows, Scoring& block) const {
    if (request_.neighbors == 0) { return model_.log_scores(rows, block.scores); }
    block.neighbors.resize(rows.rows * request_.neighbors);
    block.neighbor_distances.resize(rows.rows * request_.neighbors);
    model_.neighborhood()->nearest(rows, request_.neighbors, block.neighbors,
                                   block.neighbor_distances, block.scores);
  }

  void deal_with_missing(const BlockSource& source, Scoring& block) const {
    block.skipped.clear();
    block.incomplete = 0;
    if (!model_.takes_unseen_levels()) { block.rows.take_unseen_as_missing(); }
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
      for (std::size_t r = 0; r < rows.rows; ++r) {
        if (impossible(block, r)) { block.log_densities[r] = -kInfinity; }
      }
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
    block.unsure = 0;
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
      const bool outlier =
          request_.reject_outliers > 0.0 && block.p_values[r] < request_.reject_outliers;
      const bool skipped = !block.skipped.empty() && block.skipped[r] != 0;
      if (outlier || skipped) {
        block.decisions[r] = kNoDecision;
        continue;
      }
      block.decisions[r] = decide::decide(policy_, row);
      block.unsure += block.decisions[r] == kNoDecision ? 1U : 0U;
    }
  }

  const Classifier& model_;
  const ScoreRequest& request_;
  decide::Policy policy_;
  std::size_t classes_;
  bool uses_missing_;
  bool joint_;
  bool adjusted_;           ///< posteriors are calibrated, or of other priors
  std::size_t linear_ = 0;  ///< boundaries
};

}  // namespace

decide::Policy policy_of(const Classifier& model, const ScoreRequest& request) {
  static_assert(decide::kReject == kNoDecision);
  if (request.rule == decide::Rule::likelihood) { return {}; }
  if (request.policy != nullptr) { return *request.policy; }
  const Adjustments* const adjustments = adjustments_of(model);
  if (adjustments == nullptr) { return {}; }
  return {.thresholds = adjustments->thresholds};
}

ScoreReport run_scoring(const Classifier& model, BlockSource& source, const Context& context,
                        const ScoreRequest& request, const std::function<void(Scoring&)>& work,
                        const std::function<void(Scoring&)>& commit, bool joint, bool dense) {
  ScoreReport report;
  if (model.takes_sparse() && !dense) { source.keep_sparse(); }
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
        report.rows_unsure += block.unsure;
        report.rows_incomplete += block.incomplete;
        report.unseen_levels += block.rows.unseen_levels;
        report.texts.add(block.rows.tally);
        commit(block);
      });
  return report;
}

}  // namespace logodds::scoring
