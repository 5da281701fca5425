// Why a row is decided as it is, for every model whose scores are sums over columns.
#include <algorithm>
#include <cmath>
#include <limits>

#include "logodds/logodds.hpp"
#include "logodds/models/adjusted.hpp"
#include "scoring.hpp"

namespace logodds {

using scoring::run_scoring;
using scoring::Scoring;

namespace {

/// The class with the largest score besides the winner, ties to the first.
std::int32_t runner_up(std::span<const double> scores, std::int32_t winner) {
  std::int32_t best = winner == 0 ? 1 : 0;
  for (std::int32_t k = best + 1; k < static_cast<std::int32_t>(scores.size()); ++k) {
    const bool better =
        scores[static_cast<std::size_t>(k)] > scores[static_cast<std::size_t>(best)];
    if (k != winner && better) { best = k; }
  }
  return best;
}

/// What one block is explained with.
class Explainer {
 public:
  Explainer(const Classifier& model, double log_base)
      : evidence_(require_evidence(model)),
        classes_(model.labels().size()),
        parts_(evidence_.parts().size()),
        unit_(std::log(log_base)) {
    if (!std::isfinite(log_base) || log_base <= 1.0) {
      throw Error(ErrorCode::usage, "logarithms need a base above 1, not " +
                                        format_number(log_base) + "; take e, 2 or 10");
    }
  }

  void explain(Scoring& block) const {
    const std::size_t rows = block.rows.rows;
    Explanation& out = block.explanation;
    out.against.assign(rows, kNoDecision);
    out.log_odds.resize(rows);
    out.base.resize(rows);
    out.contributions.resize(rows * parts_);
    choose_pairs(block);
    evidence_.contributions(block.rows.view(), out.winners, out.opponents, out.contributions,
                            out.base);
    if (unit_ != 1.0) {
      for (double& term : out.base) { term /= unit_; }
      for (double& term : out.contributions) { term /= unit_; }
    }
    for (std::size_t r = 0; r < rows; ++r) {
      out.log_odds[r] =
          add_terms(out.base[r], std::span(out.contributions).subspan(r * parts_, parts_));
    }
  }

 private:
  using Explanation = scoring::Explanation;

  /// Rows without a decision compare the first class with itself.
  void choose_pairs(Scoring& block) const {
    Explanation& out = block.explanation;
    out.winners.assign(block.rows.rows, 0);
    out.opponents.assign(block.rows.rows, 0);
    for (std::size_t r = 0; r < block.rows.rows; ++r) {
      const std::int32_t winner = block.decisions[r];
      if (winner == kNoDecision) { continue; }
      out.winners[r] = winner;
      out.opponents[r] = runner_up({block.scores.data() + r * classes_, classes_}, winner);
      out.against[r] = out.opponents[r];
    }
  }

  const Evidence& evidence_;
  std::size_t classes_;
  std::size_t parts_;
  double unit_;  ///< ln of the base
};

ExplainedBlock view(Scoring& block) {
  const scoring::Explanation& found = block.explanation;
  return {block.view(), found.against, found.log_odds, found.base, found.contributions};
}

}  // namespace

double add_terms(double base, std::span<const double> terms) {
  double finite = std::isinf(base) ? 0.0 : base;
  int infinities = std::isinf(base) ? (base > 0.0 ? 1 : -1) : 0;
  for (const double term : terms) {
    if (std::isinf(term)) {
      infinities += term > 0.0 ? 1 : -1;
    } else {
      finite += term;
    }
  }
  if (infinities == 0) { return finite; }
  return std::copysign(std::numeric_limits<double>::infinity(), infinities);
}

const Evidence& require_evidence(const Classifier& model) {
  const Evidence* const evidence = model.evidence();
  if (evidence == nullptr && unadjusted(model).evidence() != nullptr) {
    throw Error(ErrorCode::usage,
                "the model is calibrated, and calibrated log odds are no sums over columns; "
                "explain with the model from before the calibration");
  }
  if (evidence == nullptr) {
    throw Error(ErrorCode::usage,
                "the scores of this model of family " + model.family() +
                    " are no sums over columns, so no column has a share of its own in a decision; "
                    "take --model naive-bayes or softmax, or --model gaussian with --covariance "
                    "shared or diagonal and without --components");
  }
  if (model.labels().size() < 2) {
    throw Error(ErrorCode::usage, "the model knows one class only, '" + model.labels().front() +
                                      "', so there are no odds to explain; train one with at "
                                      "least two classes");
  }
  return *evidence;
}

// A term for every column of every row: explained rows are dense.
ScoreReport explain(const Classifier& model, BlockSource& source,
                    const std::function<void(const ExplainedBlock&)>& sink, const Context& context,
                    const ExplainRequest& request) {
  const Explainer explainer(model, request.log_base);
  return run_scoring(
      model, source, context, request.scoring, [&](Scoring& block) { explainer.explain(block); },
      [&](Scoring& block) { sink(view(block)); }, false, true);
}

ScoreReport explain_text(const Classifier& model, BlockSource& source,
                         const std::function<void(const ExplainedBlock&, std::string&)>& render,
                         const std::function<void(const std::string&)>& write,
                         const Context& context, const ExplainRequest& request) {
  const Explainer explainer(model, request.log_base);
  return run_scoring(
      model, source, context, request.scoring,
      [&](Scoring& block) {
        explainer.explain(block);
        block.text.clear();
        render(view(block), block.text);
      },
      [&](Scoring& block) { write(block.text); }, false, true);
}

}  // namespace logodds
