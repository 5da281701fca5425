// The front door: train, cluster, update, merge, forget, score, explain, evaluate, describe,
// project, save, load.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "logodds/context.hpp"
#include "logodds/data/csv.hpp"
#include "logodds/data/documents.hpp"
#include "logodds/data/matrix_source.hpp"
#include "logodds/decide/decide.hpp"
#include "logodds/decide/policy.hpp"
#include "logodds/error.hpp"
#include "logodds/measure/decision_totals.hpp"
#include "logodds/measure/measures.hpp"
#include "logodds/modelfile/modelfile.hpp"
#include "logodds/models/axes.hpp"
#include "logodds/models/classifier.hpp"
#include "logodds/models/descriptive.hpp"
#include "logodds/models/evidence.hpp"
#include "logodds/models/gaussian.hpp"
#include "logodds/models/generative.hpp"
#include "logodds/models/geometry.hpp"
#include "logodds/models/learner.hpp"
#include "logodds/models/line.hpp"
#include "logodds/models/neighborhood.hpp"
#include "logodds/models/words.hpp"
#include "logodds/registry/descriptive.hpp"
#include "logodds/registry/registry.hpp"

namespace logodds {

/// Fits `family` ("gaussian", "softmax", ...) to the labelled rows of `source`.
[[nodiscard]] Fit train(BlockSource& source, std::string_view family,
                        const std::map<std::string, std::string>& options = {},
                        const Context& context = {}, MissingRows missing = MissingRows::use);

/// Groups the rows of `source` by `clustering` ("k-means", ...). Labels, where the rows have some,
/// change nothing; the report tells how the clusters agree with them.
[[nodiscard]] Fit cluster(BlockSource& source, std::string_view clustering,
                          const std::map<std::string, std::string>& options = {},
                          const Context& context = {}, MissingRows missing = MissingRows::use);

// Arithmetic on the statistics that a model keeps. Each throws Error(usage) for a family that keeps
// none; the result has the options of the (first) model, but for those that are changed.
using OptionChanges = std::map<std::string, std::string>;

/// The model of the rows of all models together.
[[nodiscard]] Fit merge(std::span<const Classifier* const> models, const Context& context = {},
                        const OptionChanges& changed = {});
/// The model with the rows of `source` added; new classes and levels join.
[[nodiscard]] Fit update(const Classifier& model, BlockSource& source, const Context& context = {},
                         MissingRows missing = MissingRows::use, const OptionChanges& changed = {});
/// The model without the rows of `source`.
[[nodiscard]] Fit forget(const Classifier& model, BlockSource& source, const Context& context = {},
                         MissingRows missing = MissingRows::use, const OptionChanges& changed = {});
/// The model estimated anew from the same statistics, some options changed: other priors, say.
[[nodiscard]] Fit with_options(const Classifier& model, const OptionChanges& changed,
                               const Context& context = {});

/// What is wanted of every row besides its posteriors.
struct ScoreRequest {
  MissingRows missing = MissingRows::use;
  decide::Rule rule = decide::Rule::map;
  /// How posteriors become decisions; null: by the thresholds of the model, where it has some, else
  /// by the largest. Not with Rule::likelihood.
  const decide::Policy* policy = nullptr;
  bool densities = false;  ///< ln p(x) and outlier p-values: the model must be Generative
  bool distances = false;  ///< from the linear boundaries: the model must have a Geometry
  /// Rows whose outlier p-value is below this are not decided: the model must be Generative.
  double reject_outliers = 0.0;
  /// The nearest training rows of every row, so many: the model must have a Neighborhood.
  std::size_t neighbors = 0;
};

/// The decision of a row that was rejected, or that was skipped.
inline constexpr std::int32_t kNoDecision = -1;

/// One block of scored rows. `posteriors` is row-major rows x labels. Where `skipped` is not empty,
/// rows flagged 1 lacked a value that the family needs: their numbers mean nothing.
struct ScoredBlock {
  RowBlock rows;
  std::span<const double> posteriors;
  std::span<const std::uint8_t> skipped;
  std::span<const std::int32_t> decisions;  ///< index of a label, or kNoDecision
  std::span<const double> log_densities;    ///< ln p(x), if asked for
  std::span<const double> p_values;         ///< outlier p-values, if asked for
  std::span<const double> distances;        ///< rows x linear boundaries, if asked for
  /// rows x ScoreRequest::neighbors, see Neighborhood::nearest(), if asked for
  std::span<const std::int64_t> neighbors;
  std::span<const double> neighbor_distances;
};

/// Totals over a prediction run.
struct ScoreReport {
  std::size_t rows = 0;
  std::size_t rows_skipped = 0;
  std::size_t rows_rejected = 0;
  std::size_t rows_unsure = 0;      ///< among them: by the policy, and not as outliers
  std::size_t rows_incomplete = 0;  ///< used although a value is missing
  std::size_t unseen_levels = 0;
  TextTally texts{};  ///< of models with text columns
};

/// Scores every row of a source bound to the model's schema, in parallel, and hands the blocks to
/// `sink` in the order of the rows. Memory does not grow with the rows. With MissingRows::error the
/// first row that lacks a value is an error naming its place.
ScoreReport score(const Classifier& model, BlockSource& source,
                  const std::function<void(const ScoredBlock&)>& sink, const Context& context = {},
                  const ScoreRequest& request = {});

/// The same in two steps, for sinks with work of their own: `render` runs in parallel and makes a
/// text of a block, `write` gets the texts in the order of the rows.
ScoreReport score_text(const Classifier& model, BlockSource& source,
                       const std::function<void(const ScoredBlock&, std::string&)>& render,
                       const std::function<void(const std::string&)>& write,
                       const Context& context = {}, const ScoreRequest& request = {});

/// The model's scores as sums over columns. Throws Error(usage) when they are none, or when there
/// is only one class, which has no odds against another.
[[nodiscard]] const Evidence& require_evidence(const Classifier& model);

/// base + the terms, from first to last. A class that a column makes impossible has an infinite
/// term: where such terms of both signs meet, the sum is infinite with the sign of which there are
/// more, and that of the finite terms where there are as many.
[[nodiscard]] double add_terms(double base, std::span<const double> terms);

struct ExplainRequest {
  ScoreRequest scoring{};
  double log_base = std::numbers::e;  ///< of every logarithm in the answer; above 1
};

/// One block of explained rows: why each was decided for its class and not for the likeliest other,
/// `against`.
///   log_odds[r] = add_terms(base[r], contributions[r * parts ...]),
/// parts as require_evidence() names them. Rows without a decision have kNoDecision in `against`;
/// their numbers mean nothing.
struct ExplainedBlock {
  ScoredBlock scored;
  std::span<const std::int32_t> against;
  std::span<const double> log_odds;
  std::span<const double> base;
  std::span<const double> contributions;  ///< rows x parts, row-major
};

/// Explains every row of a source bound to the model's schema, as score() scores it.
ScoreReport explain(const Classifier& model, BlockSource& source,
                    const std::function<void(const ExplainedBlock&)>& sink,
                    const Context& context = {}, const ExplainRequest& request = {});

/// The same in two steps, as score_text().
ScoreReport explain_text(const Classifier& model, BlockSource& source,
                         const std::function<void(const ExplainedBlock&, std::string&)>& render,
                         const std::function<void(const std::string&)>& write,
                         const Context& context = {}, const ExplainRequest& request = {});

/// Posteriors of a matrix, row-major rows x labels, written to `out`. Columns are taken by
/// position; the schema must hold columns of numbers only. A NaN is a missing value to a model that
/// takes them; with MissingRows::error, and by other models, it is refused as an infinity is.
void posteriors(const Classifier& model, const MatrixView& rows, std::span<double> out,
                const Context& context = {}, MissingRows missing = MissingRows::use);

/// The index of the label with the largest score of every row, ties to the first: the decisions
/// that posteriors() would lead to, without the posteriors.
void decisions(const Classifier& model, const MatrixView& rows, std::span<std::int32_t> out,
               const Context& context = {}, MissingRows missing = MissingRows::use);

struct Evaluation {
  measure::Measures measures;
  ScoreReport report;
  /// Of the evaluated rows, where the model is Generative.
  std::optional<Likelihood> likelihood{};
  /// Of decisions by costs, thresholds, or with rejected rows; the other measures are then of the
  /// rows that are decided.
  std::optional<measure::DecisionTotals> decisions{};
};

/// Decides every row, by the largest posterior unless the request or the model says otherwise, and
/// compares with the labels. measure::report() makes intervals of the result.
[[nodiscard]] Evaluation evaluate(const Classifier& model, BlockSource& source,
                                  const Context& context = {}, const ScoreRequest& request = {},
                                  const measure::MeasureOptions& options = {.bins = 10});

/// Describes the rows of `source` by a model of this kind: "pca", "canonical" (whose rows have
/// labels), "line" (the last column regressed on those before it). Rows that lack a value are left
/// out and counted, or refused.
[[nodiscard]] DescriptiveFit describe(BlockSource& source, std::string_view kind,
                                      const std::map<std::string, std::string>& options = {},
                                      const Context& context = {},
                                      MissingRows missing = MissingRows::skip);
/// The model of the rows of all models together, with the options of the first.
[[nodiscard]] DescriptiveFit merge(std::span<const DescriptiveModel* const> models,
                                   const Context& context = {});

/// Numbers of every row, as many for each, handed to the caller in the order of the rows.
using RowsSink = std::function<void(const RowBlock&, std::span<const double>)>;

/// Coordinates of every row on the first `axes` axes: rows x axes, NaN for a row that lacks a
/// value.
void project(const Axes& axes, BlockSource& source, std::size_t count, const RowsSink& sink,
             const Context& context = {});
/// The same on the canonical axes of a model that has a Geometry.
void project(const Classifier& model, BlockSource& source, std::size_t axes, const RowsSink& sink,
             const Context& context = {});
/// Every row rebuilt from its coordinates on the first `count` axes: rows x column_names().
void reconstruct(const FittedAxes& axes, BlockSource& source, std::size_t count,
                 const RowsSink& sink, const Context& context = {});

/// The value of a line at every row: rows x 1, NaN for a row that lacks a value.
void fitted_values(const FittedLine& line, BlockSource& source, const RowsSink& sink,
                   const Context& context = {});
/// For rows that hold the response as their last column of numbers: it, the value of the line, and
/// their difference, rows x 3.
void residuals(const FittedLine& line, BlockSource& source, const RowsSink& sink,
               const Context& context = {});

using modelfile::load;
using modelfile::load_any;
using modelfile::load_descriptive;
using modelfile::save;

}  // namespace logodds
