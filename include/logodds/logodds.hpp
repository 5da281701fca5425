// The front door: train, score, evaluate, save, load.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "logodds/context.hpp"
#include "logodds/data/csv.hpp"
#include "logodds/data/matrix_source.hpp"
#include "logodds/error.hpp"
#include "logodds/measure/measures.hpp"
#include "logodds/modelfile/modelfile.hpp"
#include "logodds/models/classifier.hpp"
#include "logodds/models/learner.hpp"
#include "logodds/registry/registry.hpp"

namespace logodds {

/// Fits `family` ("gaussian", "softmax", ...) to the labelled rows of `source`.
[[nodiscard]] Fit train(BlockSource& source, std::string_view family,
                        const std::map<std::string, std::string>& options = {},
                        const Context& context = {}, MissingRows missing = MissingRows::skip);

/// One block of scored rows. `posteriors` is row-major rows x labels. Where `skipped` is not empty,
/// rows flagged 1 lacked a value that the family needs: their posteriors mean nothing.
struct ScoredBlock {
  RowBlock rows;
  std::span<const double> posteriors;
  std::span<const std::uint8_t> skipped;
};

/// Totals over a prediction run.
struct ScoreReport {
  std::size_t rows = 0;
  std::size_t rows_skipped = 0;
  std::size_t unseen_levels = 0;
};

/// Scores every row of a source bound to the model's schema, in parallel, and hands the blocks to
/// `sink` in the order of the rows. Memory does not grow with the rows. With MissingRows::error the
/// first row that lacks a needed value is an error naming its place.
ScoreReport score(const Classifier& model, BlockSource& source,
                  const std::function<void(const ScoredBlock&)>& sink, const Context& context = {},
                  MissingRows missing = MissingRows::skip);

/// The same in two steps, for sinks with work of their own: `render` runs in parallel and makes a
/// text of a block, `write` gets the texts in the order of the rows.
ScoreReport score_text(const Classifier& model, BlockSource& source,
                       const std::function<void(const ScoredBlock&, std::string&)>& render,
                       const std::function<void(const std::string&)>& write,
                       const Context& context = {}, MissingRows missing = MissingRows::skip);

/// Posteriors of a matrix, row-major rows x labels, written to `out`. Columns are taken by
/// position; the schema must hold columns of numbers only.
void posteriors(const Classifier& model, const MatrixView& rows, std::span<double> out,
                const Context& context = {});

struct Evaluation {
  measure::Measures measures;
  ScoreReport report;
};

/// Decides every row by the largest posterior and compares with the labels.
[[nodiscard]] Evaluation evaluate(const Classifier& model, BlockSource& source,
                                  const Context& context = {},
                                  MissingRows missing = MissingRows::skip);

using modelfile::load;
using modelfile::save;

}  // namespace logodds
